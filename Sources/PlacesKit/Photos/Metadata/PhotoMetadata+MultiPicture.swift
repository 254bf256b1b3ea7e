extension PhotoMetadata {
    /// Takes the ranges of previews from a file's index of pictures (CIPA DC-007).
    mutating func fill(fromMultiPicture reader: TIFFReader) {
        let entriesTag: UInt16 = 0xB002
        let entrySize = 16
        let index = reader.directory(at: reader.firstDirectory)
        guard let entries = index.entries[entriesTag] else { return }
        for number in 0..<entries.count / entrySize {
            let position = entries.position + number * entrySize
            guard let attributes = reader.unsigned32(at: position),
                let length = reader.unsigned32(at: position + 4),
                let offset = reader.unsigned32(at: position + 8)
            else { return }
            // Other pictures are parts of a panorama, or say how bright the photo is.
            let (isJPEG, isPreview) = (attributes >> 24 & 7 == 0, attributes >> 16 & 0xFF == 1)
            if isJPEG, isPreview, let range = reader.fileRange(from: offset, count: length) {
                previews.append(range)
            }
        }
    }
}

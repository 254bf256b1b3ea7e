extension PhotoMetadata {
    /// Takes over where a file's index of pictures, as CIPA DC-007 has it, says that previews lie.
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
            // Of the others some are parts of a panorama, or say how bright the photo is.
            let (isJPEG, isPreview) = (attributes >> 24 & 7 == 0, attributes >> 16 & 0xFF == 1)
            if isJPEG, isPreview, let range = reader.fileRange(from: offset, count: length) {
                previews.append(range)
            }
        }
    }
}

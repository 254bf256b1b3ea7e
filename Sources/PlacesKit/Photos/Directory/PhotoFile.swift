import PlacesBase

/// An open JPEG file, which is read only as far as necessary.
struct PhotoFile {
    /// A smaller picture of the whole photo inside its file.
    struct Preview: Equatable {
        let range: Range<Int>
        let width: Int
        let height: Int
    }

    /// How many bytes are read first; what precedes the pixels is usually shorter.
    private static let step = 128 << 10
    /// How many bytes are searched for what precedes the pixels.
    private static let headLimit = 12 * step
    private static let previewLimit = 3

    let file: any SeekableFile
    let cancellation: Cancellation

    /// The file's metadata; nil if the file is not JPEG.
    func metadata() throws -> PhotoMetadata? {
        var head: [UInt8] = []
        while head.count < Self.headLimit {
            try cancellation.check()
            let wanted = min(max(Self.step, head.count), Self.headLimit - head.count)
            let part = try file.read(from: head.count, count: wanted)
            head += part
            guard part.count == wanted, JPEGSegments.areCutOff(in: head) else { break }
        }
        return PhotoMetadata(jpeg: head)
    }

    /// The largest preview; nil if there is none that can be shown.
    ///
    /// A preview has no orientation of its own, so it is only usable if the photo needs none.
    func preview(_ metadata: PhotoMetadata) throws -> Preview? {
        guard metadata.orientation == .up, let size = file.size else { return nil }
        var largest: Preview?
        let whole = metadata.previews.filter { $0.upperBound <= size }
        for range in whole.prefix(Self.previewLimit) {
            try cancellation.check()
            let count = min(range.count, Self.step)
            let head = try file.read(from: range.lowerBound, count: count)
            guard let (width, height) = JPEGSegments.size(in: head) else { continue }
            if width > largest?.width ?? 0 {
                largest = Preview(range: range, width: width, height: height)
            }
        }
        return largest
    }

    /// The bytes in a range, as far as the file has them.
    func bytes(in range: Range<Int>) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(min(range.count, file.size ?? 0))
        while bytes.count < range.count {
            try cancellation.check()
            let wanted = min(1 << 20, range.count - bytes.count)
            let part = try file.read(from: range.lowerBound + bytes.count, count: wanted)
            bytes += part
            guard part.count == wanted else { break }
        }
        return bytes
    }
}

extension JPEGSegments {
    /// Whether an undamaged file's head ends before the pixels begin.
    fileprivate static func areCutOff(in head: [UInt8]) -> Bool {
        guard var segments = JPEGSegments(head) else { return false }
        while segments.next() != nil {}
        return segments.isCutOff
    }

    /// The size of a picture, from its first bytes; nil if they are not JPEG or lack the size.
    fileprivate static func size(in head: [UInt8]) -> (width: Int, height: Int)? {
        guard let segments = JPEGSegments(head) else { return nil }
        for segment in segments {
            if case .frame(let width, let height) = segment.content { return (width, height) }
        }
        return nil
    }
}

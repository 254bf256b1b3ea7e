/// The part of a file that is in memory while the file is read from its beginning to its end.
///
/// It ends with a line, hence between two tokens or in a text that has lines: who reads from it finds whole
/// tokens, or the end too early. A file takes little memory so, and the part of it that is read lies in the
/// processor's cache.
final class SnapshotWindow {
    private let file: any ReadableFile
    private let buffer: UnsafeMutableRawBufferPointer
    private var filledCount = 0
    /// The lines in memory; none if the next one is longer than the window.
    private(set) var lines = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Whether the file ends with these lines.
    private(set) var isLast = false

    /// The beginning of a file.
    init(_ file: any ReadableFile, size: Int = 1 << 20) throws(FileSystemError) {
        self.file = file
        buffer = .allocate(byteCount: size, alignment: 16)
        try fill()
    }

    deinit { buffer.deallocate() }

    /// Whether so little of the lines is left at a place that an object may be cut off there, and the file
    /// has more.
    func isShort(at offset: Int) -> Bool {
        !isLast && lines.count - offset < buffer.count / 4
    }

    /// Goes on in the file, so that the lines begin with what is at a place now.
    func slide(to offset: Int) throws(FileSystemError) {
        filledCount -= offset
        buffer.copyMemory(
            from: UnsafeRawBufferPointer(rebasing: buffer[offset...].prefix(filledCount)))
        try fill()
    }

    private func fill() throws(FileSystemError) {
        filledCount += try file.read(
            into: UnsafeMutableRawBufferPointer(rebasing: buffer[filledCount...]))
        isLast = filledCount < buffer.count
        let filled = buffer[..<filledCount]
        let end =
            isLast
            ? filledCount : filled.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        lines = UnsafeRawBufferPointer(rebasing: buffer[..<end])
    }
}

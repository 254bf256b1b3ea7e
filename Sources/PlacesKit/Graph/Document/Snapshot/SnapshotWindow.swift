import PlacesBase

/// The part of a file that is in memory while the file is read from its beginning to its end.
///
/// It ends with a line, hence between two tokens or in a text that has lines: who reads from it finds whole
/// tokens, or the end too early. A file takes little memory so, and what comes next can be read ahead, while
/// the lines are.
final class SnapshotWindow {
    private let file: any ReadableFile
    private let size: Int
    /// What is in memory now, and what is read ahead; each with room in front for what is left of lines.
    private var buffer: UnsafeMutableRawBufferPointer
    private var nextBuffer: UnsafeMutableRawBufferPointer
    private var filled: Range<Int>
    /// How many bytes were read ahead, if that was done.
    private var nextCount: Result<Int, FileSystemError>?
    /// The lines in memory; none if the next one is longer than the window.
    private(set) var lines = UnsafeRawBufferPointer(start: nil, count: 0)
    /// Whether the file ends with these lines.
    private(set) var isLast = false

    /// The beginning of a file.
    init(_ file: any ReadableFile, size: Int = 1 << 22) throws(FileSystemError) {
        self.file = file
        self.size = size
        buffer = .allocate(byteCount: size + size / 2, alignment: 16)
        nextBuffer = .allocate(byteCount: size + size / 2, alignment: 16)
        filled = size / 2..<size / 2
        try slide(to: 0)
    }

    deinit {
        buffer.deallocate()
        nextBuffer.deallocate()
    }

    /// Whether so little of the lines is left at an offset that an object may be cut off there, and the file
    /// has more.
    func isShort(at offset: Int) -> Bool { !isLast && lines.count - offset < size / 4 }

    /// Reads what comes after the window, on any thread, while nobody slides it.
    func readAhead() {
        guard !isLast, nextCount == nil else { return }
        let space = UnsafeMutableRawBufferPointer(rebasing: nextBuffer[(size / 2)...])
        nextCount = Result { () throws(FileSystemError) in try file.read(into: space) }
    }

    /// Goes on in the file, so that the lines begin with what is at an offset now.
    func slide(to offset: Int) throws(FileSystemError) {
        readAhead()
        let rest = UnsafeRawBufferPointer(
            rebasing: buffer[(filled.lowerBound + offset)..<filled.upperBound])
        guard let count = try nextCount?.get(), rest.count <= size / 2 else {
            lines = UnsafeRawBufferPointer(start: nil, count: 0)
            return
        }
        nextCount = nil
        filled = size / 2 - rest.count..<size / 2 + count
        UnsafeMutableRawBufferPointer(rebasing: nextBuffer[filled]).copyMemory(from: rest)
        swap(&buffer, &nextBuffer)
        isLast = count < size
        let bytes = UnsafeRawBufferPointer(rebasing: buffer[filled])
        let end = isLast ? bytes.count : bytes.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 }
        lines = UnsafeRawBufferPointer(rebasing: bytes[..<(end ?? 0)])
    }
}

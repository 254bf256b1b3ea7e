/// A file that is open for reading.
package protocol ReadableFile: AnyObject {
    /// Fills memory with the bytes that come next, or with those that are left.
    ///
    /// - Returns: How many bytes that are; fewer than there is room for only at the end of the file.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws(FileSystemError) -> Int
}

/// The content of a file that was read as a whole.
package final class FileContent: ReadableFile {
    package let bytes: [UInt8]
    private var position = 0

    package init(_ bytes: [UInt8]) { self.bytes = bytes }

    package func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let part = bytes[position...].prefix(buffer.count)
        buffer.copyBytes(from: part)
        position += part.count
        return part.count
    }
}

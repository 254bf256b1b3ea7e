/// A file that is open for reading.
package protocol ReadableFile: AnyObject {
    /// Reads the next bytes of the file into `buffer`, until it is full or the file ends.
    ///
    /// - Returns: How many bytes were read; fewer than the buffer holds only at the end of the
    ///   file.
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

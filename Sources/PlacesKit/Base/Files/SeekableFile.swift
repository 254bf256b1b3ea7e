/// A file that is open for reading any part of it.
package protocol SeekableFile: AnyObject {
    /// The file's size in bytes; nil if it is not known.
    var size: Int? { get }

    /// The version of the open file; nil if it is not known.
    var version: FileVersion? { get }

    /// Reads `count` bytes from `offset` on; fewer only at the end of the file.
    func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
}

extension FileContent: SeekableFile {
    package var size: Int? { bytes.count }

    package var version: FileVersion? { nil }

    package func read(from offset: Int, count: Int) -> [UInt8] {
        Array(bytes.dropFirst(offset).prefix(count))
    }
}

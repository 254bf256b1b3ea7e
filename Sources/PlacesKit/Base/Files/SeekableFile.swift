/// A file that is open for reading any part of it.
package protocol SeekableFile: AnyObject {
    /// How many bytes it has; nil where that is not to be had.
    var size: Int? { get }

    /// As what it is open; nil where that is not to be had.
    var version: FileVersion? { get }

    /// So many bytes from one of them on; fewer only at the end of the file.
    func read(from offset: Int, count: Int) throws(FileSystemError) -> [UInt8]
}

extension FileContent: SeekableFile {
    package var size: Int? { bytes.count }

    package var version: FileVersion? { nil }

    package func read(from offset: Int, count: Int) -> [UInt8] {
        Array(bytes.dropFirst(offset).prefix(count))
    }
}

package import PlacesGraph

/// A step that changed the files of a `CrashingFiles`.
package enum CrashingStep: Sendable {
    /// An empty directory was created.
    case makeDirectory(FilePath)
    /// An empty file was created; its number stays the same when it is renamed.
    case create(file: Int, FilePath)
    /// Bytes were written.
    case write(file: Int, offset: Int, [UInt8])
    /// A file was cut.
    case truncate(file: Int, size: Int)
    /// A file was brought to the disk.
    case synchronize(file: Int)
    /// A file was renamed.
    case rename(FilePath, FilePath)
    /// The name of a file or an empty directory was removed.
    case remove(FilePath)
    /// A directory was brought to the disk.
    case synchronizeDirectory(FilePath)
}

extension CrashingStep: CustomStringConvertible {
    /// The step, short enough for a list.
    package var description: String {
        switch self {
        case .makeDirectory(let path): "make \(path)"
        case .create(let file, let path): "create \(path) as \(file)"
        case .write(let file, let offset, let bytes):
            "write \(bytes.count) bytes at \(offset) of \(file)"
        case .truncate(let file, let size): "cut \(file) to \(size)"
        case .synchronize(let file): "synchronize \(file)"
        case .rename(let old, let new): "rename \(old) to \(new)"
        case .remove(let path): "remove \(path)"
        case .synchronizeDirectory(let path): "synchronize directory \(path)"
        }
    }
}

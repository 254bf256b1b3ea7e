import Foundation
import PlacesKit

/// The machine's file system, in which a file of one name can be made, but not opened again to write it.
struct UnopenedFiles: DiskFiles {
    let disk = DiskFileSystem()
    let name: String

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        if path.name == name { throw .failed(.open, path: path.description, code: EACCES) }
        return try disk.open(path, mode: mode)
    }
}

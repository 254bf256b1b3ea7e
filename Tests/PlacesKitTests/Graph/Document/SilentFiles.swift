import PlacesKit
import Synchronization

/// Files on a volume that does not answer at times: nothing tells then which ones there are.
final class SilentFiles: DiskFiles {
    let disk = DiskFileSystem()
    private let isSilent = Mutex(false)

    func silence(_ isSilent: Bool) { self.isSilent.withLock { $0 = isSilent } }

    func identity(of path: FilePath) -> FileIdentity? {
        isSilent.withLock(\.self) ? nil : disk.identity(of: path)
    }

    func version(of path: FilePath) -> FileVersion? {
        isSilent.withLock(\.self) ? nil : disk.version(of: path)
    }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        if isSilent.withLock(\.self) {
            throw .failed(.status, path: path.description, code: 110)
        }
        return try disk.status(of: path)
    }
}

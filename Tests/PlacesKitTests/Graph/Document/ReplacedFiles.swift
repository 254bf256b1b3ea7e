import PlacesKit
import Synchronization

/// Files for a reader, instead of which a writer has put others by the time of some look at them.
final class ReplacedFiles: UnchangedFiles {
    private let former: any FileSystem
    private let later: any FileSystem
    private let moment: Int
    private let looked = Mutex<[FilePath]>([])

    /// Files that are others from the look of a number on, counted from 0.
    init(_ former: any FileSystem, by later: any FileSystem, at moment: Int) {
        (self.former, self.later, self.moment) = (former, later, moment)
    }

    /// The paths that were looked at, once for each look.
    var looks: [FilePath] { looked.withLock(\.self) }

    private func files(_ path: FilePath) -> any FileSystem {
        looked.withLock { looks in
            looks.append(path)
            return looks.count > moment ? later : former
        }
    }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] { try files(path).list(path) }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        try files(path).status(of: path)
    }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] { try files(path).read(path) }
}

import PlacesKit
import Synchronization

/// Files for a reader that a writer replaces all the time.
final class BusyFiles: UnchangedFiles {
    private let states: [any FileSystem]
    private let duration: Int
    private let looks = Mutex(0)

    /// Files that are the next ones after so many looks at them.
    init(_ states: [any FileSystem], changingAfter duration: Int) {
        (self.states, self.duration) = (states, duration)
    }

    private func files() -> any FileSystem {
        looks.withLock { looks in
            defer { looks += 1 }
            return states[min(looks / duration, states.count - 1)]
        }
    }

    func list(_ path: FilePath) throws(FileSystemError) -> [String] { try files().list(path) }

    func status(of path: FilePath) throws(FileSystemError) -> FileStatus? {
        try files().status(of: path)
    }

    func read(_ path: FilePath) throws(FileSystemError) -> [UInt8] { try files().read(path) }
}

import Dispatch
import PlacesKit
import Synchronization

/// The machine's file system, whose first write waits until it is told to go on.
final class SlowFiles: DiskFiles {
    let disk = DiskFileSystem()
    private let gate = DispatchSemaphore(value: 0)
    private let state = Mutex((isWaiting: false, isOpen: false))

    /// Whether the first write has begun.
    var isWaiting: Bool { state.withLock(\.isWaiting) }

    /// Lets the first write, and all later ones, go on.
    func goOn() {
        state.withLock { $0.isOpen = true }
        gate.signal()
    }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        let waits = state.withLock { state in
            defer { state.isWaiting = true }
            return !state.isWaiting && !state.isOpen
        }
        if waits { gate.wait() }
        return try disk.open(path, mode: mode)
    }
}

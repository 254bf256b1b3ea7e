import Dispatch
import Foundation
import PlacesKit
import Synchronization

/// The machine's file system, whose first write waits until it is told to go on.
final class SlowFiles: DiskFiles {
    let disk = DiskFileSystem()
    /// What the name of the file contains that is to wait; any does without it.
    private let name: String?
    private let gate = DispatchSemaphore(value: 0)
    private let state = Mutex((isWaiting: false, isOpen: false, isFull: false))

    init(writing name: String? = nil) { self.name = name }

    /// Whether the first write has begun.
    var isWaiting: Bool { state.withLock(\.isWaiting) }

    /// Lets the first write, and all later ones, go on.
    func goOn() {
        state.withLock { $0.isOpen = true }
        gate.signal()
    }

    /// Lets the first write fail, and all later ones go on.
    func fail() {
        state.withLock { $0.isFull = true }
        goOn()
    }

    func open(_ path: FilePath, mode: FileMode) throws(FileSystemError) -> any WritableFile {
        let isSlow = name.map(path.name.contains) ?? true
        let waits =
            isSlow
            && state.withLock { state in
                defer { state.isWaiting = true }
                return !state.isWaiting && !state.isOpen
            }
        if waits { gate.wait() }
        if waits, state.withLock(\.isFull) {
            throw .failed(.open, path: path.description, code: ENOSPC)
        }
        return try disk.open(path, mode: mode)
    }
}

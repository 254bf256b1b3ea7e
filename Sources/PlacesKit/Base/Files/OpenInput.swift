import Foundation
import Synchronization

/// A file of the caller's that is read from its beginning; of a pipe, what others write, until nobody wants it any more.
package final class OpenInput {
    private let file: DiskFile
    /// Whether there may be nothing to read for any time.
    private let waits: Bool

    /// Opens a file; waits for who writes to a pipe.
    ///
    /// - Parameters:
    ///   - path: The path.
    ///   - check: Is called now and then while nobody is there; what it throws ends the wait.
    /// - Throws: `FileSystemError`, or what `check` throws.
    package init(_ path: FilePath, _ check: () throws -> Void) throws {
        let kind = try DiskFileSystem().status(of: path)?.kind
        waits = kind == .pipe || kind == .device
        guard kind == .pipe else {
            file = try DiskFile(reading: path)
            return
        }
        let opening = PipeOpening(path)
        do {
            while !opening.isOver {
                try check()
                Platform.pause(milliseconds: 10)
            }
        } catch {
            opening.giveUp()
            throw error
        }
        file = try opening.file()
    }

    /// Reads on.
    ///
    /// - Parameters:
    ///   - limit: How many bytes are wanted at most.
    ///   - check: Is called now and then while nothing is there; what it throws ends the wait.
    /// - Returns: So many bytes, or of a pipe what is there; none at the end.
    /// - Throws: `FileSystemError`, or what `check` throws.
    package func read(upTo limit: Int, _ check: () throws -> Void) throws -> [UInt8] {
        guard waits else { return try file.read(upTo: limit) }
        repeat { try check() } while !Platform.waitForBytes(file.descriptor, milliseconds: 50)
        return try file.readSome(upTo: min(limit, 1 << 16))
    }
}

/// A thread that opens a pipe: it waits until somebody writes to the pipe.
private final class PipeOpening: Sendable {
    private let path: FilePath
    private let state = Mutex((descriptor: Result<Int32, FileSystemError>?.none, isGivenUp: false))

    init(_ path: FilePath) {
        self.path = path
        Thread.detachNewThread { [self] in
            let descriptor: Result<Int32, FileSystemError>
            do throws(FileSystemError) {
                descriptor = .success(try DiskFile(reading: path).relinquish())
            } catch {
                descriptor = .failure(error)
            }
            let isGivenUp = state.withLock { state in
                state.descriptor = descriptor
                return state.isGivenUp
            }
            if isGivenUp { close(descriptor) }
        }
    }

    /// Whether the pipe is open, or can't be opened.
    var isOver: Bool { state.withLock { $0.descriptor != nil } }

    /// The open pipe.
    func file() throws(FileSystemError) -> DiskFile {
        let descriptor = try state.withLock(\.descriptor)?.get()
        return try DiskFile(FileLocation(name: path.description), path, .open) { _ in
            descriptor ?? -1
        }
    }

    /// Lets the thread end.
    ///
    /// To wake it, somebody has to write to the pipe for a moment. So whoever else waits to read the same pipe comes to its end.
    /// Opening without waiting would wake nobody, but a pipe without a writer then reads as at its end on Darwin.
    func giveUp() {
        let descriptor = state.withLock { state in
            state.isGivenUp = true
            return state.descriptor
        }
        if let descriptor { return close(descriptor) }
        // Who opens a pipe to read it goes on once somebody may write; that takes a moment, unless it is another pipe by now.
        for _ in 0..<100 where !isOver {
            let writer = Platform.openForWritingAtOnce(FileLocation(name: path.description))
            if writer >= 0 { _ = Platform.closeFile(writer) }
            Platform.pause(milliseconds: 10)
        }
    }

    private func close(_ descriptor: Result<Int32, FileSystemError>) {
        if case .success(let descriptor) = descriptor { _ = Platform.closeFile(descriptor) }
    }
}

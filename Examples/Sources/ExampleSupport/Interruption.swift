import Dispatch
import Foundation
import PlacesKit
import Synchronization

/// What happens at Ctrl-C: the line of a spinner goes, what was saved is written, and the program ends.
///
/// The same command goes on with what was not saved. A second Ctrl-C, or two seconds without an answer of the disk, end the
/// program as it is.
enum Interruption {
    /// The library that is open.
    @MainActor static var library: PlacesLibrary?

    private static let source = Mutex<(any DispatchSourceSignal)?>(nil)
    private static let isEnding = Atomic(false)
    /// As a shell tells a program that a signal ended.
    private static let status = 128 + SIGINT

    static func becomesTidy() {
        source.withLock { source in
            guard source == nil else { return }
            // A shell lets what it starts in the background ignore Ctrl-C, which is for others there.
            let former = signal(SIGINT, SIG_IGN)
            guard unsafeBitCast(former, to: Int.self) != unsafeBitCast(SIG_IGN, to: Int.self) else {
                return
            }
            let signals = DispatchSource.makeSignalSource(
                signal: SIGINT, queue: DispatchQueue.global())
            signals.setEventHandler { end() }
            signals.activate()
            source = signals
        }
    }

    private static func end() {
        guard !isEnding.exchange(true, ordering: .relaxed) else { exit(status) }
        Spinner.clear()
        DispatchQueue.global().asyncAfter(deadline: .now() + 2) { exit(status) }
        Task { @MainActor in
            do {
                // One that is only shown has nothing to write.
                if let library, !library.isReadOnly { try await write(library.document) }
                Terminal.note("Interrupted. What was saved is kept.")
            } catch {
                Terminal.note("Interrupted. \(error)")
            }
            exit(status)
        }
    }

    @MainActor
    private static func write(_ document: ManagedDocument) async throws {
        do {
            try await document.flush()
        } catch DocumentError.closed {
            // One that is being closed still writes what was saved: this waits for it, or does nothing.
            try await document.close()
        }
    }
}

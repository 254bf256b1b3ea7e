import Dispatch
import Foundation
import Synchronization

/// What happens at Ctrl-C: the line of a spinner goes, and the program ends.
///
/// What was saved is kept, and the same command goes on with what was not.
enum Interruption {
    private static let source = Mutex<(any DispatchSourceSignal)?>(nil)

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
            signals.setEventHandler {
                Spinner.clear()
                Terminal.note("Interrupted. What was saved is kept.")
                // As a shell tells a program that a signal ended.
                exit(128 + SIGINT)
            }
            signals.activate()
            source = signals
        }
    }
}

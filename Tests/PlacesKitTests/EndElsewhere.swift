import Dispatch
import Synchronization

/// Lets another thread be the last that has something, while the caller waits, and with it the caller's actor.
func endElsewhere<Value: Sendable>(_ value: inout Value?) {
    let last = LastOwner(value.take())
    DispatchQueue.global().async { last.end() }
    last.hasEnded.wait()
}

private final class LastOwner<Value: Sendable>: Sendable {
    private let value: Mutex<Value?>
    let hasEnded = DispatchSemaphore(value: 0)

    init(_ value: Value?) { self.value = Mutex(value) }

    func end() {
        value.withLock { $0 = nil }
        hasEnded.signal()
    }
}

/// What belongs to the main actor, and may end on any thread like all that may be sent.
@MainActor final class MainOwner<Content> {
    let content: Content

    init(_ content: Content) { self.content = content }
}

import Synchronization

/// A priority that may change while somebody waits; observers are notified of changes.
final class LivePriority: Sendable {
    private struct State {
        var value: ImagePriority
        var observers: [UInt64: @Sendable () -> Void] = [:]
        var lastObserver: UInt64 = 0
    }

    private let state: Mutex<State>

    init(_ value: ImagePriority) {
        state = Mutex(State(value: value))
    }

    var value: ImagePriority { state.withLock { $0.value } }

    func set(_ value: ImagePriority) {
        let observers = state.withLock { state in
            guard state.value != value else { return [@Sendable () -> Void]() }
            state.value = value
            return Array(state.observers.values)
        }
        for observer in observers { observer() }
    }

    /// Calls `observer` after each change, until ``stop(observing:)`` is called with what this returns.
    func observe(_ observer: @escaping @Sendable () -> Void) -> UInt64 {
        state.withLock { state in
            state.lastObserver += 1
            state.observers[state.lastObserver] = observer
            return state.lastObserver
        }
    }

    func stop(observing observer: UInt64) {
        state.withLock { $0.observers[observer] = nil }
    }
}

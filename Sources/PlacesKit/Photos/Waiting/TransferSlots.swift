import PlacesBase
import Synchronization

/// Limits how many transfers run at a time for each host.
///
/// The most urgent transfer is next; among equally urgent ones, the one that has waited longest.
final class TransferSlots: Sendable {
    private struct Transfer {
        let waiter: Waiter<Void>
        let priority: LivePriority
        /// The queue in which its number counts; other queues may still contain the number.
        var queued: ImagePriority
    }

    private struct Host {
        var running = 0
        var queues = ImagePriority.allCases.map { _ in NumberQueue() }
    }

    private struct State {
        var hosts: [String: Host] = [:]
        var waiting: [UInt64: Transfer] = [:]
        var lastNumber: UInt64 = 0
    }

    private let perHost: Int
    private let state = Mutex(State())

    init(perHost: Int) {
        self.perHost = max(1, perHost)
    }

    /// How many transfers are waiting for their turn.
    var waitingCount: Int { state.withLock { $0.waiting.count } }

    /// How many transfers are running.
    var runningCount: Int { state.withLock { $0.hosts.values.reduce(0) { $0 + $1.running } } }

    /// Runs a transfer when its turn comes.
    ///
    /// - Throws: `CancellationError` if the task is cancelled before that, or what the transfer throws.
    func run<Value: Sendable>(
        host: String, priority: LivePriority = LivePriority(.visible),
        _ transfer: @Sendable () async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        if let (number, waiter) = enter(host, priority) {
            let observation = priority.observe { [weak self] in self?.requeue(number, host) }
            defer { priority.stop(observing: observation) }
            requeue(number, host)
            try await withTaskCancellationHandler {
                try await waiter.result()
            } onCancel: {
                guard waiter.finish(.failure(CancellationError())) else { return }
                state.withLock { _ = $0.waiting.removeValue(forKey: number) }
            }
        }
        defer { release(host) }
        return try await transfer()
    }

    /// Takes a free slot, or joins the queue.
    private func enter(
        _ name: String, _ priority: LivePriority
    ) -> (number: UInt64, waiter: Waiter<Void>)? {
        state.withLock { state in
            var host = state.hosts.removeValue(forKey: name) ?? Host()
            defer { state.hosts[name] = host }
            guard host.running >= perHost else {
                host.running += 1
                return nil
            }
            state.lastNumber += 1
            let transfer = Transfer(
                waiter: Waiter(), priority: priority, queued: priority.value)
            host.queues[transfer.queued.rawValue].insert(state.lastNumber)
            state.waiting[state.lastNumber] = transfer
            return (state.lastNumber, transfer.waiter)
        }
    }

    /// Moves a transfer to the queue of its new priority, ahead of those that came later.
    ///
    /// Its number in the old queue is ignored.
    private func requeue(_ number: UInt64, _ host: String) {
        state.withLock { state in
            guard let transfer = state.waiting[number] else { return }
            let priority = transfer.priority.value
            guard priority != transfer.queued else { return }
            state.waiting[number]?.queued = priority
            state.hosts[host]?.queues[priority.rawValue].insert(number)
        }
    }

    /// Passes a slot on to the next transfer that is still wanted, or frees it.
    private func release(_ host: String) {
        while let next = next(host) {
            if next.finish(.success(())) { return }
        }
    }

    private func next(_ name: String) -> Waiter<Void>? {
        state.withLock { state in
            guard var host = state.hosts.removeValue(forKey: name) else { return nil }
            for priority in ImagePriority.allCases.reversed() {
                while let number = host.queues[priority.rawValue].popFirst() {
                    guard state.waiting[number]?.queued == priority,
                        let transfer = state.waiting.removeValue(forKey: number)
                    else { continue }
                    state.hosts[name] = host
                    return transfer.waiter
                }
            }
            host.running -= 1
            if host.running > 0 { state.hosts[name] = host }
            return nil
        }
    }
}

/// A queue of numbers, from which the lowest goes first.
private struct NumberQueue {
    private var numbers: [UInt64] = []
    private var start = 0

    mutating func insert(_ number: UInt64) {
        var index = numbers.endIndex
        while index > start, numbers[index - 1] > number { index -= 1 }
        numbers.insert(number, at: index)
    }

    mutating func popFirst() -> UInt64? {
        guard start < numbers.count else { return nil }
        defer {
            start += 1
            if start > 32, start * 2 > numbers.count {
                numbers.removeFirst(start)
                start = 0
            }
        }
        return numbers[start]
    }
}

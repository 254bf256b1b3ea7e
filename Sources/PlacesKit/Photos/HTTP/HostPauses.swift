import Synchronization

/// The hosts that get too many requests, and until when they are left alone.
final class HostPauses: Sendable {
    private let stopwatch: Stopwatch
    private let ends = Mutex<[String: Duration]>([:])

    init(_ clock: any Clock<Duration>) {
        stopwatch = Stopwatch(clock)
    }

    /// How long a host is still to be left alone.
    func rest(of host: String) -> Duration {
        let now = stopwatch.elapsed
        return ends.withLock { ends in
            guard let end = ends[host] else { return .zero }
            if end <= now { ends[host] = nil }
            return max(.zero, end - now)
        }
    }

    /// Leaves a host alone from now on, at least for so long.
    func begin(at host: String, for length: Duration) {
        let end = stopwatch.elapsed + length
        ends.withLock { $0[host] = max($0[host] ?? end, end) }
    }
}

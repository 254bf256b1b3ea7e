/// Measures time on a clock of any type.
struct Stopwatch: Sendable {
    private let reading: @Sendable () -> Duration

    init(_ clock: any Clock<Duration>) {
        self.init(startedOn: clock)
    }

    private init<C: Clock<Duration>>(startedOn clock: C) {
        let start = clock.now
        reading = { start.duration(to: clock.now) }
    }

    /// The time since the stopwatch was created.
    var elapsed: Duration { reading() }
}

extension Clock<Duration> {
    /// Sleeps for a time, or for thirty years if it is longer.
    ///
    /// NB: a clock of the system stops the process if it is to sleep longer than it counts, as for
    /// `Duration.seconds(Int64.max)`, by which callers mean for ever.
    package func pause(for duration: Duration) async throws {
        try await sleep(for: min(duration, .seconds(1_000_000_000)))
    }

    /// Runs an operation, and cancels it when the time is up.
    ///
    /// - Throws: `PhotoSourceError.timedOut`, or what the operation throws.
    func limit<Value: Sendable>(
        to limit: Duration, _ operation: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await withThrowingTaskGroup(of: Result<Value, PhotoSourceError>.self) { group in
            group.addTask { .success(try await operation()) }
            group.addTask {
                try await self.pause(for: limit)
                return .failure(.timedOut(after: limit))
            }
            defer { group.cancelAll() }
            guard let first = try await group.next() else { throw CancellationError() }
            return try first.get()
        }
    }
}

/// One contestant's turn at a workload; what is to be timed runs inside ``measure(_:)``.
struct Round {
    /// The number of the round, which is 0 for the warm-up.
    let number: Int

    private(set) var elapsed: Duration = .zero

    init(number: Int) {
        self.number = number
    }

    /// Runs and times `body`; what a trial does outside is free.
    mutating func measure<Result>(_ body: () throws -> Result) rethrows -> Result {
        let clock = ContinuousClock()
        let start = clock.now
        let result = try body()
        elapsed += clock.now - start
        return result
    }

    /// Counts time that was measured elsewhere.
    mutating func add(_ duration: Duration) { elapsed += duration }

    /// The nanoseconds each of `count` operations took.
    func nanoseconds(per count: Int) -> Double {
        elapsed / .nanoseconds(1) / Double(count)
    }
}

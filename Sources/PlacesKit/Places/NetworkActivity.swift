public import Observation

/// How many answers of the network are waited for; observable.
public final class NetworkActivity: Observable {
    private let registrar = ObservationRegistrar()
    private var number = 0

    /// How many requests are under way.
    public internal(set) var requestCount: Int {
        get {
            registrar.access(self, keyPath: \.requestCount)
            return number
        }
        set { registrar.withMutation(of: self, keyPath: \.requestCount) { number = newValue } }
    }

    /// Whether an answer is waited for.
    public var isWaiting: Bool { requestCount > 0 }

    /// Counts a request while it runs.
    nonisolated(nonsending) func during<Value>(
        _ request: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        requestCount += 1
        defer { requestCount -= 1 }
        return try await request()
    }
}

@available(*, unavailable)
extension NetworkActivity: Sendable {}

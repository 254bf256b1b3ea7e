public import Observation

/// How many requests to the network are under way; observable.
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

    /// Whether any request is under way.
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

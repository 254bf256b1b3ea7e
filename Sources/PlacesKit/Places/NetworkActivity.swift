public import Observation
import PlacesBase

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
    nonisolated(nonsending) func during<Value: Sendable>(
        _ request: @Sendable () async throws -> Value
    ) async throws -> Value {
        requestCount += 1
        defer { requestCount -= 1 }
        return try await elsewhere(request)
    }
}

@available(*, unavailable)
extension NetworkActivity: Sendable {}

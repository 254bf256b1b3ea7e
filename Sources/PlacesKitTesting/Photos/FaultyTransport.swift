public import PlacesKit

/// A transport whose requests go wrong as scripted.
///
/// ```swift
/// let transport = FaultyTransport(base, faults: [.latency(.seconds(3)), .truncation(100), .none])
/// ```
///
/// Each request takes the next fault; the last one holds for all further ones.
public struct FaultyTransport: HTTPTransport {
    private let base: any HTTPTransport
    private let script: FaultScript

    /// Creates the layer on top of another transport.
    public init(
        _ base: any HTTPTransport, faults: [Fault], clock: any Clock<Duration> = ContinuousClock()
    ) {
        self.base = base
        script = FaultScript(faults, clock: clock)
    }

    /// Sends a request, and spoils the reply.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var (response, fault) = try await script.perform { try await base.send(request) }
        response.body = response.body.suffering(fault)
        return response
    }
}

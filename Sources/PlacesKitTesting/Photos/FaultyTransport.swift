public import PlacesKit

/// A transport whose requests go wrong according to a script.
///
/// ```swift
/// let transport = FaultyTransport(base, faults: [.latency(.seconds(3)), .truncation(100), .none])
/// ```
///
/// Each request has the next fault of the script; the last fault is repeated forever.
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

    /// Sends a request, and applies a fault to the reply.
    public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        var (response, fault) = try await script.perform { try await base.send(request) }
        response.body = response.body.suffering(fault)
        return response
    }
}

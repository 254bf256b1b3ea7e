public import Foundation
import PlacesKit
import Synchronization

/// Something that goes wrong with a call, or nothing.
public enum Fault: Sendable {
    /// Nothing goes wrong.
    case none
    /// The answer arrives late.
    case latency(Duration)
    /// The call throws an error.
    case error(any Error)
    /// Only the first bytes of a body or picture arrive, or only the first elements of a list.
    case truncation(Int)
    /// The body or picture is replaced.
    case replacement(Data)
}

/// The faults of calls, in order; the last one is repeated forever.
final class FaultScript: Sendable {
    private let faults: Mutex<ArraySlice<Fault>>
    private let clock: any Clock<Duration>

    init(_ faults: [Fault], clock: any Clock<Duration>) {
        self.faults = Mutex(faults[...])
        self.clock = clock
    }

    /// Makes a call with the next fault; returns the answer, and the fault to apply to it.
    func perform<Value: Sendable>(
        _ call: () async throws -> Value
    ) async throws -> (value: Value, fault: Fault) {
        try Task.checkCancellation()
        let fault = faults.withLock { faults in
            (faults.count > 1 ? faults.popFirst() : faults.first) ?? .none
        }
        switch fault {
        case .none, .truncation, .replacement: break
        case .latency(let duration): try await clock.pause(for: duration)
        case .error(let error): throw error
        }
        return (try await call(), fault)
    }
}

extension Data {
    /// The data after a fault.
    func suffering(_ fault: Fault) -> Data {
        switch fault {
        case .none, .latency, .error: self
        case .truncation(let count): prefix(Swift.max(0, count))
        case .replacement(let data): data
        }
    }
}

extension Array {
    /// The list after a fault.
    func suffering(_ fault: Fault) -> [Element] {
        if case .truncation(let count) = fault { Array(prefix(Swift.max(0, count))) } else { self }
    }
}

import Foundation
import PlacesKit
import Synchronization

/// Where the loader of a test fetches from: pictures by address, and a record of what was asked.
final class PictureServer: Sendable {
    private struct State {
        var requests: [String] = []
        var failures: [String: any Error] = [:]
        var gates: [String: Gate] = [:]
    }

    private let state = Mutex(State())

    var requests: [String] { state.withLock { $0.requests } }

    func fail(_ name: String, with error: (any Error)?) {
        state.withLock { $0.failures[name] = error }
    }

    /// Makes a picture wait for a gate.
    func hold(_ name: String) -> Gate {
        let gate = Gate()
        state.withLock { $0.gates[name] = gate }
        return gate
    }

    @Sendable func fetch(_ variant: PhotoVariant) async throws -> Data {
        let name = variant.url.lastPathComponent
        let (failure, gate) = state.withLock { state in
            state.requests.append(name)
            return (state.failures[name], state.gates[name])
        }
        await gate?.wait()
        try Task.checkCancellation()
        if let failure { throw failure }
        return .picture(name)
    }

    static func variant(_ name: String, edge: Int? = nil) -> PhotoVariant {
        PhotoVariant(
            name: name, url: URL(string: "https://h.example/\(name)") ?? URL(filePath: "/"),
            longestEdge: edge)
    }

    static func request(_ photo: String, _ names: String...) -> ImageRequest {
        ImageRequest(photo: photo, ladder: names.map { variant($0) })
    }
}

import Foundation
import PlacesKit

/// A way of reading a list of photos.
enum FlickrDecoder: String, CaseIterable {
    /// `FlickrPhotoSource` with a transport that has the reply: bytes to photo records, all layers included.
    case placesKit = "placeskit"
    /// Foundation's decoder, into structures with the same members that take the reply as strictly as it comes.
    case jsonDecoder = "json-decoder"

    /// Reads a reply, and sums up what was read.
    func decode(_ body: Data) async throws -> Int {
        switch self {
        case .placesKit:
            let budget = RequestBudget(limit: 1_000_000, per: .seconds(1))
            let source = FlickrPhotoSource(
                key: "benchmark", transport: ReadyTransport(body: body), retry: .never,
                budget: budget)
            let point = Coordinate(latitude: 1, longitude: 2)
            let page = try await source.photos(near: point, kilometers: 5)
            return page.photos.reduce(0) { sum, photo in
                sum &+ (photo.variants.last?.height ?? 0) &+ photo.title.utf8.count
                    &+ Int(photo.uploaded?.timeIntervalSince1970 ?? 0)
            }
        case .jsonDecoder:
            let reply = try JSONDecoder().decode(FlickrReply.self, from: body)
            return reply.photos.photo.reduce(0) { sum, photo in
                sum &+ photo.height_l &+ photo.title.utf8.count &+ (Int(photo.dateupload) ?? 0)
            }
        }
    }
}

/// Has a reply at hand.
private struct ReadyTransport: HTTPTransport {
    let body: Data

    func send(_ request: HTTPRequest) async throws -> HTTPResponse {
        HTTPResponse(headers: ["Content-Type": "application/json"], body: body)
    }
}

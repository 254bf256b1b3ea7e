import Foundation
import PlacesKit
import PlacesKitTesting

/// The photos of a sample world as a service of the web would know them.
struct StandInWorld: Sendable {
    static let paris = Coordinate(latitude: 48.857, longitude: 2.352)

    let photos: [PhotoRecord]

    init() async throws {
        photos = try await SamplePhotoSource(seed: 5, placeCount: 20).recentPhotos(limit: .max)
    }

    func numbers(in area: CoordinateArea) -> [Int] {
        photos.indices.filter { photos[$0].coordinate.map(area.contains) ?? false }
    }

    static func reply(_ object: [String: Any]) -> LoopbackReply {
        let data = try? JSONSerialization.data(withJSONObject: object)
        return .json(String(decoding: data ?? Data(), as: UTF8.self))
    }
}

extension LoopbackServer.Request {
    func numbers(_ name: String, separator: Character) -> [Double] {
        (queryValue(name) ?? "").split(separator: separator).compactMap { Double($0) }
    }
}

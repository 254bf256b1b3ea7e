import Foundation
import PlacesKit

/// A call to a source, whose answers can be compared.
struct ConformanceCall: Sendable {
    let operation: String
    private let ask: @Sendable () async throws -> String

    init(
        _ operation: String, _ ask: @escaping @Sendable () async throws -> some Encodable & Sendable
    ) {
        self.operation = operation
        self.ask = {
            let answer = try await ask()
            let encoder = JSONEncoder()
            encoder.outputFormatting = .sortedKeys
            encoder.nonConformingFloatEncodingStrategy = .convertToString(
                positiveInfinity: "∞", negativeInfinity: "-∞", nan: "NaN")
            return String(decoding: try encoder.encode(answer), as: UTF8.self)
        }
    }

    /// The answer as text; equal answers have equal texts.
    func callAsFunction() async throws -> String { try await ask() }
}

extension PhotoSourceConformance {
    /// One call of each kind that the source supports, and several where it might confuse callers.
    func calls(about photos: [PhotoRecord]) async -> [ConformanceCall] {
        var calls: [ConformanceCall] = []
        let capabilities = source.capabilities
        if capabilities.contains(.places) {
            calls.append(.init("places()") { [source] in try await source.places() })
        }
        if capabilities.isSuperset(of: [.places, .photosOfPlaces]),
            let places = try? await source.places()
        {
            calls += (places.count < 2 ? places : [places[0], places[places.count - 1]]).map {
                place in
                .init("photos(in: \(place.identifier), limit: 7)") { [source] in
                    try await source.photos(in: place, limit: 7)
                }
            }
        }
        if capabilities.contains(.recentPhotos) {
            calls.append(
                .init("recentPhotos(limit: 7)") { [source] in
                    try await source.recentPhotos(limit: 7)
                })
        }
        // Pages are asked for backwards, to catch a source that simply continues with the next
        // page.
        for area in areas(around: center) {
            calls += [2, 1].map { page in
                .init("photos(in: \(area.capability.rawValue)), page \(page)") { [source] in
                    try await source.photos(in: area, page: page, perPage: 4)
                }
            }
        }
        if capabilities.contains(.placeNames) {
            calls.append(
                .init("placeNames(at:)") { [source, center] in
                    try await source.placeNames(at: center)
                })
        }
        return calls + photos.flatMap { self.calls(about: $0) }
    }

    private func calls(about photo: PhotoRecord) -> [ConformanceCall] {
        var calls: [ConformanceCall] = []
        if source.capabilities.contains(.details) {
            calls.append(
                .init("details(ofPhoto: \(photo.identifier))") { [source] in
                    try await source.details(ofPhoto: photo.identifier)
                })
        }
        if let variant = photo.variants.first {
            calls.append(
                .init("data(for: \(variant.name)), photo \(photo.identifier)") { [source] in
                    try await source.data(for: variant)
                })
        }
        return calls
    }
}

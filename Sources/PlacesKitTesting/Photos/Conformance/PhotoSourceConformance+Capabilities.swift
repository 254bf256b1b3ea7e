import Foundation
import PlacesGraphTesting
import PlacesKit

extension PhotoSourceConformance {
    /// Checks what a source says about itself.
    func checkTraits(_ log: inout ConformanceLog) {
        log.expect(!source.name.isEmpty, "name", "is empty")
        let caps = source.caps
        log.expect((caps.pageLength ?? 1) > 0, "caps", "pages hold no photo")
        log.expect((caps.reach ?? 1) > 0, "caps", "searches hold no photo")
        log.expect((try? JSONEncoder().encode(caps)) != nil, "caps", "cannot be encoded")
        log.expect(
            source.cachingPolicy.maximumAge.map { $0 > .zero } ?? true, "cachingPolicy",
            "keeps nothing")
        let isTheSame =
            source.name == source.name && source.capabilities == source.capabilities
            && source.caps == caps && source.cachingPolicy == source.cachingPolicy
        log.expect(isTheSame, "name, capabilities, caps and policy", "change from call to call")
        for area in areas(around: center) {
            do {
                try caps.validate(area, page: 1, perPage: 5)
            } catch {
                log.expect(false, "caps", "refuse what this check searches, \(area): \(error)")
            }
        }
    }

    /// Checks that the source refuses calls without a capability as unsupported, before all else.
    func checkCapabilities(_ log: inout ConformanceLog) async {
        let place = PlaceRecord(identifier: "-", name: "-")
        let box = CoordinateBox(center: center, degrees: 0.01)
        for capability in PhotoSourceCapability.allCases
        where !source.capabilities.contains(capability) {
            await log.expectError(
                capability.rawValue, "unavailable(notSupported), as it is no capability",
                { if case PhotoSourceError.unavailable(.notSupported) = $0 { true } else { false } }
            ) {
                switch capability {
                case .places: _ = try await source.places()
                case .photosOfPlaces: _ = try await source.photos(in: place, limit: 1)
                case .recentPhotos: _ = try await source.recentPhotos(limit: 1)
                case .photosNearPoints:
                    _ = try await source.photos(
                        in: .circle(center: center, kilometers: 1), page: 1, perPage: 1)
                case .photosInBoxes:
                    _ = try await source.photos(in: .box(box), page: 1, perPage: 1)
                case .details: _ = try await source.details(ofPhoto: "-")
                case .placeNames: _ = try await source.placeNames(at: center)
                }
            }
        }
    }
}

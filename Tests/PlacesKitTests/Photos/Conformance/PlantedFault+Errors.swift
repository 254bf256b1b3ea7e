import Foundation
import PlacesKit

extension PlantedFault {
    static let errors: [PlantedFault] = [
        PlantedFault("an ability is forgotten among the capabilities") { source in
            source.capabilities.remove(.recentPhotos)
        },
        PlantedFault("what is not supported is gone") { source in
            source.capabilities.remove(.details)
            source.detailsAnswer = { _ in throw PhotoSourceError.gone(what: "It") }
        },
        PlantedFault("what is not supported is an error of another kind") { source in
            source.capabilities.remove(.placeNames)
            source.names = { _ in throw URLError(.unsupportedURL) }
        },
        PlantedFault("a capability is not there") { source in
            source.placesAnswer = {
                throw PhotoSourceError.unavailable(
                    reason: .notSupported(provider: "Spoilt", operation: "places"))
            }
        },
        PlantedFault("impossible searches find nothing") { source in
            source.page = { area, number, perPage in
                do {
                    return try await base.photos(in: area, page: number, perPage: perPage)
                } catch PhotoSourceError.invalidRequest {
                    return PhotoPage(page: max(1, number), usablePages: 0, photos: [])
                }
            }
        },
        PlantedFault("impossible searches are the service's errors") { source in
            source.page = { area, number, perPage in
                do {
                    return try await base.photos(in: area, page: number, perPage: perPage)
                } catch PhotoSourceError.invalidRequest {
                    throw PhotoSourceError.http(status: 400, retryAfter: nil)
                }
            }
        },
        PlantedFault("a page of no photos is one of one") { source in
            source.page = { area, number, perPage in
                try await base.photos(in: area, page: number, perPage: max(1, perPage))
            }
        },
        PlantedFault("page 0 is the first") { source in
            source.page = { area, number, perPage in
                try await base.photos(in: area, page: max(1, number), perPage: perPage)
            }
        },
        PlantedFault("no radius is a small one") { source in
            source.page = { area, number, perPage in
                guard case .circle(let center, 0) = area else {
                    return try await base.photos(in: area, page: number, perPage: perPage)
                }
                return try await base.photos(
                    in: .circle(center: center, kilometers: 0.1), page: number, perPage: perPage)
            }
        },
        PlantedFault("radii beyond the source's caps are accepted") { source in
            source.caps.radii = 1...10
        },
        PlantedFault("boxes beyond the source's caps are accepted") { source in
            source.caps.boxAreas = 1...1_000
        },
        PlantedFault("a photo that does not exist is a malformed reply") { source in
            source.detailsAnswer = { identifier in
                do {
                    return try await base.details(ofPhoto: identifier)
                } catch PhotoSourceError.gone {
                    throw PhotoSourceError.malformedReply(what: "no photo", position: nil)
                }
            }
        },
        PlantedFault("a photo that does not exist is described") { source in
            source.detailsAnswer = { identifier in
                (try? await base.details(ofPhoto: identifier))
                    ?? PhotoRecord(identifier: identifier)
            }
        },
        PlantedFault("an impossible point has no name") { source in
            source.names = { $0.isValid ? try await base.placeNames(at: $0) : nil }
        },
    ]
}

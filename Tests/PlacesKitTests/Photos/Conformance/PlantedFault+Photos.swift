import Foundation
import PlacesKit

extension PlantedFault {
    static let photos: [PlantedFault] = [
        PlantedFault("details are those of the newest photo") { source in
            source.detailsAnswer = { identifier in
                _ = try await base.details(ofPhoto: identifier)
                return try await base.recentPhotos(limit: 1)[0]
            }
        },
        PlantedFault("details have another date") { source in
            source.detailsAnswer = { identifier in
                var photo = try await base.details(ofPhoto: identifier)
                photo.uploaded?.addTimeInterval(-3_600)
                return photo
            }
        },
        PlantedFault("details have another point") { source in
            source.detailsAnswer = { identifier in
                var photo = try await base.details(ofPhoto: identifier)
                photo.coordinate = photo.coordinate.map {
                    Coordinate(latitude: $0.latitude, longitude: -$0.longitude)
                }
                return photo
            }
        },
        PlantedFault("names are empty instead of nil") { $0.names = { _ in PlaceNames() } },
        PlantedFault("all points have the same names") { source in
            source.names = { point in
                _ = try await base.placeNames(at: point)
                return PlaceNames(locality: "Paris", country: "France")
            }
        },
        PlantedFault("the names of a photo without place are an error") { source in
            source.namesOfPhoto = { photo in
                guard photo.coordinate != nil else {
                    throw PhotoSourceError.gone(what: "The place")
                }
                return try await base.placeNames(of: photo)
            }
        },
        PlantedFault("sizes are those of another photo") { source in
            source.sizes = { _ in base.photo(at: 7)?.variants ?? [] }
        },
        PlantedFault("pictures are empty") { $0.picture = { _ in Data() } },
        PlantedFault("pictures are pages that ask to sign in") { source in
            source.picture = { _ in Data("<html>Sign in</html>".utf8) }
        },
        PlantedFault("only the smallest size answers") { source in
            source.picture = { variant in
                guard variant.name == base.photo(at: 0)?.variants.first?.name else {
                    throw PhotoSourceError.gone(what: "The picture")
                }
                return try await base.data(for: variant)
            }
        },
        PlantedFault("only the first photo's pictures answer") { source in
            let first = Answers()
            source.picture = { variant in
                let photo = variant.url.deletingLastPathComponent()
                guard first.remember(photo, for: "photo") == photo else {
                    throw PhotoSourceError.http(status: 404, retryAfter: nil)
                }
                return try await base.data(for: variant)
            }
        },
    ]
}

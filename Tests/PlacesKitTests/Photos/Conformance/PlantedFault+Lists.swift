import Foundation
import PlacesKit

extension PlantedFault {
    static let lists: [PlantedFault] = [
        PlantedFault("there are no places") { $0.placesAnswer = { [] } },
        inPlaces("a place stands twice") { $0 + $0.prefix(1) },
        inPlaces("a place has no identifier") { $0 + [PlaceRecord(identifier: "", name: "Rome")] },
        inPlaces("a place lies beyond the pole") { places in
            places.map {
                PlaceRecord(
                    identifier: $0.identifier, name: $0.name,
                    coordinate: Coordinate(latitude: 148, longitude: 2))
            }
        },
        inPlaces("a place has less than no photos") { places in
            places.map {
                PlaceRecord(identifier: $0.identifier, name: $0.name, photoCount: -1)
            }
        },
        inPlaces("places come in another order each time") { $0.shuffled() },
        inPlaces("places have other identifiers each time") { places in
            places.map { PlaceRecord(identifier: UUID().uuidString, name: $0.name) }
        },
        inPlaces("the last place has no photos") {
            $0 + [PlaceRecord(identifier: "empty", name: "Nowhere")]
        },
        PlantedFault("all places have the same photos") { source in
            source.placePhotos = { _, limit in
                Array(try await base.recentPhotos(limit: 100).prefix(max(0, limit)))
            }
        },
        PlantedFault("a place that was never named has photos") { source in
            source.placePhotos = { place, limit in
                let photos = try await base.photos(in: place, limit: limit)
                return photos.isEmpty ? try await base.recentPhotos(limit: limit) : photos
            }
        },
        PlantedFault("the photos of places ignore the limit") { source in
            source.placePhotos = { place, _ in try await base.photos(in: place, limit: 60) }
        },
        PlantedFault("the long lists of places are short") { source in
            source.placePhotos = { place, limit in
                try await base.photos(in: place, limit: limit > 60 ? 3 : limit)
            }
        },
        PlantedFault("a recent photo without a place is from 0, 0") { source in
            source.recent = { limit in
                var photos = try await base.recentPhotos(limit: limit)
                for index in photos.indices.dropFirst(3).prefix(1) {
                    photos[index].coordinate = Coordinate(latitude: 0, longitude: 0)
                }
                return photos
            }
        },
        PlantedFault("the photos of places are oldest first") { source in
            source.placePhotos = { place, limit in
                try await base.photos(in: place, limit: limit).reversed()
            }
        },
        PlantedFault("a limit leaves the newest out") { source in
            source.recent = { limit in
                try await base.recentPhotos(limit: 50).suffix(max(0, limit))
            }
        },
        PlantedFault("recent photos ignore the limit") { source in
            source.recent = { _ in try await base.recentPhotos(limit: 30) }
        },
        PlantedFault("a limit of 0 is none") { source in
            source.recent = { try await base.recentPhotos(limit: $0 == 0 ? 30 : $0) }
        },
        PlantedFault("a negative limit is its opposite") { source in
            source.recent = { try await base.recentPhotos(limit: abs($0)) }
        },
        PlantedFault("a limit is one too many") { source in
            source.recent = { try await base.recentPhotos(limit: $0 + 1) }
        },
        PlantedFault("recent photos are oldest first") { source in
            source.recent = { try await base.recentPhotos(limit: $0).reversed() }
        },
        PlantedFault("recent photos do not say where") { source in
            source.recent = { limit in
                try await base.recentPhotos(limit: limit).map { photo in
                    var photo = photo
                    photo.coordinate = nil
                    return photo
                }
            }
        },
        PlantedFault("a recent photo stands twice") { source in
            source.recent = { limit in
                let photos = try await base.recentPhotos(limit: limit)
                return Array((photos.prefix(1) + photos).prefix(max(0, limit)))
            }
        },
    ]

    private static func inPlaces(
        _ name: String, _ change: @escaping @Sendable ([PlaceRecord]) -> [PlaceRecord]
    ) -> PlantedFault {
        PlantedFault(name) { source in
            source.placesAnswer = { change(try await base.places()) }
        }
    }
}

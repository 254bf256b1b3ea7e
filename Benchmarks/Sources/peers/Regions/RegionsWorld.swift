import Foundation
import PlacesKit

/// A photo as a source tells of it.
typealias RecentPhoto = PlacesKit.PhotoRecord

/// Photos of the regions of a world that is large and crowded in some places, by a seed.
struct RegionsWorld {
    static let photographers = 100_000
    static let regions = 5_000
    static let places = regions * placesOfRegion
    private static let placesOfRegion = 4

    private var random = SplitMix64(seed: 2026)
    private var count = 0

    /// The next photos, newest first.
    mutating func next(_ count: Int) -> [RecentPhoto] {
        (0..<count).map { _ in photo() }.reversed()
    }

    private mutating func photo() -> RecentPhoto {
        count += 1
        // The first photos are one of each place, so that all are known; then few regions have many.
        let skewed = random.fraction() * random.fraction()
        let place = count <= Self.places ? count - 1 : Int(skewed * Double(Self.places))
        let photographer = random.index(below: Self.photographers)
        let number = random.next()
        let address = "https://photos.example.com/\(number % 64)/\(number)"
        return RecentPhoto(
            identifier: "\(number)", title: "Photo \(count) of the old harbour",
            caption: "Taken on the way back, before the rain began.",
            owner: PhotoOwner(identifier: "p\(photographer)", name: "Photographer \(photographer)"),
            uploaded: Date(timeIntervalSince1970: 1_700_000_000 + Double(count) * 10),
            coordinate: Coordinate(
                latitude: Double(place % 170) - 85, longitude: Double(place % 360) - 180),
            placeIdentifier: "place \(place)",
            placeNames: PlaceNames(
                locality: "Town \(place)", region: Self.region(ofPlace: place), country: "Country"),
            pageURL: URL(string: "https://photos.example.com/pages/\(number)"),
            variants: [("s", 240, 180), ("l", 1_024, 768)].compactMap { size, width, height in
                URL(string: "\(address)_\(size).jpg").map {
                    PhotoVariant(name: size, url: $0, width: width, height: height)
                }
            })
    }

    private static func region(ofPlace place: Int) -> String {
        // As many digits in each, so that all orders of names are the same.
        "Region \(10_000 + place / placesOfRegion)"
    }
}

/// A region of the list, with the number of its photographers.
struct RankedRegion: Equatable {
    var name: String
    var photographers: Int
}

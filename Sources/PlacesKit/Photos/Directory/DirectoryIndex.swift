import Foundation
import PlacesBase

/// The photos and places of a folder, after reading it.
struct DirectoryIndex: Sendable {
    /// What a file was when the scanner read it.
    struct KnownFile: Sendable {
        let version: FileVersion
        let isPhoto: Bool
    }

    /// All photos, newest first.
    let photos: [DirectoryPhoto]
    let places: [PlaceRecord]
    let scan: DirectoryPhotoSource.Scan
    /// The files to read again only after they change, by the identifiers of their paths.
    let known: [String: KnownFile]
    private var numbers: [String: Int] = [:]
    private var owners: [URL: Int] = [:]
    private var members: [String: [Int]] = [:]

    /// Sorts the photos and builds their places.
    init(
        _ photos: [DirectoryPhoto], skipped: [DirectoryPhotoSource.Scan.SkippedFile],
        known: [String: KnownFile]
    ) {
        self.known = known
        let photos = photos.sorted { one, other in
            switch (one.moment, other.moment) {
            case (let first?, let second?) where first != second: first > second
            case (.some, nil): true
            case (nil, .some): false
            default: one.record.identifier < other.record.identifier
            }
        }
        self.photos = photos
        scan = DirectoryPhotoSource.Scan(
            photoCount: photos.count,
            skipped: skipped.sorted { ($0.path, $0.reason) < ($1.path, $1.reason) })
        for (number, photo) in photos.enumerated() {
            numbers[photo.record.identifier] = number
            for variant in photo.record.variants {
                owners[DirectoryPhoto.unversioned(variant.url)] = number
            }
            if let place = photo.record.placeIdentifier {
                members[place, default: []].append(number)
            }
        }
        places = members.map { identifier, members in
            let coordinates = members.compactMap { photos[$0].record.coordinate }
            return PlaceRecord(
                identifier: identifier,
                name: photos[members[0]].record.placeNames?.fullName
                    ?? coordinates.first.map(Self.cellName) ?? "",
                coordinate: Self.middle(of: coordinates), photoCount: members.count)
        }
        .sorted { ($1.photoCount ?? 0, $0.identifier) < ($0.photoCount ?? 0, $1.identifier) }
    }

    /// The newest photos of a place.
    func photos(inPlace identifier: String) -> some Collection<PhotoRecord> {
        (members[identifier] ?? []).lazy.map { photos[$0].record }
    }

    func photo(_ identifier: String) -> DirectoryPhoto? {
        numbers[identifier].map { photos[$0] }
    }

    /// The photo of a variant, if this folder returned it, and the picture in the photo's file.
    ///
    /// The file may have changed since.
    func photo(
        of variant: PhotoVariant
    ) -> (photo: DirectoryPhoto, picture: DirectoryPhoto.Picture)? {
        owners[DirectoryPhoto.unversioned(variant.url)].map { number in
            let picture = variant.url.fragment().flatMap(DirectoryPhoto.Picture.init)
            return (photos[number], picture ?? .original)
        }
    }

    /// The name of a grid cell, "48.8° N 2.3° E", by its corner nearest to 0° N 0° E.
    private static func cellName(_ coordinate: Coordinate) -> String {
        func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
            let tenths = Int((abs(value) * 10).rounded(.down))
            return "\(tenths / 10).\(tenths % 10)° \(value < 0 ? negative : positive)"
        }
        return degrees(coordinate.latitude, "N", "S") + " "
            + degrees(coordinate.longitude, "E", "W")
    }

    /// The mean of some points, unless they lie on both sides of the antimeridian.
    private static func middle(of points: [Coordinate]) -> Coordinate? {
        guard let first = points.first else { return nil }
        let longitudes = points.map(\.longitude)
        guard let west = longitudes.min(), let east = longitudes.max(), east - west < 180 else {
            return first
        }
        let count = Double(points.count)
        return Coordinate(
            latitude: points.reduce(0) { $0 + $1.latitude } / count,
            longitude: longitudes.reduce(0, +) / count)
    }
}

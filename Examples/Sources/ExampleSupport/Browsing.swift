public import ArgumentParser
import Foundation
public import PlacesKit

/// In which order places are listed.
public enum PlaceOrder: String, ExpressibleByArgument, CaseIterable, Sendable {
    /// In sections by country.
    case country
    /// In one alphabet.
    case name
}

/// What the source has, of which nothing is kept; places and photos have the numbers that commands take.
@MainActor extension PlacesLibrary {
    /// The places of the source.
    public func browsePlacesVisibly() async throws -> [PlaceRecord] {
        try await Spinner.run("Loading places from \(source.name)") { try await browsePlaces() }
    }

    /// The newest photos of a place.
    public func browsePhotosVisibly(
        of place: PlaceRecord, limit: Int = 50
    ) async throws -> [PhotoRecord] {
        try await Spinner.run("Loading photos of \(place.title)") {
            try await browsePhotos(of: place, limit: limit)
        }
    }

    /// The place that a person means.
    public func browsePlace(_ text: String) async throws -> PlaceRecord {
        try Choosing.element(
            text, of: try await browsePlacesVisibly(), called: "place", name: \.name)
    }

    /// Writes the places of the source.
    public func listPlaces(
        search: String, by order: PlaceOrder, _ options: ListingOptions
    ) async throws {
        var found = try await browsePlacesVisibly().enumerated()
            .filter { $0.element.name.has(search) }
        if order == .name { found.sort { $0.element.isBefore($1.element) } }
        try await show(
            found, titled: "Places", search: search, options, as: { PlaceOutput($0) },
            row: { place in
                var row = Row(place)
                if order == .name { (row.title, row.detail, row.section) = (place.name, "", "") }
                return row
            })
    }

    /// Writes the newest photos of a place.
    public func listPhotos(
        of place: String, limit: Int = 50, search: String, _ options: ListingOptions
    ) async throws {
        let place = try await browsePlace(place)
        let photos = try await browsePhotosVisibly(of: place, limit: limit)
        try await show(
            photos.enumerated().filter { $0.element.has(search) }, titled: place.name,
            search: search, options, as: { PhotoOutput($0) }, row: { Row($0, in: self) })
    }

    /// Views a photo of a place of the source, which keeps both.
    public func viewVisibly(
        _ photo: String, of place: String, limit: Int = 50
    ) async throws -> Photo {
        let place = try await browsePlace(place)
        let record = try Choosing.element(
            photo, of: try await browsePhotosVisibly(of: place, limit: limit), called: "photo",
            name: \.displayTitle)
        return try view(record, in: place)
    }
}

extension PlaceRecord {
    /// Whether it comes first in a list of one alphabet.
    public func isBefore(_ other: PlaceRecord) -> Bool {
        switch name.localizedStandardCompare(other.name) {
        case .orderedAscending: true
        case .orderedSame: identifier < other.identifier
        case .orderedDescending: false
        }
    }
}

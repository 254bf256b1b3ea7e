import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// The pins that lie in an area of the map, live, in the order in which they were dropped.
    ///
    /// Only those are read that lie there.
    ///
    /// - Throws: `ContextError`, or `PredicateFormatError`.
    public func pins(in area: CoordinateArea) throws -> ListController<Pin> {
        try pinList(
            FetchRequest(
                where: .located(in: area, latitude: \.latitude, longitude: \.longitude),
                sortBy: [SortDescriptor(\.created)]),
            empty: "No pins here.")
    }

    /// The photos that were taken in an area of the map, live, newest first.
    ///
    /// Only those are read that lie there.
    ///
    /// - Throws: `ContextError`, or `PredicateFormatError`.
    public func photos(in area: CoordinateArea) throws -> ListController<Photo> {
        try photoList(
            FetchRequest(
                where: .located(in: area, latitude: \.latitude, longitude: \.longitude),
                sortBy: Self.newestFirst)
        ).saying("No photos here.")
    }
}

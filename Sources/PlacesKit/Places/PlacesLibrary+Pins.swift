import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// Drops a pin at a point of the map.
    ///
    /// Its album is empty until you call ``loadAlbum(of:)``.
    ///
    /// - Parameters:
    ///   - coordinate: The point.
    ///   - name: The name that the user gives it; that of its place by default.
    ///   - place: The name of its place; its degrees by default.
    /// - Returns: The pin.
    /// - Throws: `PlacesError.noPoint`, `ContextError`, or `DocumentError`.
    @discardableResult
    public func dropPin(
        at coordinate: Coordinate, named name: String = "", in place: String = ""
    ) throws -> Pin {
        try beginChange()
        guard coordinate.isValid else { throw PlacesError.noPoint(coordinate) }
        let created = try moment(after: Self.latestPin) { $0.created }
        return try step("Drop pin") {
            let pin = try context.insert(Pin.self)
            pin.created = created
            put(pin, at: coordinate, place)
            if !name.isEmpty { pin.name = name }
            return pin
        }
    }

    /// Moves a pin to another point; its album will then have the photos of that point.
    ///
    /// The photos of the old point are removed. If they are being loaded, those that still arrive
    /// are dropped. A name that the user gave stays.
    ///
    /// - Parameters:
    ///   - pin: The pin.
    ///   - coordinate: The point.
    ///   - place: The name of the new place; its degrees by default.
    /// - Throws: `PlacesError.noPoint`, `PlacesError.objectOfAnotherView`, `ContextError`, or
    ///   `DocumentError`.
    public func move(_ pin: Pin, to coordinate: Coordinate, in place: String = "") throws {
        try beginChange(of: pin)
        guard coordinate.isValid else { throw PlacesError.noPoint(coordinate) }
        guard coordinate != pin.coordinate, !pin.isDeleted else { return }
        try step("Move “\(pin.name)”") {
            pin.removeAlbum()
            put(pin, at: coordinate, place)
        }
        try deleteUnusedTags()
    }

    /// Deletes a pin, with its album.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, `ContextError`, or `DocumentError`.
    public func delete(_ pin: Pin) throws {
        try beginChange(of: pin)
        try step("Delete “\(pin.name)”") { context.delete(pin) }
        try deleteUnusedTags()
    }

    /// All pins, live, in the order in which they were dropped.
    ///
    /// - Throws: `ContextError`.
    public func pins() throws -> ListController<Pin> {
        try pinList(
            FetchRequest(sortBy: [SortDescriptor(\.created)]), empty: "No pins yet; drop one.")
    }

    /// The pin that was dropped last.
    private static let latestPin = FetchRequest<Pin>(
        sortBy: [SortDescriptor(\.created, order: .reverse)], limit: 1
    ) { now in
        let end = now + clockError
        return #Predicate { $0.created < end }
    }

    func pinList(_ request: FetchRequest<Pin>, empty message: String) throws -> ListController<Pin>
    {
        try ListController<Pin>(
            request, title: \.name, subtitle: \.subtitle, searching: [\.name], in: context
        ).saying(message).deleting { try self.delete($0) }
    }

    private func put(_ pin: Pin, at coordinate: Coordinate, _ place: String) {
        let former = pin.placeName
        pin.placeName = place.isEmpty ? Self.name(of: coordinate) : place
        if pin.name == former { pin.name = pin.placeName }
        pin.latitude = coordinate.latitude
        pin.longitude = coordinate.longitude
        pin.page = 0
        pin.usablePages = nil
        pin.wantedPage = 1
    }

    private static func name(of coordinate: Coordinate) -> String {
        "\(coordinate.latitude.decimalText), \(coordinate.longitude.decimalText)"
    }
}

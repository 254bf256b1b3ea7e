import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// The object for what the library stores besides its lists; it is inserted if it is missing.
    func settings() throws(ContextError) -> LibrarySettings {
        try context.findOrInsert(LibrarySettings.self, \.key, LibrarySettings.key)
    }

    /// The part of the map that was last visible; `nil` if the document has none, or none that can be.
    ///
    /// - Throws: `ContextError`.
    public func mapRegion() throws -> MapRegion? {
        guard let settings = try context.find(LibrarySettings.self, \.key, LibrarySettings.key),
            let latitude = settings.mapLatitude, let longitude = settings.mapLongitude
        else {
            return nil
        }
        let region = MapRegion(
            center: Coordinate(latitude: latitude, longitude: longitude),
            latitudeDelta: settings.mapHeight, longitudeDelta: settings.mapWidth)
        return region.center.isValid && region.hasExtent ? region : nil
    }

    /// Stores the visible part of the map; that is no step that an undo takes back.
    ///
    /// - Throws: `PlacesError.noPoint`, `PlacesError.noExtent`, `ContextError`, or `DocumentError`.
    public func setMapRegion(_ region: MapRegion) throws {
        try document.checkIsWritable()
        guard region.center.isValid else { throw PlacesError.noPoint(region.center) }
        guard region.hasExtent else { throw PlacesError.noExtent(region) }
        try withoutUndo {
            let settings = try settings()
            settings.mapLatitude = region.center.latitude
            settings.mapLongitude = region.center.longitude
            settings.mapHeight = region.latitudeDelta
            settings.mapWidth = region.longitudeDelta
            try context.save()
        }
    }
}

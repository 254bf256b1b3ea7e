public import Foundation
import PlacesGraph
import PlacesPhotos

/// A point of the map that has an album of photos taken around it.
public final class Pin: ManagedObject {
    /// Degrees north of the equator.
    @Attribute public internal(set) var latitude = 0.0
    /// Degrees east of Greenwich.
    @Attribute public internal(set) var longitude = 0.0
    /// When the pin was dropped.
    @Attribute(.indexed) public internal(set) var created = Date.distantPast
    /// The name that the user gave it.
    @Attribute public var name = ""
    /// The name that PlacesKit gives it after its place, or its degrees.
    @Attribute package internal(set) var placeName = ""
    /// The page of the source's photos that the album shows; 0 before the first one, and after an undo that could not
    /// bring all its photos back.
    @Attribute public internal(set) var page = 0
    /// How many pages the source can return; `nil` before it was asked.
    @Attribute public internal(set) var usablePages: Int?
    /// The page that the album is to show next; `nil` if it shows the page that was asked for.
    @Attribute package internal(set) var wantedPage: Int?
    /// The photos of the album; when the pin is deleted, so are those that nothing else keeps.
    @Relationship public internal(set) var photos: ObjectSet<Photo>

    /// How many pictures have not been downloaded yet; derived, as lists follow it.
    @Derived(count: \Pin.photos, where: \Photo.lacksPicture) package var missingCount: Int
    /// How many pictures could not be fetched.
    @Derived(count: \Pin.photos, where: \Photo.hasFailed) package var failedCount: Int

    /// The index by which the pins of a part of the map are found.
    public override class var constraints: [EntityConstraint] {
        [.spatialIndex(latitude: \Pin.latitude, longitude: \Pin.longitude)]
    }

    /// Deletes the photos of the album that nothing else keeps.
    public override func prepareForDeletion() {
        removeAlbum()
    }

    /// The position of the pin.
    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    /// The state of the album.
    public var albumState: AlbumState {
        // An album that is to be replaced shows its photos until the search for others succeeds.
        guard wantedPage == nil || page > 0 && !photos.isEmpty else { return .notSearched }
        guard usablePages != 0 else { return .empty }
        // What failed may be fetched by a second attempt, and is not here in any case.
        if missingCount > 0 { return .downloading(missing: missingCount + failedCount) }
        return failedCount > 0 ? .incomplete(failed: failedCount) : .ready
    }

    /// The state of the album, in words.
    public var subtitle: String { albumState.words(of: photos.count) }

    /// Removes a photo from the album, and deletes the photo unless something else keeps it.
    func remove(_ photo: Photo) {
        guard photo.pins.contains(self) else { return }
        photo.pins.remove(self)
        photo.endAlbums()
    }

    /// Removes all photos from the album.
    func removeAlbum() {
        for photo in Array(photos) { remove(photo) }
    }
}

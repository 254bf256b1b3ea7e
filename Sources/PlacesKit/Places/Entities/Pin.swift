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
    /// What the user calls it.
    @Attribute public var name = ""
    /// What its place is called, or its degrees: the name that follows it to other places.
    @Attribute package internal(set) var placeName = ""
    /// The page of the source's photos that the album shows; 0 before the first.
    @Attribute public internal(set) var page = 0
    /// How many pages the source can serve; `nil` before it was asked.
    @Attribute public internal(set) var usablePages: Int?
    /// The page that is to become the album; `nil` when the album is what was asked for.
    @Attribute package internal(set) var wantedPage: Int?
    /// The photos of the album; those that belong to no other album go with the pin.
    @Relationship public internal(set) var photos: ObjectSet<Photo>

    /// Deletes what nobody else keeps of the album.
    public override func prepareForDeletion() {
        removeAlbum()
    }
}

extension Pin {
    /// Where the pin is.
    public var coordinate: Coordinate { Coordinate(latitude: latitude, longitude: longitude) }

    /// How far the album is.
    public var albumState: AlbumState {
        guard wantedPage == nil else { return .notSearched }
        guard usablePages != 0 else { return .empty }
        var (missing, failed) = (0, 0)
        for photo in photos {
            if photo.pictureState.isMissing { missing += 1 }
            if photo.pictureState == .failed { failed += 1 }
        }
        if missing > 0 { return .downloading(missing: missing) }
        return failed > 0 ? .incomplete(failed: failed) : .ready
    }

    /// How far the album is, in words.
    public var subtitle: String { albumState.words(of: photos.count) }

    /// Takes a photo of the album out of it, and deletes it unless somebody else keeps it.
    func remove(_ photo: Photo) {
        guard photo.pins.contains(self) else { return }
        photo.pins.remove(self)
        guard photo.pins.isEmpty else { return }
        if photo.isKeptBesidesAlbums {
            photo.picture = nil
            photo.pictureState = .unwanted
        } else {
            photo.context?.delete(photo)
        }
    }

    /// Takes all photos out of the album.
    func removeAlbum() {
        for photo in Array(photos) { remove(photo) }
    }
}

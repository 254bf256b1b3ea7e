import Foundation
import PlacesGraph
import PlacesPhotos

/// What an undo or a redo does with albums, whatever others have done with them since.
struct TakenBackAlbums {
    /// The photos that are to be in the album of a pin again, by their identifiers.
    private(set) var photos: [ObjectID: Set<String>] = [:]
    /// The pins to whose albums a photo is to come back that is gone for good, as nobody else had it.
    private(set) var incomplete: Set<ObjectID> = []
    /// The pins that are at another point than before.
    private(set) var moved: Set<ObjectID> = []

    /// Looks at what was just changed, and not saved yet.
    ///
    /// - Parameters:
    ///   - links: The photos of albums that come or go.
    ///   - library: The view in which that was done.
    ///   - former: What was saved before.
    init(
        _ links: [ObjectLink: Bool], in library: PlacesLibrary, before former: ManagedObjectContext
    ) {
        let context = library.context
        for (link, isComing) in links where isComing {
            let photo = context.object(with: link.member) as? Photo
            if let identifier = photo?.uniqueID ?? library.work.deletedPhotos[link.member] {
                photos[link.owner, default: []].insert(identifier)
            } else {
                incomplete.insert(link.owner)
            }
        }
        for case let pin as Pin in context.updatedObjects {
            guard let before = former.object(with: pin.objectID) as? Pin,
                before.coordinate != pin.coordinate
            else { continue }
            moved.insert(pin.objectID)
            // The album was searched for since, at the point that the pin has left.
            if before.wantedPage == nil, pin.wantedPage == nil { incomplete.insert(pin.objectID) }
        }
    }
}

extension PlacesLibrary {
    /// Lets albums and photos agree after an undo or a redo, as they do after everything else.
    ///
    /// - A photo that is in no album has nothing of one, and is gone unless something else keeps it.
    /// - A photo that is in an album has its picture, or the album waits for it.
    /// - An album has photos of its pin's point only.
    /// - An album has all photos that were to come back to it, but for those that a person deleted. If others ended one
    ///   of which only the view's undo still knew, the album is to be searched for again.
    func settle(_ albums: TakenBackAlbums) throws {
        try endAlbumsAgain()
        let searched = try albums.incomplete.union(pinsLacking(albums.photos))
        guard
            try !searched.isEmpty || !albums.moved.isEmpty
                || context.count(Self.photosAtOdds) > 0
        else { return }
        try besides { context, _ in
            for photo in Array(try context.fetch(Self.photosAtOdds)) {
                photo.pictureState = photo.picture == nil ? .waiting : .ready
            }
            for case let pin as Pin in searched.union(albums.moved).compactMap(context.object) {
                var isSearched = searched.contains(pin.objectID)
                let isMoved = albums.moved.contains(pin.objectID)
                if isMoved {
                    let own = albums.photos[pin.objectID] ?? []
                    for photo in Array(pin.photos) where !own.contains(photo.uniqueID) {
                        pin.remove(photo)
                        isSearched = true
                    }
                }
                guard isSearched else { continue }
                // Of another point it is not known which page there was.
                pin.wantedPage = isMoved ? 1 : pin.wantedPage ?? max(1, pin.page)
                pin.page = 0
            }
        }
    }

    /// The pins to whose albums some photos, which no person deleted, did not come back.
    private func pinsLacking(_ photos: [ObjectID: Set<String>]) throws -> Set<ObjectID> {
        var lacking: Set<ObjectID> = []
        for (identifier, photos) in photos {
            guard let pin = context.object(with: identifier) as? Pin else { continue }
            let missing = Array(photos.subtracting(pin.photos.map(\.uniqueID)))
            let areDeleted = try context.contains(DeletedPhoto.self, \.uniqueID, in: missing)
            if areDeleted.contains(false) { lacking.insert(identifier) }
        }
        return lacking
    }

    /// The photos of albums whose state and picture do not belong together.
    private static var photosAtOdds: FetchRequest<Photo> {
        let (unwanted, ready) = (PictureState.unwanted, PictureState.ready)
        return FetchRequest(
            predicate: #Predicate {
                !$0.pins.isEmpty
                    && ($0.pictureState == unwanted
                        || $0.pictureState == ready && $0.picture == nil
                        || $0.pictureState != ready && $0.picture != nil)
            })
    }
}

import PlacesKit

/// A store of photos that are at two places, turn by turn, with live handles of some.
final class GrowthStore {
    let store: GraphStore
    let context: ManagedObjectContext
    let places: [Place]
    /// A thousand photos of the first place, one after the other.
    let photos: [Photo]

    init(photos count: Int) throws {
        store = try GraphStore(model: [Photo.self, Place.self])
        context = ManagedObjectContext(store)
        places = (0..<2).map { [context] number in
            let place = Place(context: context)
            place.name = "Place \(number)"
            return place
        }
        var photos: [Photo] = []
        for number in 0..<count {
            let photo = Photo(context: context)
            photo.uniqueID = "\(number)"
            photo.title = "The photo of number \(number)"
            photo.takenAt = places[number % 2]
            if number.isMultiple(of: 2), photos.count < 1_000 { photos.append(photo) }
        }
        self.photos = photos
        try context.save()
    }

    func relate(_ operations: Int) -> Trial {
        { [self] round in
            let destination = places[(round.number + 1) % 2]
            try round.measure {
                for photo in photos.prefix(operations) { photo.takenAt = destination }
                try context.save()
            }
            return Checksum()
        }
    }

    /// The saving between is not timed.
    func undo(_ operations: Int) throws -> Trial {
        context.isUndoEnabled = true
        return { [self] round in
            for photo in photos.prefix(operations) { photo.takenAt = places[1] }
            try context.save()
            round.measure { context.undo() }
            guard photos[0].takenAt === places[0] else { throw UndoFailure() }
            try context.save()
            return Checksum()
        }
    }

    func saveOne(_ operations: Int) -> Trial {
        { [self] round in
            try round.measure {
                for photo in photos.prefix(operations) {
                    photo.views += 1
                    try context.save()
                }
            }
            return Checksum()
        }
    }

    /// Changes photos one by one while changes of all others are pending.
    func process(_ operations: Int) throws -> Trial {
        for photo in try context.fetch(Photo.self) { photo.views -= 1 }
        context.processPendingChanges()
        return { [self] round in
            round.measure {
                for photo in photos.prefix(operations) {
                    photo.views += 1
                    context.processPendingChanges()
                }
            }
            return Checksum()
        }
    }

    func snapshot(_ operations: Int) -> Trial {
        { [self] round in
            var snapshots: [GraphSnapshot] = []
            snapshots.reserveCapacity(operations)
            round.measure {
                for _ in 0..<operations { snapshots.append(store.snapshot()) }
            }
            return Checksum()
        }
    }

    func firstWrite(_ operations: Int) -> Trial {
        { [self] round in
            for photo in photos.prefix(operations) {
                let snapshot = store.snapshot()
                let title = "Another title that is not a short one, of round \(round.number)"
                round.measure { photo.title = title }
                try withExtendedLifetime(snapshot) { try context.save() }
            }
            return Checksum()
        }
    }
}

/// A change that should have been taken back stands.
struct UndoFailure: Error {}

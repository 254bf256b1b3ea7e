import PlacesKit

extension PlacesKitContestant {
    /// Makes photos favorites, and the next round no favorites again.
    static func updatingDerived(in world: World) throws -> Trial {
        let store = try GraphStore(model: [CountedPhoto.self, CountedPlace.self])
        let context = ManagedObjectContext(store)
        let places = world.places.map { sample in
            let place = CountedPlace(context: context)
            place.name = sample.name
            return place
        }
        try context.insert(CountedPhoto.self, from: world.photos) { photo, sample in
            photo.uniqueID = sample.uniqueID
            photo.takenAt = places[sample.place]
        }
        try context.save()
        let all = try context.fetch(CountedPhoto.self)
        let photos = world.movedPhotos.map { all[$0] }
        return { round in
            try round.measure {
                for photo in photos { photo.isFavorite.toggle() }
                try context.save()
            }
            var checksum = Checksum()
            for place in places { checksum.append(place.favoriteCount) }
            return checksum
        }
    }
}

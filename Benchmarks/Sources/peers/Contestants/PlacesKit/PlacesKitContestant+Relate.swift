import PlacesKit

extension PlacesKitContestant {
    /// Moves photos from one of two places to the other, each round to and fro.
    static func relating(in world: World) throws -> Trial {
        let world = world.withTwoPlaces()
        let store = try makeEmpty()
        try insert(world, into: store)
        let context = ManagedObjectContext(store)
        let places = Array(try context.fetch(Place.self))
        let all = try context.fetch(Photo.self)
        let photos = world.movedPhotos.map { all[$0] }
        return { round in
            let destination = places[(round.number + 1) % 2]
            try round.measure {
                for photo in photos { photo.takenAt = destination }
                try context.save()
            }
            var checksum = Checksum()
            for place in places { checksum.append(place.photos.count) }
            return checksum
        }
    }
}

import GRDB

extension GRDBContestant {
    /// Moves photos from one of two places to the other, each round to and fro.
    static func relating(in world: World) throws -> Trial {
        let world = world.withTwoPlaces()
        let queue = try makeEmpty()
        try insert(world, into: queue)
        var photos = try queue.read { database in
            try world.movedPhotos.compactMap { try PhotoRecord.fetchOne(database, key: $0 + 1) }
        }
        return { round in
            let destination = Int64((round.number + 1) % 2 + 1)
            try round.measure {
                try queue.write { database in
                    for index in photos.indices {
                        try photos[index].updateChanges(database) { $0.placeID = destination }
                    }
                }
            }
            return try queue.read { database in
                var checksum = Checksum()
                for place in 1...2 {
                    let photos = PhotoRecord.filter { $0.placeID == place }
                    checksum.append(try photos.fetchCount(database))
                }
                return checksum
            }
        }
    }
}

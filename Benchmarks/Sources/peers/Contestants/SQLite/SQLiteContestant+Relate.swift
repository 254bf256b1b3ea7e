extension SQLiteContestant {
    /// Moves photos from one of two places to the other, each round to and fro.
    static func relating(in world: World) throws -> Trial {
        let world = world.withTwoPlaces()
        let connection = try makeEmpty()
        try insert(world, into: connection)
        let move = try connection.statement("UPDATE photo SET placeID = ? WHERE id = ?")
        let count = try connection.statement("SELECT COUNT(*) FROM photo WHERE placeID = ?")
        let photos = world.movedPhotos.map { $0 + 1 }
        return { round in
            let destination = (round.number + 1) % 2 + 1
            try round.measure {
                try connection.execute("BEGIN IMMEDIATE")
                for photo in photos {
                    move.bind(destination, at: 1)
                    move.bind(photo, at: 2)
                    try move.run()
                }
                try connection.execute("COMMIT")
            }
            var checksum = Checksum()
            for place in 1...2 {
                count.bind(place, at: 1)
                if try count.step() { checksum.append(count.integer(0)) }
                count.reset()
            }
            return checksum
        }
    }
}

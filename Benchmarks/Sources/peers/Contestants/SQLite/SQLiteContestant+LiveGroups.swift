extension SQLiteContestant {
    /// Gives photos another photographer, and the next round their own again; after each the ranking of
    /// places is asked for again, since nothing tells what became of it.
    static func askingTopPlaces(of world: World) throws -> Trial {
        let connection = try makeEmpty()
        try insert(world, into: connection)
        let photos = world.creditedPhotos
        let names = photos.map { world.photos[$0].photographer }
        return { round in
            var checksum = Checksum()
            let credit = try connection.statement("UPDATE photo SET photographer = ? WHERE id = ?")
            let ranking = try connection.statement(Schema.topPlaces)
            for (photo, name) in zip(photos, names) {
                credit.bind(round.number.isMultiple(of: 2) ? World.newcomer : name, at: 1)
                credit.bind(photo + 1, at: 2)
                try round.measure {
                    try credit.run()
                    ranking.bind(world.limit, at: 1)
                    while try ranking.step() {
                        checksum.append(ranking.utf8(0))
                        checksum.append(ranking.integer(1))
                    }
                    ranking.reset()
                }
            }
            return checksum
        }
    }
}

extension SQLiteContestant {
    /// Makes photos favorites, and the next round no favorites again.
    ///
    /// A trigger counts a place's favorites again when one of its photos changes; an index of nothing but
    /// them spares it all others.
    static func updatingDerived(in world: World) throws -> Trial {
        let connection = try makeEmpty()
        try insert(world, into: connection)
        try connection.execute(
            """
            UPDATE photo SET isFavorite = 0;
            ALTER TABLE place ADD COLUMN favoriteCount INTEGER NOT NULL DEFAULT 0;
            CREATE INDEX favoriteOfPlace ON photo (placeID) WHERE isFavorite;
            CREATE TRIGGER photoIsFavorite AFTER UPDATE OF isFavorite ON photo BEGIN
                UPDATE place SET favoriteCount = (
                    SELECT COUNT(*) FROM photo WHERE placeID = NEW.placeID AND isFavorite
                ) WHERE id = NEW.placeID;
            END;
            ANALYZE;
            """)
        let toggle = try connection.statement(
            "UPDATE photo SET isFavorite = NOT isFavorite WHERE id = ?")
        let counts = try connection.statement("SELECT favoriteCount FROM place ORDER BY id")
        let photos = world.movedPhotos.map { $0 + 1 }
        return { round in
            try round.measure {
                try connection.execute("BEGIN IMMEDIATE")
                for photo in photos {
                    toggle.bind(photo, at: 1)
                    try toggle.run()
                }
                try connection.execute("COMMIT")
            }
            var checksum = Checksum()
            while try counts.step() { checksum.append(counts.integer(0)) }
            counts.reset()
            return checksum
        }
    }
}

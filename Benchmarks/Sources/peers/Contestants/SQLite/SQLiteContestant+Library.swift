import Foundation

extension SQLiteContestant {
    /// The photos and places with an index of the dates, for what asks in their order.
    static func library(of world: World) throws -> SQLiteConnection {
        let connection = try makeEmpty()
        try insert(world, into: connection)
        try connection.execute("CREATE INDEX photoByDate ON photo (dateUploaded)")
        try connection.execute("ANALYZE")
        return connection
    }

    /// The same with the words of the titles in an index of FTS5, and those of their beginnings that are
    /// as long as what is asked for.
    static func searchedLibrary(of world: World) throws -> SQLiteConnection {
        let connection = try library(of: world)
        try connection.execute(
            """
            CREATE VIRTUAL TABLE photoText USING fts5(
                title, content = 'photo', content_rowid = 'id',
                tokenize = 'unicode61 remove_diacritics 2', prefix = '3 4 5 6', detail = none);
            INSERT INTO photoText (photoText) VALUES ('rebuild');
            INSERT INTO photoText (photoText) VALUES ('optimize');
            """)
        return connection
    }

    /// The same with what ranks and snippets need: where in its title each word lies.
    static func rankedLibrary(of world: World) throws -> SQLiteConnection {
        let connection = try library(of: world)
        try connection.execute(
            """
            CREATE VIRTUAL TABLE photoRank USING fts5(
                title, content = 'photo', content_rowid = 'id',
                tokenize = 'unicode61 remove_diacritics 2', prefix = '3 4 5 6');
            INSERT INTO photoRank (photoRank) VALUES ('rebuild');
            INSERT INTO photoRank (photoRank) VALUES ('optimize');
            """)
        return connection
    }

    /// Ranked by `bm25()`, which is what `rank` is.
    ///
    /// Only the numbers of photos are compared: what weighs the same is in no order.
    func searchRanked(_ round: inout Round) throws -> Checksum {
        let best = try ranked.get().statement(
            """
            SELECT photo.uniqueID, snippet(photoRank, 0, '[', ']', '…', 8)
            FROM photoRank JOIN photo ON photo.id = photoRank.rowid
            WHERE photoRank MATCH ?
            ORDER BY rank
            LIMIT ?
            """)
        return try round.measure {
            var checksum = Checksum()
            for words in world.searches {
                best.bind(words.map { "\"\($0)\"*" }.joined(separator: " "), at: 1)
                best.bind(world.limit, at: 2)
                var count = 0
                while try best.step() {
                    count += best.utf8(0).isEmpty || best.utf8(1).isEmpty ? 0 : 1
                }
                checksum.append(count)
                best.reset()
            }
            return checksum
        }
    }

    func newestOfPlaces(_ round: inout Round) throws -> Checksum {
        let newest = try library.get().statement(
            """
            SELECT photo.uniqueID, photo.views
            FROM photo JOIN place ON place.id = photo.placeID
            WHERE place.name >= ? AND place.name < ?
            ORDER BY photo.dateUploaded DESC
            LIMIT ?
            """)
        return try round.measure {
            var checksum = Checksum()
            for prefix in world.namePrefixes {
                newest.bind(prefix, at: 1)
                newest.bind(Schema.end(ofPrefix: prefix), at: 2)
                newest.bind(world.limit, at: 3)
                while try newest.step() {
                    checksum.append(newest.utf8(0))
                    checksum.append(newest.integer(1))
                }
                newest.reset()
            }
            return checksum
        }
    }

    func search(_ round: inout Round) throws -> Checksum {
        let newest = try searched.get().statement(
            """
            SELECT photo.uniqueID
            FROM photoText JOIN photo ON photo.id = photoText.rowid
            WHERE photoText MATCH ?
            ORDER BY photo.dateUploaded DESC
            LIMIT ?
            """)
        return try round.measure {
            var checksum = Checksum()
            for words in world.searches {
                newest.bind(words.map { "\"\($0)\"*" }.joined(separator: " "), at: 1)
                newest.bind(world.limit, at: 2)
                while try newest.step() { checksum.append(newest.utf8(0)) }
                newest.reset()
            }
            return checksum
        }
    }

    func firstOfSpans(_ round: inout Round) throws -> Checksum {
        let first = try library.get().statement(
            """
            SELECT uniqueID, views FROM photo
            WHERE dateUploaded >= ? AND dateUploaded < ?
            ORDER BY dateUploaded LIMIT ?
            """)
        return try round.measure {
            var checksum = Checksum()
            for span in world.spans {
                first.bind(span.lowerBound.timeIntervalSinceReferenceDate, at: 1)
                first.bind(span.upperBound.timeIntervalSinceReferenceDate, at: 2)
                first.bind(world.limit, at: 3)
                while try first.step() {
                    checksum.append(first.utf8(0))
                    checksum.append(first.integer(1))
                }
                first.reset()
            }
            return checksum
        }
    }
}

import Foundation

/// SQLite's C API as who knows it well uses it.
final class SQLiteContestant: Contestant {
    let name = "sqlite"

    let world: World
    private lazy var loaded = Result { [world] in
        let connection = try Self.makeEmpty()
        try Self.insert(world, into: connection)
        try connection.execute("ANALYZE")
        return connection
    }

    private(set) lazy var library = Result { [world] in try Self.library(of: world) }

    private(set) lazy var ranked = Result { [world] in try Self.rankedLibrary(of: world) }
    private(set) lazy var searched = Result { [world] in try Self.searchedLibrary(of: world) }

    private(set) lazy var map = Result { [world] in try Self.map(of: world) }

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) throws -> Trial? {
        switch workload {
        case .insert: insert
        case .relate: try Self.relating(in: world)
        case .updateDerived: try Self.updatingDerived(in: world)
        case .lookupUnique, .findMany: lookUp
        case .containsMany: containsMany
        case .scanCount: countViews
        case .scanString: countPhotographers
        case .scanRecent: countSpans
        case .search: search
        case .searchRanked: searchRanked
        case .inBox: countInBoxes
        case .nearest: findNearest
        case .indexRangeLimit: firstOfSpans
        case .joinSortLimit: newestOfPlaces
        case .groupDistinct: topPlaces
        case .liveGroups: try Self.askingTopPlaces(of: world)
        case .iterate: iterate
        case .scanContains, .attributeRead, .attributeWrite, .liveUpdate: nil
        }
    }

    /// Sets what was measured to help: larger pages make scans a third faster.
    ///
    /// `temp_store = MEMORY` is left out, since with it `group-distinct` takes longer.
    static func makeEmpty() throws -> SQLiteConnection {
        let connection = try SQLiteConnection()
        try connection.execute(
            """
            PRAGMA page_size = 16384;
            PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA foreign_keys = ON;
            """)
        try connection.execute(Schema.tables)
        return connection
    }

    private func insert(_ round: inout Round) throws -> Checksum {
        let connection = try Self.makeEmpty()
        try round.measure { try Self.insert(world, into: connection) }
        return try Self.iterate(connection)
    }

    static func insert(_ world: World, into connection: SQLiteConnection) throws {
        try connection.execute("BEGIN IMMEDIATE")
        let place = try connection.statement("INSERT INTO place VALUES (?, ?, ?)")
        for (index, sample) in world.places.enumerated() {
            place.bind(index + 1, at: 1)
            place.bind(sample.name, at: 2)
            place.bind(sample.country, at: 3)
            try place.run()
        }
        let photo = try connection.statement(
            "INSERT INTO photo VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        for sample in world.photos {
            photo.bind(sample.uniqueID, at: 1)
            photo.bind(sample.title, at: 2)
            photo.bind(sample.subtitle, at: 3)
            photo.bind(sample.url, at: 4)
            photo.bind(sample.views, at: 5)
            photo.bind(sample.rating, at: 6)
            photo.bind(sample.latitude, at: 7)
            photo.bind(sample.longitude, at: 8)
            photo.bind(sample.isFavorite ? 1 : 0, at: 9)
            photo.bind(sample.dateUploaded.timeIntervalSinceReferenceDate, at: 10)
            photo.bind(sample.lastViewed?.timeIntervalSinceReferenceDate, at: 11)
            photo.bind(sample.photographer, at: 12)
            photo.bind(sample.place + 1, at: 13)
            try photo.run()
        }
        try connection.execute("COMMIT")
    }

    private func lookUp(_ round: inout Round) throws -> Checksum {
        let connection = try loaded.get()
        let photo = try connection.statement("SELECT title FROM photo WHERE uniqueID = ?")
        return try round.measure {
            var checksum = Checksum()
            try connection.execute("BEGIN")
            for id in world.lookedUpIDs {
                photo.bind(id, at: 1)
                if try photo.step() { checksum.add(photo.utf8(0).count) }
                photo.reset()
            }
            try connection.execute("COMMIT")
            return checksum
        }
    }

    private func containsMany(_ round: inout Round) throws -> Checksum {
        let connection = try loaded.get()
        let photo = try connection.statement("SELECT 1 FROM photo WHERE uniqueID = ?")
        let ids = world.askedIDs
        return try round.measure {
            var checksum = Checksum()
            try connection.execute("BEGIN")
            for id in ids {
                photo.bind(id, at: 1)
                checksum.add(try photo.step() ? 1 : 0)
                photo.reset()
            }
            try connection.execute("COMMIT")
            return checksum
        }
    }

    private func countViews(_ round: inout Round) throws -> Checksum {
        let connection = try loaded.get()
        let count = try connection.statement("SELECT COUNT(*) FROM photo WHERE views > ?")
        return try round.measure {
            var checksum = Checksum()
            for bound in world.viewBounds {
                count.bind(bound, at: 1)
                if try count.step() { checksum.append(count.integer(0)) }
                count.reset()
            }
            return checksum
        }
    }

    private func countSpans(_ round: inout Round) throws -> Checksum {
        let connection = try loaded.get()
        let count = try connection.statement(
            "SELECT COUNT(*) FROM photo WHERE dateUploaded >= ? AND dateUploaded < ?")
        return try round.measure {
            var checksum = Checksum()
            for span in world.countedSpans {
                count.bind(span.lowerBound.timeIntervalSinceReferenceDate, at: 1)
                count.bind(span.upperBound.timeIntervalSinceReferenceDate, at: 2)
                if try count.step() { checksum.append(count.integer(0)) }
                count.reset()
            }
            return checksum
        }
    }

    private func countPhotographers(_ round: inout Round) throws -> Checksum {
        let connection = try loaded.get()
        let count = try connection.statement("SELECT COUNT(*) FROM photo WHERE photographer = ?")
        return try round.measure {
            var checksum = Checksum()
            for photographer in world.photographers {
                count.bind(photographer, at: 1)
                if try count.step() { checksum.append(count.integer(0)) }
                count.reset()
            }
            return checksum
        }
    }

    private func topPlaces(_ round: inout Round) throws -> Checksum {
        let ranking = try loaded.get().statement(Schema.topPlaces)
        return try round.measure {
            var checksum = Checksum()
            ranking.bind(world.limit, at: 1)
            while try ranking.step() {
                checksum.append(ranking.utf8(0))
                checksum.append(ranking.integer(1))
            }
            ranking.reset()
            return checksum
        }
    }

    private func iterate(_ round: inout Round) throws -> Checksum {
        let connection = try loaded.get()
        return try round.measure { try Self.iterate(connection) }
    }

    private static func iterate(_ connection: SQLiteConnection) throws -> Checksum {
        let photo = try connection.statement("SELECT title, views, latitude FROM photo")
        var checksum = Checksum()
        while try photo.step() {
            checksum.add(
                titleLength: photo.utf8(0).count, views: photo.integer(1),
                latitude: photo.double(2))
        }
        photo.reset()
        return checksum
    }
}

import GRDB

/// GRDB 7 as its guides teach it: Codable records and the query interface.
final class GRDBContestant: Contestant {
    let name = "grdb"

    private let world: World
    private lazy var loaded = Result { [world] in
        let queue = try Self.makeEmpty()
        try Self.insert(world, into: queue)
        try queue.write { try $0.execute(sql: "ANALYZE") }
        return queue
    }

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) throws -> Trial? {
        switch workload {
        case .insert: insert
        case .relate: try Self.relating(in: world)
        case .updateDerived, .liveGroups, .inBox, .nearest: nil
        case .lookupUnique, .findMany: lookUp
        case .scanCount: countViews
        case .scanString: countPhotographers
        case .joinSortLimit: newestOfPlaces
        case .groupDistinct: topPlaces
        case .iterate: iterate
        case .containsMany, .scanContains, .scanRecent, .search, .searchRanked, .indexRangeLimit,
            .attributeRead,
            .attributeWrite:
            nil
        case .liveUpdate: try Self.updatingLive(in: world)
        }
    }

    static func makeEmpty() throws -> DatabaseQueue {
        let queue = try DatabaseQueue()
        try queue.write { try $0.execute(sql: Schema.tables) }
        return queue
    }

    private func insert(_ round: inout Round) throws -> Checksum {
        let queue = try Self.makeEmpty()
        try round.measure { try Self.insert(world, into: queue) }
        return try Self.iterate(queue)
    }

    static func insert(_ world: World, into queue: DatabaseQueue) throws {
        try queue.write { database in
            for (index, sample) in world.places.enumerated() {
                let place = PlaceRecord(
                    id: Int64(index + 1), name: sample.name, country: sample.country)
                try place.insert(database)
            }
            for sample in world.photos {
                var photo = PhotoRecord(sample)
                try photo.insert(database)
            }
        }
    }

    private func lookUp(_ round: inout Round) throws -> Checksum {
        let queue = try loaded.get()
        return try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                for id in world.lookedUpIDs {
                    let photo = try PhotoRecord.filter { $0.uniqueID == id }.fetchOne(database)
                    if let photo { checksum.add(photo.title.utf8.count) }
                }
                return checksum
            }
        }
    }

    private func countViews(_ round: inout Round) throws -> Checksum {
        let queue = try loaded.get()
        return try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                for bound in world.viewBounds {
                    let photos = PhotoRecord.filter { $0.views > bound }
                    checksum.append(try photos.fetchCount(database))
                }
                return checksum
            }
        }
    }

    private func countPhotographers(_ round: inout Round) throws -> Checksum {
        let queue = try loaded.get()
        return try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                for photographer in world.photographers {
                    let photos = PhotoRecord.filter { $0.photographer == photographer }
                    checksum.append(try photos.fetchCount(database))
                }
                return checksum
            }
        }
    }

    private func newestOfPlaces(_ round: inout Round) throws -> Checksum {
        let queue = try loaded.get()
        return try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                for prefix in world.namePrefixes {
                    let end = Schema.end(ofPrefix: prefix)
                    let places = PhotoRecord.place.filter { $0.name >= prefix && $0.name < end }
                    let photos = try PhotoRecord.joining(required: places)
                        .order(\.dateUploaded.desc)
                        .limit(world.limit)
                        .fetchAll(database)
                    for photo in photos {
                        checksum.append(photo.uniqueID.utf8)
                        checksum.append(photo.views)
                    }
                }
                return checksum
            }
        }
    }

    private func topPlaces(_ round: inout Round) throws -> Checksum {
        let queue = try loaded.get()
        return try round.measure {
            try queue.read { database in
                var checksum = Checksum()
                let ranking = try RankedPlace.fetchAll(
                    database, sql: Schema.topPlaces, arguments: [world.limit])
                for place in ranking {
                    checksum.append(place.name.utf8)
                    checksum.append(place.photographers)
                }
                return checksum
            }
        }
    }

    private struct RankedPlace: Decodable, FetchableRecord {
        var name: String
        var photographers: Int
    }

    private func iterate(_ round: inout Round) throws -> Checksum {
        let queue = try loaded.get()
        return try round.measure { try Self.iterate(queue) }
    }

    private static func iterate(_ queue: DatabaseQueue) throws -> Checksum {
        try queue.read { database in
            var checksum = Checksum()
            for photo in try PhotoRecord.fetchAll(database) {
                checksum.add(
                    titleLength: photo.title.utf8.count, views: photo.views,
                    latitude: photo.latitude)
            }
            return checksum
        }
    }
}

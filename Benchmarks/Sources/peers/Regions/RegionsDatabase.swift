import Foundation
import PlacesKit

/// Top Regions in memory: a table for each class, and an index from which the list can be read alone.
struct RegionsDatabase {
    private let connection: SQLiteConnection

    init() throws {
        connection = try SQLiteConnection()
        try connection.execute(
            """
            CREATE TABLE region (id INTEGER PRIMARY KEY, name TEXT UNIQUE);
            CREATE TABLE place (
                id INTEGER PRIMARY KEY, identifier TEXT UNIQUE, name TEXT, region INTEGER);
            CREATE TABLE photographer (id INTEGER PRIMARY KEY, identifier TEXT UNIQUE, name TEXT);
            CREATE TABLE photo (
                id INTEGER PRIMARY KEY, uniqueID TEXT UNIQUE, title TEXT, description TEXT,
                credit TEXT, page TEXT, data TEXT, thumbnail TEXT, width INTEGER, height INTEGER,
                latitude REAL, longitude REAL, uploaded REAL,
                place INTEGER, region INTEGER, photographer INTEGER);
            CREATE INDEX photo_region ON photo (region, photographer);
            CREATE INDEX photo_place ON photo (place);
            CREATE INDEX photo_photographer ON photo (photographer);
            CREATE INDEX photo_uploaded ON photo (uploaded);
            """)
    }

    /// Lets the planner know how the rows are spread.
    func analyze() throws {
        try connection.execute("ANALYZE")
    }

    /// Adds photos in one transaction, and asks for the list.
    func add(_ photos: [RecentPhoto]) throws -> [RankedRegion] {
        try insert(photos)
        return try topRegions()
    }

    /// Adds photos in one transaction.
    func insert(_ photos: [RecentPhoto]) throws {
        let region = try connection.statement("INSERT OR IGNORE INTO region (name) VALUES (?)")
        let place = try connection.statement(
            """
            INSERT OR IGNORE INTO place (identifier, name, region)
            VALUES (?, ?, (SELECT id FROM region WHERE name = ?))
            """)
        let photographer = try connection.statement(
            "INSERT OR IGNORE INTO photographer (identifier, name) VALUES (?, ?)")
        let insert = try connection.statement(
            """
            INSERT OR IGNORE INTO photo (
                uniqueID, title, description, credit, page, data, thumbnail, width, height,
                latitude, longitude, uploaded, place, region, photographer)
            SELECT ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, place.id, place.region, photographer.id
            FROM place, photographer WHERE place.identifier = ? AND photographer.identifier = ?
            """)
        try connection.execute("BEGIN IMMEDIATE")
        for photo in photos {
            let regionName = photo.placeNames?.region ?? ""
            region.bind(regionName, at: 1)
            try region.run()
            place.bind(photo.placeIdentifier ?? "", at: 1)
            place.bind(photo.placeNames?.fullName ?? "", at: 2)
            place.bind(regionName, at: 3)
            try place.run()
            photographer.bind(photo.owner.identifier, at: 1)
            photographer.bind(photo.owner.name, at: 2)
            try photographer.run()
            let picture = photo.variants.last
            for (index, text) in [
                photo.identifier, photo.displayTitle, photo.plainCaption, photo.creditLine,
                photo.pageURL?.absoluteString ?? "", picture?.url.absoluteString ?? "",
                photo.variants.first?.url.absoluteString ?? "",
            ].enumerated() {
                insert.bind(text, at: Int32(index) + 1)
            }
            insert.bind(picture?.width ?? 0, at: 8)
            insert.bind(picture?.height ?? 0, at: 9)
            insert.bind(photo.coordinate?.latitude, at: 10)
            insert.bind(photo.coordinate?.longitude, at: 11)
            insert.bind(photo.uploaded?.timeIntervalSince1970, at: 12)
            insert.bind(photo.placeIdentifier ?? "", at: 13)
            insert.bind(photo.owner.identifier, at: 14)
            try insert.run()
        }
        try connection.execute("COMMIT")
    }

    /// The list, from the index alone but for the names.
    private func topRegions() throws -> [RankedRegion] {
        let query = try connection.statement(
            """
            SELECT region.name, counted.photographers
            FROM (
                SELECT region, count(*) AS photographers
                FROM (SELECT DISTINCT region, photographer FROM photo)
                GROUP BY region) AS counted
            JOIN region ON region.id = counted.region
            ORDER BY counted.photographers DESC, region.name LIMIT 50
            """)
        defer { query.reset() }
        var regions: [RankedRegion] = []
        while try query.step() {
            regions.append(
                RankedRegion(
                    name: String(decoding: query.utf8(0), as: UTF8.self),
                    photographers: query.integer(1)))
        }
        return regions
    }
}

import Foundation

/// DuckDB, which keeps columns, on one thread: prepared statements, timed within its own process.
final class DuckDBContestant: Contestant {
    let name = "duckdb"

    private let world: World
    private lazy var server = Result { [world] in try DuckDBServer(world) }

    /// `nil` where Python's package `duckdb` is not installed.
    init?(_ world: World) {
        guard DuckDBServer.isInstalled else {
            FileHandle.standardError.write(
                Data("duckdb takes no part: there is no Python package duckdb …\n".utf8))
            return nil
        }
        self.world = world
    }

    func trial(for workload: Workload) throws -> Trial? {
        switch workload {
        case .scanCount:
            try answering(
                "SELECT COUNT(*) FROM photo WHERE views > ?",
                world.viewBounds.map { [.number($0)] })
        case .scanString:
            try answering(
                "SELECT COUNT(*) FROM photo WHERE photographer = ?",
                world.photographers.map { [.text($0)] })
        case .scanContains:
            try answering(
                """
                SELECT COUNT(*) FROM photo
                WHERE contains(strip_accents(lower(title)), strip_accents(lower(?)))
                """, world.searchedTexts.map { [.text($0)] })
        case .groupDistinct:
            try answering(
                """
                SELECT place.name, ranking.photographers
                FROM (
                    SELECT placeID, COUNT(DISTINCT photographer) AS photographers
                    FROM photo GROUP BY placeID
                ) AS ranking
                JOIN place ON place.id = ranking.placeID
                ORDER BY ranking.photographers DESC, place.name
                LIMIT ?
                """, [[.number(world.limit)]])
        case .joinSortLimit:
            try answering(
                """
                SELECT photo.uniqueID, photo.views
                FROM photo JOIN place ON place.id = photo.placeID
                WHERE place.name >= ? AND place.name < ?
                ORDER BY photo.dateUploaded DESC
                LIMIT \(world.limit)
                """,
                world.namePrefixes.map { [.text($0), .text(Schema.end(ofPrefix: $0))] })
        default: nil
        }
    }

    private func answering(
        _ query: String, _ parameters: [[DuckDBServer.Value]]
    ) throws -> Trial {
        let server = try server.get()
        return { round in
            let reply = try server.run(query, with: parameters)
            round.add(.seconds(reply.seconds))
            var checksum = Checksum()
            for value in reply.rows.joined() {
                switch value {
                case .number(let number): checksum.append(number)
                case .text(let text): checksum.append(text.utf8)
                }
            }
            return checksum
        }
    }
}

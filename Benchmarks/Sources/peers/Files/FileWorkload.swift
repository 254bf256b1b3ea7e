import Foundation
import PlacesKit

/// What is done with whole files.
enum FileWorkload: String, CaseIterable {
    case openJSON = "open-json"
    case snapshotJSON = "snapshot-json"
    case openBinaryPropertyList = "open-bplist"
    case readTexts = "read-texts"

    /// The first is the one that the others are compared with.
    static let contestants = ["placeskit", "coder", "sqlite"]

    /// The time that it took, and a checksum of what was read, if anything was.
    typealias Trial = () async throws -> (elapsed: Duration, checksum: Checksum?)

    /// What each contestant does; its files are written before.
    func trials(at folder: URL, _ world: World) async throws -> [(name: String, trial: Trial)] {
        let folder = folder.appending(path: rawValue, directoryHint: .isDirectory)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let coded = folder.appending(path: "rows")
        switch self {
        case .openJSON:
            let document = try await StoredDocument(at: folder, as: .json, world)
            let database = try StoredDatabase(at: folder, world)
            try JSONEncoder().encode(StoredRows(world)).write(to: coded)
            return [
                ("placeskit", { try await Self.open(document) }),
                (
                    "coder",
                    {
                        try Self.measure {
                            try JSONDecoder().decode(
                                StoredRows.self, from: Data(contentsOf: coded))
                        }
                    }
                ),
                (
                    "sqlite",
                    {
                        var checksum: Checksum?
                        let elapsed = try ContinuousClock().measure {
                            checksum = try database.read()
                        }
                        return (elapsed, checksum)
                    }
                ),
            ]
        case .snapshotJSON:
            let document = try await StoredDocument(at: folder, as: .json, world).open()
            let rows = StoredRows(world)
            return [
                (
                    "placeskit",
                    {
                        let start = ContinuousClock.now
                        try await document.compact()
                        return (ContinuousClock.now - start, nil)
                    }
                ),
                (
                    "coder",
                    {
                        let elapsed = try ContinuousClock().measure {
                            try JSONEncoder().encode(rows).write(to: coded)
                        }
                        return (elapsed, nil)
                    }
                ),
            ]
        case .openBinaryPropertyList:
            let document = try await StoredDocument(at: folder, as: .binaryPropertyList, world)
            let encoder = PropertyListEncoder()
            encoder.outputFormat = .binary
            try encoder.encode(StoredRows(world)).write(to: coded)
            return [
                ("placeskit", { try await Self.open(document) }),
                (
                    "coder",
                    {
                        try Self.measure {
                            try PropertyListDecoder().decode(
                                StoredRows.self, from: Data(contentsOf: coded))
                        }
                    }
                ),
            ]
        case .readTexts:
            let document = try await StoredDocument(at: folder, as: .json, world)
            let database = try StoredDatabase(at: folder, world)
            let expected = world.photos.reduce(0) {
                $0 + $1.title.utf8.lengthAndEnd + $1.subtitle.utf8.lengthAndEnd
                    + $1.url.utf8.lengthAndEnd
            }
            return [
                (
                    "placeskit",
                    {
                        let document = try await document.open()
                        let elapsed = try Self.measure(expected) {
                            try StoredDocument.readTexts(document.viewContext)
                        }
                        try await document.close()
                        return (elapsed, nil)
                    }
                ),
                (
                    "sqlite",
                    {
                        let connection = try database.connect()
                        let elapsed = try Self.measure(expected) {
                            try StoredDatabase.readTexts(connection)
                        }
                        return (elapsed, nil)
                    }
                ),
            ]
        }
    }

    /// How long a reading takes that gives a known sum.
    private static func measure(_ expected: Int, _ read: () throws -> Int) throws -> Duration {
        let start = ContinuousClock.now
        let sum = try read()
        let elapsed = ContinuousClock.now - start
        guard sum == expected else { throw ReadingFailure() }
        return elapsed
    }

    private static func open(
        _ stored: StoredDocument
    ) async throws -> (elapsed: Duration, checksum: Checksum?) {
        let start = ContinuousClock.now
        let document = try await stored.open()
        let elapsed = ContinuousClock.now - start
        let checksum = try StoredDocument.checksum(of: document)
        try await document.close()
        return (elapsed, checksum)
    }

    private static func measure(
        _ read: () throws -> StoredRows
    ) rethrows -> (elapsed: Duration, checksum: Checksum?) {
        let start = ContinuousClock.now
        let rows = try read()
        let elapsed = ContinuousClock.now - start
        return (elapsed, rows.checksum)
    }
}

/// The texts that were read are not those that were written.
private struct ReadingFailure: Error {}

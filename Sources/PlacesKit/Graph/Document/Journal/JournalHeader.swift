import Foundation
import PlacesBase

/// The first line of a journal: which snapshot it goes with, and the schema of what follows.
struct JournalHeader {
    /// The numbers that the commit before a journal can have: however many come after it, no number overflows.
    static let commits = 0...Int.max / 2

    /// The generation of the journal, and of the snapshot of what `commit` left.
    var generation: Int64
    /// The commit that the first record comes after.
    var commit: Commit
    /// The schema whose names the records have.
    var entities: [EntityDescription]
    /// Which version of the model that is.
    var modelVersion = 1
    /// Whether the commit before the first record migrated the document, and has no record itself.
    var isMigration = false

    /// The line.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(JournalKeys.version, for: JournalKeys.Header.version)
        writer.write(generation, for: JournalKeys.Header.generation)
        writer.write(commit)
        if modelVersion != 1 {
            writer.write(Int64(modelVersion), for: JournalKeys.Header.modelVersion)
        }
        if isMigration {
            writer.write(true, for: JournalKeys.Header.isMigration)
        }
        writer.writeKey(JournalKeys.Header.entities)
        entities.write(to: &writer)
        writer.endObject()
        return JournalLine.seal(writer.bytes)
    }

    /// Reads the first line of a journal.
    init(_ line: UnsafeRawBufferPointer) throws {
        var json = JSONReader(line)
        guard JournalLine.isWhole(line) else {
            throw json.failure(.invalidValue(expected: "the first line of a journal, whole"))
        }
        var (isVersionRead, generation, commit) = (false, Int64?.none, Int64?.none)
        var (date, author) = (Date(timeIntervalSinceReferenceDate: 0), String?.none)
        var entities: [EntityDescription]?
        var modelVersion = 1
        try json.beginObject()
        while let key = try json.nextKey(in: JournalKeys.header) {
            switch key {
            case .version:
                _ = try json.readFormatVersion(upTo: JournalKeys.version)
                isVersionRead = true
            case .generation: generation = try json.readInt64()
            case .commit: commit = try json.readInt64()
            case .date: date = Date(timeIntervalSinceReferenceDate: try json.readDate())
            case .author: author = try json.readString()
            case .entities: entities = try [EntityDescription].read(from: &json)
            case .modelVersion: modelVersion = try json.readModelVersion()
            case .isMigration: isMigration = try json.readBool()
            case .checksum: try json.skipValue()
            }
        }
        try json.expectEnd()
        guard isVersionRead, let generation, let commit, let entities,
            Self.commits.contains(Int(clamping: commit))
        else {
            throw json.failure(
                .invalidValue(
                    expected: #"the keys "placeskit", "journal", "commit" and "entities""#))
        }
        self.generation = generation
        self.commit = Commit(number: Int(commit), date: date, author: author)
        self.entities = entities
        self.modelVersion = modelVersion
    }

    init(generation: Int64, commit: Commit, schema: Schema, isMigration: Bool = false) {
        self.generation = generation
        self.commit = commit
        entities = schema.entities.written
        modelVersion = schema.version
        self.isMigration = isMigration
    }
}

extension JournalHeader {
    /// Refuses to begin a file that nobody would read.
    ///
    /// - Parameter file: Where the number comes from: no document has so many commits of its own.
    /// - Throws: `DocumentError.damaged`.
    func check(after file: FilePath) throws(DocumentError) {
        guard Self.commits.contains(commit.number) else {
            throw .damaged(
                file: file.description,
                JSONError(
                    kind: .invalidValue(expected: "a commit in \(Self.commits)"), line: 1,
                    column: 1,
                    byteOffset: 0))
        }
    }

    /// Whether what follows in another journal is of the same model: the document was not migrated in between, and its
    /// things have the names that they have here.
    func leads(to next: JournalHeader) -> Bool {
        let match = SnapshotMatch(entities, next.entities)
        return !next.isMigration && modelVersion == next.modelVersion && match.differences.isEmpty
            && match.names.allSatisfy { $0.allSatisfy { $0.key == $0.value } }
    }
}

extension JSONWriter {
    /// Writes the number of a commit, when it was made, and by whom.
    mutating func write(_ commit: Commit) {
        write(Int64(commit.number), for: JournalKeys.Record.commit)
        writeKey(JournalKeys.Record.date)
        write(date: commit.date.timeIntervalSinceReferenceDate)
        if let author = commit.author {
            write(author, for: JournalKeys.Record.author)
        }
    }
}

import Foundation

/// The first line of a journal: which snapshot it goes with, and the schema of what follows.
struct JournalHeader {
    /// The generation of the journal, and of the snapshot of what `commit` left.
    var generation: Int64
    /// The commit that the first record comes after.
    var commit: Commit
    /// The schema whose names the records have.
    var entities: [EntityDescription]
    /// Which version of the model that is.
    var modelVersion = 1

    /// The line.
    var line: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.writeKey("placeskit")
        writer.write(JournalKeys.version)
        writer.writeKey("journal")
        writer.write(generation)
        writer.write(commit)
        if modelVersion != 1 {
            writer.writeKey("model")
            writer.write(Int64(modelVersion))
        }
        writer.writeKey("entities")
        writer.write(entities)
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
            case .known(0):
                let found = try json.readInt64()
                guard found > 0 else {
                    throw json.failure(.invalidValue(expected: "the number of a format from 1 on"))
                }
                guard found <= JournalKeys.version else {
                    throw SnapshotError.newerFormat(
                        found: Int(found), supported: Int(JournalKeys.version))
                }
                isVersionRead = true
            case .known(1): generation = try json.readInt64()
            case .known(2): commit = try json.readInt64()
            case .known(3): date = Date(timeIntervalSinceReferenceDate: try json.readDate())
            case .known(4): author = try json.readString()
            case .known(5): entities = try SnapshotSchema.read(from: &json)
            case .known(7): modelVersion = try json.readModelVersion()
            case .known, .unknown: try json.skipValue()
            }
        }
        try json.expectEnd()
        guard isVersionRead, let generation, let commit, let entities,
            (0...Int64(Int.max / 2)).contains(commit)
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

    init(generation: Int64, commit: Commit, schema: Schema) {
        self.generation = generation
        self.commit = commit
        entities = schema.entities
        modelVersion = schema.version
    }
}

extension JSONWriter {
    /// Writes the number of a commit, when it was made, and by whom.
    mutating func write(_ commit: Commit) {
        writeKey("commit")
        write(Int64(commit.number))
        writeKey("date")
        write(date: commit.date.timeIntervalSinceReferenceDate)
        if let author = commit.author {
            writeKey("author")
            write(author)
        }
    }

    /// Writes the entities of a schema.
    mutating func write(_ entities: [EntityDescription]) {
        beginArray()
        for entity in entities { write(entity) }
        endArray()
    }
}

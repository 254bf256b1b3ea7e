import PlacesBase

/// What a base of a shared log holds: a commit that brings all objects to an empty document, and which commits came before
/// it.
///
/// It has two lines of JSON, as those of a journal:
/// ```json
/// {"placeskit":2,"commit":18,"model":"1-1c291ca3","latest":[[8796093022208,3]],"spans":[[8796093022208,1,3]],"crc":"…"}
/// {"commit":18,"date":"2026-11-21T09:41:00Z","synced":0,"insert":{"Photo":[…]},"crc":"…"}
/// ```
/// The second line refers to values by their digests.
struct BaseContent: Sendable {
    private static let version: Int64 = 2
    private enum Key: String, FileKey {
        case version = "placeskit"
        case commit, model, latest, spans
        case checksum = "crc"
    }
    private static let keys = FileKeys<Key>()

    let number: Int
    let model: CommitOrigin.Model
    /// Which commits the log had by then.
    let logged: LoggedCommits
    /// The second line, without its line feed; empty where only the first one was read.
    private(set) var commit: [UInt8] = []
    /// The values to which it refers.
    var values: [SharedValue]

    /// Describes a document.
    ///
    /// - Parameters:
    ///   - committed: What the document holds.
    ///   - logged: Which commits the log has up to that one.
    /// - Throws: `ExternalStorageError` where bytes of an attribute can't be read: others would have none.
    init(_ committed: CommittedGraph, _ logged: LoggedCommits) throws {
        let graph = committed.graph
        number = committed.number
        model = CommitOrigin.Model(graph.schema)
        self.logged = logged
        let everything = try CommittedChanges(everythingIn: committed)
        let notation = SharedValueNotation(everything.changes)
        commit = JournalEncoder.line(
            everything, names: JournalNames(graph.layout), synced: 0, blobs: notation)
        commit.removeLast()
        values = notation.values
    }

    /// Reads a base.
    ///
    /// - Throws: `DocumentError` where it is damaged, or what its parts throw.
    init(_ base: SharedBase) async throws {
        let bytes = try await base.content()
        let end = bytes.firstIndex(of: UInt8(ascii: "\n")) ?? bytes.endIndex
        try self.init(bytes[..<end], of: base)
        commit = Array(bytes[end...].dropFirst())
    }

    /// Reads which commits came before a base, and no more of it.
    static func loggedCommits(of base: SharedBase) async throws -> LoggedCommits {
        var bytes: [UInt8] = []
        for try await part in base.parts {
            bytes += part
            guard let end = bytes.firstIndex(of: UInt8(ascii: "\n")) else { continue }
            bytes.removeSubrange(end...)
            break
        }
        return try BaseContent(bytes[...], of: base).logged
    }

    /// Reads the first line.
    private init(_ line: ArraySlice<UInt8>, of base: SharedBase) throws {
        values = base.values
        (number, model, logged) = try DocumentError.naming(Self.name(base.number)) {
            try JSONReader.read(Array(line)) { json in
                guard line.withUnsafeBytes(JournalLine.isWhole) else {
                    throw json.failure(JournalLine.damage)
                }
                var (number, model) = (Int64?.none, CommitOrigin.Model?.none)
                var logged = LoggedCommits()
                try json.beginObject()
                while let key = try json.nextKey(in: Self.keys) {
                    switch key {
                    case .version: _ = try json.readFormatVersion(upTo: Self.version)
                    case .commit: number = try json.readInt64()
                    case .model: model = CommitOrigin.Model(try json.readString())
                    case .latest: try logged.readLatest(from: &json)
                    case .spans: try logged.readSpans(from: &json)
                    case .checksum: try json.skipValue()
                    }
                }
                guard number == Int64(base.number), let model else {
                    throw json.failure(.invalidValue(expected: #"its "commit" and "model""#))
                }
                return (base.number, model, logged)
            }
        }
    }

    /// The base as a log keeps it.
    var base: SharedBase {
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(Self.version, for: Key.version)
        writer.write(Int64(number), for: Key.commit)
        writer.write(model.description, for: Key.model)
        writer.writeKey(Key.latest)
        logged.writeLatest(to: &writer)
        writer.writeKey(Key.spans)
        logged.writeSpans(to: &writer)
        writer.endObject()
        return SharedBase(
            number: number, JournalLine.seal(writer.bytes) + commit, values: values)
    }

    /// Lets a replay have the objects of the base, and no others; those that it had keep their rows.
    ///
    /// - Parameters:
    ///   - replay: What is changed.
    ///   - model: The model of the document.
    ///   - path: The path of the document.
    /// - Returns: The commit.
    /// - Throws: `DocumentError` where the base is damaged, or has another model.
    func replace(
        in replay: inout JournalReplay, of model: CommitOrigin.Model, _ path: FilePath
    ) throws -> Commit {
        try self.model.check(against: model, in: Self.name(number), path)
        return try DocumentError.naming(Self.name(number)) {
            replay.eraseAll()
            replay.know(values)
            return try commit.withUnsafeBytes { bytes in
                guard JournalLine.isWhole(bytes) else {
                    throw JSONReader(bytes).failure(JournalLine.damage)
                }
                return try replay.apply(bytes, after: number - 1)
            }
        }
    }

    /// What errors call a base.
    static func name(_ number: Int) -> String { "the base at commit \(number) of the shared log" }
}

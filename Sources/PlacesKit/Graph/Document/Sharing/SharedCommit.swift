public import Foundation
import PlacesBase

/// One commit as a ``SharedLog`` keeps it: a line of JSON, as in a journal.
///
/// ```json
/// {"commit":18,"date":"2026-11-21T09:41:00Z","opening":8796093022208,"sequence":3,"model":"1-1c291ca3",…,"crc":"09a1b2c3"}
/// ```
/// A log stores the ``number``, the ``line`` and the bytes of the ``values``, and makes the commit from the line again.
/// Two commits are equal if their lines are.
public struct SharedCommit: Hashable, Sendable, Identifiable {
    /// Who made a commit, and which of theirs it is: the same, whatever its number becomes.
    public struct ID: Hashable, Sendable, CustomStringConvertible {
        /// Tells one opening of a document by one process from all others.
        var opening: Int64
        /// Which of the commits of that opening it is.
        var sequence: Int64

        /// Both, as in `8796093022208/3`.
        public var description: String { "\(opening)/\(sequence)" }
    }

    /// Which commit of all it is; the first one has number 1.
    public let number: Int
    /// The commit as one line of UTF-8, with its line feed.
    public let line: Data
    /// The values to which the line refers, each once.
    public internal(set) var values: [SharedValue]
    let origin: CommitOrigin

    /// Who made it.
    public var id: ID { origin.id }

    /// Makes a commit of a line that says the same.
    init(_ origin: CommitOrigin, _ number: Int, line: Data, _ values: [SharedValue]) {
        (self.origin, self.number, self.line, self.values) = (origin, number, line, values)
    }

    /// Makes a commit of what was committed.
    ///
    /// - Parameters:
    ///   - committed: What was changed, with the commit's number.
    ///   - origin: Who made it.
    ///   - names: The names of the properties.
    ///   - synced: The latest commit that is known to be on disk.
    ///   - isWhole: Whether the bytes of all values are in the line itself.
    init(
        _ committed: CommittedChanges, by origin: CommitOrigin, names: JournalNames, synced: Int,
        isWhole: Bool = false
    ) {
        let notation = SharedValueNotation(isWhole ? nil : committed.changes)
        let line = JournalEncoder.line(
            committed, names: names, synced: synced, origin: origin, blobs: notation)
        self.init(origin, committed.committed.number, line: Data(line), notation.values)
    }

    /// Makes a commit that says anything, for those who test a log.
    package init(
        opening: Int64, sequence: Int64, number: Int, change: String, values: [SharedValue] = []
    ) {
        let origin = CommitOrigin(
            id: ID(opening: opening, sequence: sequence),
            model: CommitOrigin.Model(version: 1, digest: "00000000"))
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(Int64(number), for: JournalKeys.Record.commit)
        writer.write(origin, values)
        writer.writeKey("change")
        writer.write(change)
        writer.endObject()
        self.init(origin, number, line: Data(JournalLine.seal(writer.bytes)), values)
    }

    /// Reads a line that a commit had, with or without its line feed.
    ///
    /// It reads who made the commit, and checks that the rest is as it was written.
    ///
    /// - Parameters:
    ///   - line: The line.
    ///   - bytes: Fetches the bytes of a value, by its ``SharedValue/digest``.
    /// - Throws: `JSONError`, also if the line is damaged.
    public init(
        line: Data, bytes: @escaping @Sendable (_ digest: String) async throws -> Data
    ) throws {
        let isEnded = line.last == UInt8(ascii: "\n")
        let (number, origin, values) = try line.withUnsafeBytes { line in
            let record = UnsafeRawBufferPointer(rebasing: isEnded ? line.dropLast() : line[...])
            var json = JSONReader(record)
            // A log may keep lines in files, so none has another line in it.
            guard JournalLine.isWhole(record), record.endOfLine(from: 0) == nil else {
                throw json.failure(JournalLine.damage)
            }
            let found = try Self.readOrigin(from: &json, bytes)
            guard let found else {
                throw json.failure(.invalidValue(expected: "a commit of a shared document"))
            }
            return found
        }
        self.init(origin, number, line: isEnded ? line : line + [UInt8(ascii: "\n")], values)
    }

    /// Reads a line of a file whose values are elsewhere.
    init(line: Data) throws {
        try self.init(line: line) { throw DocumentError.incomplete(file: "the value \($0)") }
    }

    /// Whether both have the same line.
    public static func == (first: SharedCommit, second: SharedCommit) -> Bool {
        first.line == second.line
    }

    /// Hashes who made it.
    public func hash(into hasher: inout Hasher) { hasher.combine(id) }

    /// The same commit, whose values somebody else fetches.
    package func fetching(
        _ bytes: @escaping @Sendable (_ digest: String) async throws -> Data
    ) -> SharedCommit {
        guard !values.isEmpty else { return self }
        var commit = self
        commit.values = values.map { $0.fetching(bytes) }
        return commit
    }

    /// Whether its line may take more than a graph does.
    var isLong: Bool { line.count > 1 << 16 }

    /// Whether it was made when another one was, and by whom.
    func isMade(as other: Commit) throws -> Bool {
        let record = try ChangeRecord(line: Array(line))
        return record.author == other.author && record.date.isWritten(as: other.date)
    }

    private static func readOrigin(
        from json: inout JSONReader, _ bytes: @escaping @Sendable (String) async throws -> Data
    ) throws -> (number: Int, origin: CommitOrigin, values: [SharedValue])? {
        var (number, opening, sequence) = (Int64(0), Int64?.none, Int64?.none)
        var model: CommitOrigin.Model?
        var values: [SharedValue] = []
        try json.beginObject()
        while let key = try json.nextKey(in: JournalKeys.record) {
            switch key {
            case .commit: number = try json.readInt64()
            case .opening: opening = try json.readInt64()
            case .sequence: sequence = try json.readInt64()
            case .values: values = try SharedValue.read(from: &json, fetching: bytes)
            case .model: model = CommitOrigin.Model(try json.readString())
            default: try json.skipValue()
            }
            // What the commit changed comes after it.
            if model != nil { break }
        }
        guard (1...Int64(Int.max / 2)).contains(number), let opening, let sequence, let model
        else { return nil }
        let id = ID(opening: opening, sequence: sequence)
        return (Int(number), CommitOrigin(id: id, model: model), values)
    }
}

extension [SharedCommit] {
    /// Stops whoever breaks the rule of ``SharedLog/append(_:after:)`` that numbers have no gaps.
    package func checkNumbers(after number: Int) {
        if zip(self, 1...).allSatisfy({ $0.number - $1 == number }) { return }
        mistake("Commits after number \(number) have the numbers \(map(\.number)).")
    }
}

extension Date {
    /// Whether a text has both as one: it has a date as exactly as people need it, and a clock may give none.
    fileprivate func isWritten(as other: Date) -> Bool {
        isSame(as: other) || abs(timeIntervalSince(other)) < 0.001
    }
}

public import Foundation
import PlacesBase

/// One commit as a ``SharedLog`` keeps it: a line of JSON, as in a journal.
///
/// ```json
/// {"commit":18,"date":"2026-11-21T09:41:00Z","opening":8796093022208,"sequence":3,"model":"1-1c291ca3",…,"crc":"09a1b2c3"}
/// ```
/// A log stores the ``number`` and the ``line``, and makes the commit from the line again. Two commits are equal if
/// their lines are.
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
    let origin: CommitOrigin

    /// Who made it.
    public var id: ID { origin.id }

    /// Makes a commit of a line that says the same.
    init(_ origin: CommitOrigin, _ number: Int, line: Data) {
        (self.origin, self.number, self.line) = (origin, number, line)
    }

    /// Makes a commit that says anything, for those who test a log.
    package init(opening: Int64, sequence: Int64, number: Int, change: String) {
        let origin = CommitOrigin(
            id: ID(opening: opening, sequence: sequence),
            model: CommitOrigin.Model(version: 1, digest: "00000000"))
        var writer = JSONWriter()
        writer.beginObject()
        writer.writeKey(JournalKeys.Record.commit)
        writer.write(Int64(number))
        writer.write(origin)
        writer.writeKey("change")
        writer.write(change)
        writer.endObject()
        self.init(origin, number, line: Data(JournalLine.seal(writer.bytes)))
    }

    /// Reads a line that a commit had, with or without its line feed.
    ///
    /// It reads who made the commit, and checks that the rest is as it was written.
    ///
    /// - Throws: `JSONError`, also if the line is damaged.
    public init(line: Data) throws {
        let isEnded = line.last == UInt8(ascii: "\n")
        let (number, origin) = try line.withUnsafeBytes { line in
            let record = UnsafeRawBufferPointer(rebasing: isEnded ? line.dropLast() : line[...])
            var json = JSONReader(record)
            // A log may keep lines in files, so none has another line in it.
            guard JournalLine.isWhole(record), record.endOfLine(from: 0) == nil else {
                throw json.failure(JournalLine.damage)
            }
            let found = try Self.readOrigin(from: &json)
            guard let found else {
                throw json.failure(.invalidValue(expected: "a commit of a shared document"))
            }
            return found
        }
        self.init(origin, number, line: isEnded ? line : line + [UInt8(ascii: "\n")])
    }

    /// Whether it may bring external bytes, which get files of their own, and take more than a graph does.
    var isLong: Bool { line.count > 1 << 16 }

    /// Whether it was made when another one was, and by whom.
    func isMade(as other: Commit) throws -> Bool {
        let record = try ChangeRecord(line: Array(line))
        // Text has a date as exactly as people need it.
        return record.author == other.author
            && abs(record.date.timeIntervalSince(other.date)) < 0.001
    }

    private static func readOrigin(
        from json: inout JSONReader
    ) throws -> (number: Int, origin: CommitOrigin)? {
        var (number, opening, sequence) = (Int64(0), Int64?.none, Int64?.none)
        var model: CommitOrigin.Model?
        try json.beginObject()
        while let key = try json.nextKey(in: JournalKeys.record) {
            switch key {
            case .commit: number = try json.readInt64()
            case .opening: opening = try json.readInt64()
            case .sequence: sequence = try json.readInt64()
            case .model: model = CommitOrigin.Model(try json.readString())
            default: try json.skipValue()
            }
            // What the commit changed comes after it.
            if model != nil { break }
        }
        guard (1...Int64(Int.max / 2)).contains(number), let opening, let sequence, let model
        else { return nil }
        let id = ID(opening: opening, sequence: sequence)
        return (Int(number), CommitOrigin(id: id, model: model))
    }
}

extension [SharedCommit] {
    /// Stops whoever breaks the rule of ``SharedLog/append(_:after:)`` that numbers have no gaps.
    package func checkNumbers(after number: Int) {
        precondition(
            zip(self, 1...).allSatisfy { $0.number - $1 == number },
            "commits after number \(number) have the numbers \(map(\.number))")
    }
}

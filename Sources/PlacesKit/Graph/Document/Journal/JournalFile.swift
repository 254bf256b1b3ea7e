import Foundation
import PlacesBase

/// The bytes of a journal, read line by line.
struct JournalFile {
    /// What stands at the end of a journal and is no whole record.
    struct Tail: Equatable {
        var line: Int
        var offset: Int
        var count: Int
    }

    /// How far a journal was read.
    struct Outcome {
        /// The last commit that was made again.
        var commit: Commit
        /// How long the lines up to it are, and how many.
        var validCount: Int
        var lineCount: Int
        /// What comes after them, if anything does.
        var tail: Tail?
    }

    let header: JournalHeader
    private let bytes: [UInt8]
    /// Where the lines begin that come next.
    private let start: Int
    /// What comes before the bytes.
    private var skipped: (byteCount: Int, lineCount: Int) = (0, 1)

    /// Reads the first line.
    ///
    /// - Parameters:
    ///   - bytes: The bytes.
    ///   - generation: The generation that the file's name tells, if it has to be that one's journal.
    /// - Throws: `JSONError`, or `SnapshotError`.
    init(_ bytes: [UInt8], of generation: Int64? = nil) throws {
        self.bytes = bytes
        (header, start) = try bytes.withUnsafeBytes { bytes in
            let end = bytes.endOfLine(from: 0) ?? bytes.count
            let header = try JournalHeader(UnsafeRawBufferPointer(rebasing: bytes[..<end]))
            guard end < bytes.count else {
                throw JSONReader(bytes).failure(
                    .unexpectedEnd(expected: "the end of the line"), at: end)
            }
            return (header, end + 1)
        }
        guard let generation, header.generation != generation else { return }
        throw Self.failure(expected: "the journal \(generation), not a copy of another file")
    }

    /// What the first line is found not to be.
    static func failure(expected: String) -> JSONError {
        JSONError(kind: .invalidValue(expected: expected), line: 1, column: 1, byteOffset: 0)
    }

    /// Goes on with bytes that were not there yet, or not whole, behind the ending of what was read.
    init(_ bytes: [UInt8], after position: JournalPosition) {
        (self.bytes, header, start) = (bytes, position.header, position.ending.count)
        skipped = (position.byteCount - start, position.lineCount)
    }

    /// The position of the first commit.
    func beginning(of generation: Int64, _ identity: FileIdentity?) -> JournalPosition {
        JournalPosition(
            generation: generation, identity: identity, header: header, byteCount: start,
            lineCount: 1, ending: ending(at: start))
    }

    /// The position behind what was read of the whole file.
    func position(
        after outcome: Outcome, of generation: Int64, _ identity: FileIdentity?
    ) -> JournalPosition {
        JournalPosition(
            generation: generation, identity: identity, header: header,
            byteCount: outcome.validCount, lineCount: outcome.lineCount,
            ending: ending(at: outcome.validCount))
    }

    /// The last bytes before those that come after so many of the journal.
    func ending(at byteCount: Int) -> [UInt8] {
        Array(bytes[..<(byteCount - skipped.byteCount)].suffix(JournalPosition.endingCount))
    }

    /// Makes commits again, as far as lines are whole.
    ///
    /// What was cut short by a crash can only stand at the end, after everything that was known to be
    /// on disk when a later line was written. Damage elsewhere is an error, and so are lines that are missing, or in
    /// another order.
    ///
    /// - Parameters:
    ///   - commit: The commit after which the journal is expected to go on.
    ///   - limit: The number of the last commit that is wanted; `nil` for all.
    ///   - isLast: Whether the journal may end with a line that was cut short.
    ///   - body: Makes the commit of a line again; gets the number of the commit before it, and gives `nil` to stop there.
    /// - Returns: How far it came.
    /// - Throws: `JSONError` with the line and byte, or what `body` throws.
    func forEachRecord(
        after commit: Commit, upTo limit: Int? = nil, isLast: Bool = true,
        _ body: (UnsafeRawBufferPointer, Int) throws -> Commit?
    ) throws -> Outcome {
        try bytes.withUnsafeBytes { bytes in
            var outcome = Outcome(
                commit: commit, validCount: start + skipped.byteCount, lineCount: skipped.lineCount)
            while outcome.validCount < skipped.byteCount + bytes.count,
                limit.map({ outcome.commit.number < $0 }) ?? true
            {
                let offset = outcome.validCount - skipped.byteCount
                let end = bytes.endOfLine(from: offset)
                let line = UnsafeRawBufferPointer(rebasing: bytes[offset..<(end ?? bytes.count)])
                guard let end, JournalLine.isWhole(line) else {
                    guard isLast, !Self.isKnown(outcome.commit.number + 1, after: offset, in: bytes)
                    else {
                        throw JSONError(
                            kind: JournalLine.damage,
                            line: outcome.lineCount + 1, column: 1, byteOffset: outcome.validCount)
                    }
                    outcome.tail = Tail(
                        line: outcome.lineCount + 1, offset: outcome.validCount,
                        count: bytes.count - offset)
                    break
                }
                let expected = outcome.commit.number + 1
                if let number = JournalLine.number(line), number != expected {
                    throw JSONError(
                        kind: .invalidValue(expected: "the commit \(expected)"),
                        line: outcome.lineCount + 1, column: 1, byteOffset: outcome.validCount)
                }
                do {
                    guard let commit = try body(line, outcome.commit.number) else { break }
                    outcome.commit = commit
                } catch let error as JSONError {
                    let located = JSONError(error.kind, at: error.byteOffset, in: line)
                    throw JSONError(
                        kind: error.kind, line: outcome.lineCount + 1, column: located.column,
                        byteOffset: outcome.validCount + error.byteOffset)
                }
                outcome.validCount += end + 1 - offset
                outcome.lineCount += 1
            }
            return outcome
        }
    }

    /// Whether a later line says that a commit was on disk when it was written.
    private static func isKnown(
        _ commit: Int, after offset: Int, in bytes: UnsafeRawBufferPointer
    ) -> Bool {
        var offset = bytes.endOfLine(from: offset)
        while let start = offset, let end = bytes.endOfLine(from: start + 1) {
            let line = UnsafeRawBufferPointer(rebasing: bytes[start + 1..<end])
            if JournalLine.isWhole(line), let synced = JournalLine.synced(line)?.number,
                synced >= commit
            {
                return true
            }
            offset = end
        }
        return false
    }
}

extension JournalFile.Tail {
    /// What is said of it where it was dropped.
    func finding(in file: FilePath, _ last: Commit) -> DocumentRecovery.Finding {
        .tornJournal(
            file: file.description, line: line, byteOffset: offset, byteCount: count,
            lastCommit: last.number)
    }
}

extension UnsafeRawBufferPointer {
    /// Where the next line feed is.
    func endOfLine(from offset: Int) -> Int? {
        guard let baseAddress, offset < count,
            let found = memchr(baseAddress + offset, 0x0A, count - offset)
        else { return nil }
        return UnsafeRawPointer(found) - baseAddress
    }
}

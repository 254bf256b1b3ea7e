import PlacesBase

/// Where in the journals somebody is who follows a document.
struct ChangePosition {
    /// How many bytes are read at a time, unless a line is longer.
    private static let chunkSize = 1 << 16

    private var journal: JournalPosition
    /// The last commit before it.
    private var commit: Commit
    /// The generations of the journals that follow, as far as they were listed: there may be thousands.
    private var following: ArraySlice<Int64> = []

    /// The position before the first commit of a journal.
    init(beginning journal: JournalPosition) {
        (self.journal, commit) = (journal, journal.header.commit)
    }

    /// The position before the first commit of the last journal that begins at a commit or before; `nil` where none does, or
    /// the document was migrated or the names have changed since.
    ///
    /// - Parameters:
    ///   - number: The number of the commit.
    ///   - directory: Where the journals are.
    ///   - own: What the next journal would begin with; `nil` where none is written.
    /// - Throws: `FileSystemError`, or `DocumentError`.
    /// - Complexity: O(k) for k bytes of the first lines of this journal and those that follow.
    init?(
        after number: Int, in directory: DocumentDirectory, before own: JournalHeader?
    ) throws {
        var next = own
        let journals = try directory.generations().journals
        for (position, generation) in journals.enumerated().reversed() {
            let beginning = try directory.beginning(of: generation)
            let header = beginning.header
            if let next, !header.leads(to: next) { return nil }
            guard header.commit.number > number else {
                self.init(beginning: beginning)
                following = journals[(position + 1)...]
                return
            }
            next = header
        }
        return nil
    }

    /// Takes the lines of the commits after one, up to the latest, as many as there is room for, and moves behind them.
    ///
    /// - Parameters:
    ///   - number: The number of the commit, which is not before the position.
    ///   - latest: The number of the latest commit.
    ///   - limit: How much room there is.
    ///   - directory: Where the journals are.
    /// - Returns: The lines; `nil` where the journals do not lead on as expected, which the whole of them explains.
    /// - Throws: `FileSystemError`, or `DocumentError`.
    /// - Complexity: O(k) for k bytes of the lines from the position on.
    mutating func takeLines(
        after number: Int, latest: Int, limit: Int, in directory: DocumentDirectory
    ) throws -> WaitingLines? {
        guard commit.number <= number else { return nil }
        var (lines, reached) = (WaitingLines(), number)
        while commit.number < latest, !lines.goesOn {
            guard let bytes = try wholeLines(in: directory) else { return nil }
            guard !bytes.isEmpty else {
                guard try goOn(in: directory) else { return nil }
                continue
            }
            let file = JournalFile(bytes, after: journal)
            let outcome = try file.forEachRecord(after: commit, upTo: latest) { line, last in
                // A disk that failed, or a member that was killed, may have left what the next journal has again.
                if last >= reached {
                    lines.add(Array(line) + [UInt8(ascii: "\n")], limit: limit)
                    // What there was no room for comes next time.
                    if lines.goesOn { return nil }
                    reached = last + 1
                }
                return Commit(number: last + 1, date: commit.date)
            }
            guard outcome.tail == nil else { return nil }
            commit = outcome.commit
            (journal.byteCount, journal.lineCount) = (outcome.validCount, outcome.lineCount)
            journal.ending = file.ending(at: outcome.validCount)
        }
        return lines
    }

    /// The ending of what was read and the next lines of the journal, nothing at its end; `nil` where it is another one.
    private func wholeLines(in directory: DocumentDirectory) throws -> [UInt8]? {
        var count = Self.chunkSize
        while true {
            guard let bytes = try journal.bytes(upTo: count, in: directory) else { return nil }
            let lines = bytes.dropFirst(journal.ending.count)
            if let end = lines.lastIndex(of: UInt8(ascii: "\n")) { return Array(bytes[...end]) }
            guard lines.count == count else { return [] }
            count *= 4
        }
    }

    /// Moves to the journal that follows; whether it goes on with the next commit, or again with an earlier one, and the
    /// same names.
    private mutating func goOn(in directory: DocumentDirectory) throws -> Bool {
        if following.isEmpty {
            following = try directory.generations().journals.drop { $0 <= journal.generation }
        }
        guard let next = following.popFirst() else { return false }
        let beginning = try directory.beginning(of: next)
        guard beginning.header.commit.number <= commit.number,
            journal.header.leads(to: beginning.header)
        else { return false }
        (journal, commit) = (beginning, beginning.header.commit)
        return true
    }
}

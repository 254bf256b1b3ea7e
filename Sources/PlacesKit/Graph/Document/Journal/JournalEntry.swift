import Foundation

/// What a journal gets next: a commit, or several that others made.
///
/// What a commit changed holds two graphs, some tens of kilobytes. So where many wait, only the last ones have that,
/// and those that bring bytes with external storage.
struct JournalEntry: Sendable {
    private enum Lines {
        /// That of one commit, which is made when it is written.
        case unmade
        /// That of one commit.
        case own([UInt8])
        /// Those of several commits, as others have them.
        case others([Data])
    }

    /// The number of the last of the commits.
    let number: Int
    /// What they changed, and what the last of them left; `nil` where the lines are enough.
    private(set) var made: CommittedChanges?
    private var lines: Lines
    /// What objects gained and lost by the commits, where that is not told by what they changed any more.
    private var sealedBalance = BlobBalance()

    /// An entry for commits whose lines are there; without lines for one commit, which is written as it was made.
    init(_ made: CommittedChanges, lines: [Data] = []) {
        (number, self.made) = (made.committed.number, made)
        self.lines = lines.isEmpty ? .unmade : .others(lines)
    }

    /// The same entry without the commits up to one, which the files have; `nil` where nothing is left.
    func following(_ last: Int) -> JournalEntry? {
        guard number > last else { return nil }
        guard case .others(let lines) = lines else { return self }
        var rest = self
        rest.lines = .others(lines.suffix(number - last))
        return rest
    }

    /// Keeps what is to be written, and forgets what was changed.
    ///
    /// It does nothing where that brings bytes which get files of their own.
    mutating func seal(names: JournalNames, synced: Int) {
        guard let made else { return }
        if case .unmade = lines {
            guard !made.changes.bringsBlobs else { return }
            lines = .own(JournalEncoder.line(made, names: names, synced: synced))
        }
        sealedBalance = made.changes.blobBalance
        self.made = nil
    }

    /// What objects gained and lost of bytes with external storage.
    var blobBalance: BlobBalance { made?.changes.blobBalance ?? sealedBalance }

    /// The lines of the commits.
    ///
    /// - Parameters:
    ///   - names: The names of the properties.
    ///   - synced: The latest commit that is known to be on disk before the lines are written.
    ///   - blobs: Writes the blobs.
    /// - Returns: A line for each commit.
    func lines(names: JournalNames, synced: Int, blobs: BlobWriter) -> [[UInt8]] {
        switch lines {
        case .unmade:
            guard let made else { preconditionFailure("commit \(number) has no line") }
            return [JournalEncoder.line(made, names: names, synced: synced, blobs: blobs)]
        case .own(let line): return [line]
        case .others(let lines): return lines.map { $0.withUnsafeBytes(JournalLine.unsynced) }
        }
    }
}

extension ChangeSet {
    /// Whether a line is made of it in no time, and from memory: who just commits something else can do so.
    var hasShortLine: Bool {
        tables.reduce(0) { $0 + $1.count } <= 100 && !bringsBlobs
    }

    /// Whether attributes with external storage were given bytes.
    fileprivate var bringsBlobs: Bool { bringsBlob { !$0.isInline } }

    /// Whether attributes were given a blob of which something is true.
    func bringsBlob(where isMatch: (Blob) -> Bool) -> Bool {
        tables.tableNumbers.contains { table in
            let columns = after.tables[table].columns
            func brings(_ row: Row, _ slot: Slot) -> Bool {
                columns[slot].isValid(at: row)
                    && isMatch(columns[slot].element(Blob.self, at: row))
            }
            let slots = columns.slots.filter { columns[$0].kind == .blob }
            return slots.contains { slot in
                tables[table].inserted.contains { brings($0, slot) }
                    || tables[table].updated.contains {
                        hasChanged($0, slot, in: table) && brings($0.row, slot)
                    }
            }
        }
    }
}

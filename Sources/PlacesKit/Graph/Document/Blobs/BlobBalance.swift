/// How many bytes with external storage objects have, and how many none has any more.
struct BlobBalance {
    /// The bytes that objects have.
    var owned = 0
    /// The bytes that objects have lost since the last snapshot was begun; their files stay until a snapshot comes that
    /// does not name them.
    var lost = 0

    init(owned: Int = 0, lost: Int = 0) { (self.owned, self.lost) = (owned, lost) }

    /// What objects of a graph have, and what they lost of the blobs that its files name.
    init(of graph: Graph, named references: Set<BlobReference>) {
        guard !references.isEmpty else { return }
        owned = graph.blobByteCount
        lost = max(0, references.reduce(0) { $0.adding($1.byteCount) } - owned)
    }

    /// Adds what commits did.
    static func += (balance: inout BlobBalance, change: BlobBalance) {
        balance.owned = balance.owned.adding(change.owned)
        balance.lost = balance.lost.adding(change.lost)
    }
}

extension Graph {
    /// How many bytes with external storage its objects have.
    ///
    /// - Complexity: O(n) for n rows of the tables that have such attributes.
    var blobByteCount: Int {
        var count = 0
        forEachBlob { blob, _ in count = count.adding(blob.isInline ? 0 : blob.count) }
        return count
    }
}

extension ChangeSet {
    /// What objects gained and lost of bytes with external storage.
    ///
    /// What comes back by an undo is counted as lost all the same: then a snapshot comes too early once.
    var blobBalance: BlobBalance {
        var balance = BlobBalance()
        for table in tables.tableNumbers where !tables[table].isEmpty {
            for slot in after.tables[table].columns.slots
            where after.tables[table].columns[slot].kind == .blob {
                func bytes(_ row: Row, in graph: Graph) -> Int {
                    let column = graph.tables[table].columns[slot]
                    guard column.isValid(at: row) else { return 0 }
                    let blob = column.element(Blob.self, at: row)
                    return blob.isInline ? 0 : blob.count
                }
                let updated = tables[table].updated.lazy
                    .filter { hasChanged($0, slot, in: table) }.map(\.row)
                func sum(_ rows: some Sequence<Row>, in graph: Graph) -> Int {
                    rows.reduce(0) { $0.adding(bytes($1, in: graph)) }
                }
                let gained = sum(tables[table].inserted, in: after)
                    .adding(sum(updated, in: after))
                let lost = sum(tables[table].deleted, in: before)
                    .adding(sum(updated, in: before))
                balance += BlobBalance(owned: gained - lost, lost: lost)
            }
        }
        return balance
    }
}

extension Int {
    /// The sum of numbers of bytes, or as many as no disk has, to which more can be added: many objects may name one file,
    /// and a damaged file any.
    fileprivate func adding(_ other: Int) -> Int {
        let (sum, isTooFar) = addingReportingOverflow(other)
        let limits = Int.min / 4...Int.max / 4
        return isTooFar
            ? (other > 0 ? limits.upperBound : limits.lowerBound)
            : Swift.min(Swift.max(sum, limits.lowerBound), limits.upperBound)
    }
}

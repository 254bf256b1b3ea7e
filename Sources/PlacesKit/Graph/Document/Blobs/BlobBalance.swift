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
        lost = max(0, references.reduce(0) { $0 + $1.byteCount } - owned)
    }

    /// Adds what commits did.
    static func += (balance: inout BlobBalance, change: BlobBalance) {
        balance.owned += change.owned
        balance.lost += change.lost
    }
}

extension Graph {
    /// How many bytes with external storage its objects have.
    ///
    /// - Complexity: O(n) for n rows of the tables that have such attributes.
    var blobByteCount: Int {
        var count = 0
        forEachBlob { blob, _ in count += blob.isInline ? 0 : blob.count }
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
                let gained =
                    tables[table].inserted.reduce(0) { $0 + bytes($1, in: after) }
                    + updated.reduce(0) { $0 + bytes($1, in: after) }
                let lost =
                    tables[table].deleted.reduce(0) { $0 + bytes($1, in: before) }
                    + updated.reduce(0) { $0 + bytes($1, in: before) }
                balance += BlobBalance(owned: gained - lost, lost: lost)
            }
        }
        return balance
    }
}

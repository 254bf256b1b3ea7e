extension DocumentDirectory {
    /// Calls `body` with every record of all journals and the number of its commit, in order.
    ///
    /// A commit may come twice, where the disk had failed and a new generation was begun.
    func forEachRecord(
        header: (JournalHeader) throws -> Void = { _ in },
        _ body: (UnsafeRawBufferPointer, Int) throws -> Void
    ) throws {
        for journal in try generations().journals {
            try reading(self.journal(journal)) { bytes in
                let file = try JournalFile(bytes)
                try header(file.header)
                var commit = file.header.commit
                _ = try file.forEachRecord(after: commit) { line, number in
                    try body(line, number + 1)
                    commit.number = number + 1
                    return commit
                }
            }
        }
    }
}

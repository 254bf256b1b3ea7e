import PlacesBase

extension DocumentDirectory {
    /// The position before the first commit of a journal.
    func beginning(of generation: Int64) throws -> JournalPosition {
        let path = journal(generation)
        let identity = files.identity(of: path)
        return try naming(path) {
            try JournalFile(firstLine(of: path), of: generation)
                .beginning(of: generation, identity)
        }
    }

    /// The first line of a file; of one that cannot be ours its beginning, where the fault is found.
    private func firstLine(of path: FilePath) throws(FileSystemError) -> [UInt8] {
        var count = DocumentFile.prefixCount
        while true {
            let bytes = try files.read(path, prefix: count)
            if let end = bytes.firstIndex(of: UInt8(ascii: "\n")) { return Array(bytes[...end]) }
            guard bytes.count == count, DocumentFile.isReadable(bytes) else { return bytes }
            count *= 4
        }
    }

    /// Calls `body` with every record of all journals, or of those from a generation on, and the number of its commit, in
    /// order.
    ///
    /// A commit may come twice, where the disk had failed and a new generation was begun. Before those of a journal,
    /// `begin` gets the position of the first. A journal that goes meanwhile is an error, or as if it had gone before.
    func forEachRecord(
        from first: Int64 = 0, passingOverGone: Bool = false,
        begin: (JournalPosition) throws -> Void = { _ in },
        _ body: (UnsafeRawBufferPointer, Int) throws -> Void
    ) throws {
        for journal in try generations().journals where journal >= first {
            let path = self.journal(journal)
            let identity = files.identity(of: path)
            do {
                try reading(path) { bytes in
                    let file = try JournalFile(bytes, of: journal)
                    try begin(file.beginning(of: journal, identity))
                    var commit = file.header.commit
                    _ = try file.forEachRecord(after: commit) { line, number in
                        try body(line, number + 1)
                        commit.number = number + 1
                        return commit
                    }
                }
            } catch {
                guard passingOverGone, try !files.exists(path) else { throw error }
            }
        }
    }
}

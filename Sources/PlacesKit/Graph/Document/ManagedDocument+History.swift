import PlacesBase

/// A commit that the files of a document keep.
public struct DocumentCommit: Sendable, Hashable, Identifiable {
    /// The number, date and author of the commit.
    public var commit: Commit
    /// The number of objects that it inserted.
    public var insertedCount = 0
    /// The number of objects that it updated.
    ///
    /// These are objects whose attributes or to-one relationships changed, objects that it linked or parted in
    /// many-to-many relationships, and those whose lists it put in another order. An object at the other end of a to-one
    /// relationship does not count.
    public var updatedCount = 0
    /// The number of objects that it deleted.
    public var deletedCount = 0
    /// The names of the entities of all these objects, as they were when the commit was made.
    ///
    /// Of an object that only links or an order tell of, it is the entity that the relationship names, which the object's
    /// own may inherit from.
    public var entities: Set<String> = []

    /// The number of the commit.
    public var id: Int { commit.number }
}

extension ManagedDocument {
    /// Lists the commits that the files keep, oldest first.
    ///
    /// ```swift
    /// let imports = try await document.history().filter {
    ///     $0.commit.author == "import" && $0.entities.contains("Photo")
    /// }
    /// ```
    /// Without ``Options/keepsHistory`` these are the commits since the file snapshot before the
    /// latest one. The commit of the oldest file snapshot comes first, without counts. While the disk takes nothing, those
    /// are missing that are not in the files yet.
    ///
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func history() async throws -> [DocumentCommit] {
        let writer = writer
        return try await writer.queue.run {
            _ = try writer.writeToRead(.system)
            return try writer.directory.steadily { try writer.directory.commits() }
        }
    }

    /// Reads the objects as they were after a commit that the files keep.
    ///
    /// If the commit was made with an earlier model, the objects are migrated in memory.
    ///
    /// - Parameter number: The number of the commit.
    /// - Returns: The objects, for any thread.
    /// - Throws: `HistoryError`, or `DocumentError`.
    public nonisolated(nonsending) func snapshot(
        at number: Int
    ) async throws -> GraphSnapshot {
        let (writer, model) = (writer, store.model)
        let migrationModel = MigrationModel(model, options)
        let content = try await writer.queue.run { () -> Result<DocumentContent, HistoryError> in
            let failure = try writer.writeToRead(.system)
            let written = writer.log.written.number
            if let failure, number > written { throw failure }
            return try writer.directory.steadily {
                try writer.directory.readKept(number, written: written) {
                    try writer.directory.readMigrating(migrationModel, upTo: number)
                }
            }
        }.get()
        return GraphStore(
            model: model, graph: content.graph, commit: content.commit, isReadOnly: true
        ).snapshot()
    }
}

extension DocumentDirectory {
    /// Reads what the document held after a commit.
    ///
    /// Which commits the files keep, all journals tell: that is looked at where nothing leads to this one.
    ///
    /// - Parameters:
    ///   - number: The number of the commit.
    ///   - written: The last commit that the files are known to have; `nil` for who reads them for the first time.
    ///   - read: Reads the document up to the commit.
    /// - Returns: What the document held, or why that is not known.
    /// - Throws: `DocumentError`, or `FileSystemError`.
    func readKept(
        _ number: Int, written: Int?, _ read: () throws -> DocumentContent
    ) throws -> Result<DocumentContent, HistoryError> {
        let isBeyond = !isReadOnly && number > written ?? number
        if !isBeyond, let content = try? read(), content.commit.number == number {
            return .success(content)
        }
        // Somebody who writes the document may be further, and may not keep what was latest here.
        let numbers = try commits().map(\.id)
        let latest = max(written ?? 0, numbers.last ?? 0)
        guard number <= latest else { return .failure(.notCommitted(number, latest: latest)) }
        guard let first = numbers.first ?? written, number >= first else {
            return .failure(.notKept(number, kept: (numbers.first ?? latest)...latest))
        }
        return .success(try read())
    }

    /// The commits of all journals to which a snapshot leads.
    func commits() throws -> [DocumentCommit] {
        let (snapshots, journals) = try generations()
        // A snapshot that is being removed, or is lost, may leave its journal.
        guard let earliest = snapshots.first(where: journals.contains) else { return [] }
        var commits: [Int: DocumentCommit] = [:]
        var lists = JournalLists([])
        try forEachRecord(from: earliest) { position in
            let commit = position.header.commit
            lists = JournalLists(position.header.entities)
            if commits[commit.number] == nil,
                try files.exists(snapshot(position.header.generation))
            {
                commits[commit.number] = DocumentCommit(commit: commit)
            }
        } _: { line, number in
            let record = try ChangeRecord(line: Array(line), keepsValues: false)
            commits[number] = DocumentCommit(record, lists)
        }
        let numbers = commits.keys.sorted()
        // What comes before a gap cannot be reached from what follows it.
        let first = numbers.indices.last { $0 > 0 && numbers[$0 - 1] != numbers[$0] - 1 } ?? 0
        return numbers[first...].compactMap { commits[$0] }
    }
}

extension DocumentCommit {
    /// Counts what a record lists.
    fileprivate init(_ record: ChangeRecord, _ lists: JournalLists) {
        commit = Commit(record)
        let told = record.inserted + record.updated
        let linked = lists.linkedObjects(of: record, but: told)
        insertedCount = record.inserted.count
        updatedCount = record.updated.count + linked.count
        deletedCount = record.deleted.count
        entities = Set((told.map(\.id) + record.deleted).map(\.entity)).union(linked.values)
    }
}

import PlacesBase

/// What opening a document made: its store, and who writes its files.
struct OpenedDocument {
    let store: GraphStore
    let writer: DocumentWriter
    let recovery: DocumentRecovery
    /// Reads what somebody else writes, where the document is only read.
    let follower: DocumentFollower?

    /// Opens a document that is not shared.
    init(
        _ path: FilePath, _ model: ObjectModel, _ options: ManagedDocument.Options,
        _ files: any FileSystem
    ) throws {
        let directory = try DocumentDirectory(
            at: path, createsDocument: options.createsDocument,
            isReadOnly: options.isReadOnly, access: options.access.ofFiles,
            files: files)
        guard try options.isReadOnly || !directory.isShared else {
            throw DocumentError.shared(path: path.description)
        }
        let content = try directory.readSteadily(
            MigrationModel(model, options), withWaiting: options.showsWaiting,
            progress: options.progress)
        try self.init(directory, content, model, options)
        // Written at once, so that it is migrated once, and not each time that it is opened.
        if content.isMigrated { try writer.compact() }
    }

    /// Opens a document that is shared; the log may have given a range of numbers, and a base to begin with.
    init(
        _ directory: DocumentDirectory, _ model: ObjectModel, _ options: ManagedDocument.Options,
        sharingIn range: Int?, _ base: BaseContent?
    ) throws {
        let path = directory.path
        let migration = MigrationModel(model, options)
        var content = try directory.readMigrating(migration, progress: options.progress)
        guard !content.isMigrated else {
            throw DocumentError.differentModel(
                file: path.description,
                differences: ["a document is not migrated while it is shared"])
        }
        let known = try SharingMembership.read(directory.path, directory.files)
        guard known != nil || content.commit.number == 0 else {
            throw DocumentError.replaced(path: path.description)
        }
        guard
            content.commit.number > 0 || content.graph.objectCount == 0 || known?.joining != nil
        else {
            throw DocumentError.notShared(
                path: path.description, reason: "it has objects that the log never had")
        }
        if content.commit.number == known?.joining {
            content.commit.number = 1
            content.needsGeneration = true
        }
        if let base {
            var replay = JournalReplay(
                content.graph, checks: migration.checks, blobs: BlobReader(directory.blobs))
            content.commit = try base.replace(
                in: &replay, of: CommitOrigin.Model(model.layout.schema), path)
            content.graph = replay.finish()
            content.needsGeneration = true
        }
        var membership = try SharingMembership.begin(known, in: directory, claimed: range)
        let rows = RowAllocator(
            tables: model.layout.tables.count, clearing: options.rowsClearedAtOnce, isShared: true)
        let outbox = try OutboxContent(
            directory, &content, migration, membership, rows: rows,
            changesLimit: options.unsharedChangesLimit)
        store = GraphStore(
            model: model, graph: outbox.graph,
            commit: outbox.content.commits.last?.commit ?? outbox.content.confirmed.commit,
            rows: rows,
            now: options.now, clock: options.clock)
        writer = try DocumentWriter(
            directory, content, store: store, after: outbox.written,
            outbox: Outbox(
                outbox, membership.makeIdentity(), model.layout, rows: rows,
                changesLimit: options.unsharedChangesLimit),
            options: options)
        follower = nil
        recovery = content.findings(in: directory)
        // So that there is a snapshot on which commits of the log can always be made.
        if content.generation == 0 {
            try writer.write(.disk)
        } else if base != nil {
            try writer.compact()
        }
        if membership.joining != nil {
            try writer.beginAnew()
            membership.joining = nil
            try membership.write(in: directory)
        }
    }

    init(
        _ directory: DocumentDirectory, _ content: DocumentContent, _ model: ObjectModel,
        _ options: ManagedDocument.Options
    ) throws {
        var graph = content.graph
        if options.isReadOnly {
            for table in graph.layout.entityTables {
                graph.tables[table].numbers = graph.tables[table].numbers.following(
                    before: graph.tables[table].rows.upperBound)
            }
        }
        store = GraphStore(
            model: model, graph: graph, commit: content.commit,
            isReadOnly: options.isReadOnly, clearing: options.rowsClearedAtOnce,
            now: options.now, clock: options.clock)
        var written = store.head
        written.commit = content.confirmed ?? written.commit
        writer = try DocumentWriter(
            directory, content, store: store, after: written, options: options)
        follower =
            options.isReadOnly
            ? DocumentFollower(writer, MigrationModel(model, options), after: content) : nil
        recovery = content.findings(in: directory)
    }
}

extension ManagedDocument.Options {
    /// Whether commits are shown that wait for the log of a shared document.
    ///
    /// They may become others each time that the log has those of others, so who follows the writer commit by commit gets
    /// them when the log has them.
    var showsWaiting: Bool { isReadOnly && !followsWriter }
}

extension DocumentContent {
    /// What was not as it should be in the files, and in the folder.
    fileprivate func findings(in directory: DocumentDirectory) -> DocumentRecovery {
        DocumentRecovery(findings: recovery.findings + directory.leftovers)
    }
}

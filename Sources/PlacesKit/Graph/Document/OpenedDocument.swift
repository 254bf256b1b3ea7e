import PlacesBase

/// What opening a document made: its store, and who writes its files.
struct OpenedDocument {
    let store: GraphStore
    let writer: DocumentWriter
    let recovery: DocumentRecovery
    /// Reads what somebody else writes, where the document is only read.
    let follower: DocumentFollower?

    init(
        _ path: FilePath, _ model: ObjectModel, _ options: ManagedDocument.Options,
        _ files: any FileSystem
    ) throws {
        let directory = try DocumentDirectory(
            at: path, createsDocument: options.createsDocument,
            isReadOnly: options.isReadOnly, access: options.access.ofFiles,
            files: files)
        let content = try directory.readSteadily(
            MigrationModel(model, options), progress: options.progress)
        try self.init(directory, content, model, options)
        // Written at once, so that it is migrated once, and not each time that it is opened.
        if content.isMigrated { try writer.compact() }
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
            isReadOnly: options.isReadOnly, now: options.now, clock: options.clock)
        writer = try DocumentWriter(
            directory, content, store: store, log: CommitLog(store.head), options: options)
        follower =
            options.isReadOnly
            ? DocumentFollower(writer, MigrationModel(model, options), after: content) : nil
        var recovery = content.recovery
        recovery.findings += directory.leftovers
        self.recovery = recovery
    }
}

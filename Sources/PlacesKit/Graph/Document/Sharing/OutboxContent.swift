import Foundation
import PlacesBase

/// What a document's folder holds of commits that the log may not have.
struct OutboxContent {
    /// What the log had, with the numbers of objects that all graphs have from here on, and the commits.
    var content: Outbox.Content
    /// What the journals lead to: what the log had, or what it has since others were first.
    private(set) var written: CommittedGraph
    let refused: RefusedCommits
    /// The files of commits.
    var files: [FilePath] = []

    /// The graph that the last commit left.
    private(set) var graph: Graph

    /// Reads the commits that were made on what a document holds.
    ///
    /// The document's journal may be ahead of the commit on which they were made. Where it has the first of them, the log
    /// has these, and the others come after it. Where it has commits of others, they are on what there was before; the log
    /// has what came after, and the files need not get it again.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - document: What it holds; it gets what there is to say of the files.
    ///   - model: The model.
    ///   - membership: The numbers for new objects, and which objects get others.
    ///   - rows: Keeps rows from being used again.
    ///   - changesLimit: How many of the commits keep what they changed in memory.
    /// - Throws: `DocumentError`, or `FileSystemError`.
    init(
        _ directory: DocumentDirectory, _ document: inout DocumentContent, _ model: MigrationModel,
        _ membership: SharingMembership, rows: RowAllocator, changesLimit: Int
    ) throws {
        let bases = try directory.fileNames().compactMap { OutboxName($0)?.base }.sorted()
        let founded = bases.prefix { $0 <= document.commit.number }
        let base = founded.last
        if base == nil, let first = bases.first {
            throw DocumentError.incomplete(file: directory.outbox(after: first).description)
        }
        try Self.removeUnfounded(bases.dropFirst(founded.count), in: directory)
        files = founded.map(directory.outbox(after:))
        refused = RefusedCommits(try RefusedCommits.read(in: directory))
        (written, graph) = (document.committed, document.graph)
        content = Outbox.Content(written, [])
        if let base, case let path = directory.outbox(after: base) {
            let finding = try directory.reading(path) {
                bytes -> DocumentRecovery.Finding? in
                let waiting = try WaitingCommits(bytes, in: directory, after: base)
                if try !directory.journals(goOnWith: waiting, upTo: written.number)
                    || waiting.have(membership.renumbered, upTo: written.number)
                {
                    let former = try directory.readMigrating(model, upTo: base).committed
                    (content, graph) = (Outbox.Content(former, []), former.graph)
                }
                return try read(
                    waiting, of: path, directory, model, membership.renumbered, rows, changesLimit)
            }
            if let finding { document.recovery.findings.append(finding) }
        }
        share(from: membership.opening)
        // Others go on from there, and so do the files.
        if written.number == content.confirmed.number { written = content.confirmed }
    }

    /// Removes files that begin on what the document does not have, for good.
    ///
    /// The snapshot that was to have it failed, and nobody was told of what is in them. They would count as soon as
    /// the document gets there.
    private static func removeUnfounded(
        _ bases: ArraySlice<Int>, in directory: DocumentDirectory
    ) throws {
        guard !bases.isEmpty else { return }
        for base in bases { try directory.files.remove(directory.outbox(after: base)) }
        try directory.files.synchronizeDirectory(directory.path)
    }

    /// Reads the commits after the confirmed one; returns what there was to say of their file.
    private mutating func read(
        _ waiting: WaitingCommits, of path: FilePath, _ directory: DocumentDirectory,
        _ model: MigrationModel, _ renumbered: RenumberedObjects, _ rows: RowAllocator,
        _ changesLimit: Int
    ) throws -> DocumentRecovery.Finding? {
        var replay = JournalReplay(
            content.confirmed.graph, checks: model.checks, blobs: BlobReader(directory.blobs))
        try replay.use(waiting.header)
        let base = waiting.header.commit.number
        let (last, tail) = try waiting.forEachNew(after: content.confirmed.commit) {
            line, bytes, number in
            replay.know(line.values)
            // None of those before has such an object, and the log may have them as they are called.
            if renumbered.concern(line.id.opening) {
                replay.renumbered = renumbered.inRange(of: line.id.opening)
            } else if replay.renumbered.areKnown(to: line.id.opening) {
                // What was refused keeps its identifier in files that were written since.
                replay.renumbered = RenumberedObjects()
            }
            let commit = try replay.apply(bytes, after: number)
            let changes = replay.takeChanges()
            graph = changes.after
            let isMoved = !replay.renumbered.isEmpty
            let isRefused = refused.covers(line.id)
            let id = replay.renumbered.id(ofWaiting: number - base)
            content.commits.append(
                UnsharedCommit(
                    isRefused ? line.id : id ?? line.id, commit, changes,
                    line: isMoved ? nil : line, in: rows))
            let former = content.commits.count - 1 - changesLimit
            if former >= 0 { content.commits[former].forgetChanges() }
            return commit
        }
        // What was cut short by a crash was not reported to be on disk.
        return tail?.finding(in: path, last)
    }

    /// Gives later rows of all graphs numbers that nobody else gives out.
    private mutating func share(from opening: Int64) {
        let last = graph
        let numbers = last.layout.entityTables.map { table in
            last.tables[table].numbers.sharing(
                from: opening, before: last.tables[table].rows.upperBound)
        }
        func share(_ graph: inout Graph) {
            for table in graph.layout.entityTables { graph.tables[table].numbers = numbers[table] }
        }
        content.share(share)
        share(&graph)
    }
}

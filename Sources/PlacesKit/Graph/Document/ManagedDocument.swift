public import Foundation
import PlacesBase

/// A graph of objects that is kept in a directory.
///
/// ```swift
/// let document = try await ManagedDocument.open(at: url, model: [Photo.self, Place.self])
/// let photo = Photo(context: document.viewContext)
/// try await document.save()
/// ```
///
/// - The document reads and writes on threads of its own; the caller's actor is not blocked.
/// - A save costs as much as it changes. A moment after a context saved, the document writes the
///   commit to disk by itself. If it was opened on an actor, it also saves edits of the view
///   context.
/// - A document that is released without `close()` writes what was saved, unless it has no
///   ``Options/autosave``, and reports changes that were not.
/// - Opening a document of earlier classes migrates it: <doc:Migration>.
/// - A document is locked while it is open: a second writer, in this process or another, is
///   refused.
/// - After a crash at any time a document has all commits up to a certain one. No commit is missing
///   that was reported to be on disk. See <doc:Durability>.
public final class ManagedDocument {
    /// The directory.
    public private(set) var url: URL
    /// The store, with the committed graph; any number of contexts can be made from it.
    public let store: GraphStore
    /// The context for the isolation that opened the document.
    public let viewContext: ManagedObjectContext
    /// What opening the document did about damaged or incomplete files.
    public let recovery: DocumentRecovery
    /// The exchange of commits with other processes, where the document was opened with a ``SharedLog``.
    public let sharing: DocumentSharing?

    let writer: DocumentWriter
    let options: Options
    let follower: DocumentFollower?
    private let logListener: Int?
    private var autosave: Task<Void, Never>?
    private var editAutosave: Task<Void, Never>?
    private var isClosed = false
    /// The commit up to which the caller has given up what is in no file.
    private var reverted: Int?
    /// Those who wait for a close that is under way; `nil` where none is.
    private var waitingForClose: [CheckedContinuation<Void, any Error>]?

    init(
        url: URL, options: Options, _ opened: OpenedDocument, sharing log: (any SharedLog)? = nil,
        isolation: isolated (any Actor)?
    ) {
        self.url = url
        self.options = options
        (recovery, writer, store) = (opened.recovery, opened.writer, opened.store)
        follower = opened.follower
        sharing =
            if let log, let outbox = writer.outbox {
                DocumentSharing(log, writer, outbox)
            } else {
                nil
            }
        // The first of all who hear of commits, so that whoever hears of one finds it in the log.
        logListener =
            if let sharing {
                sharing.listen()
            } else if options.isReadOnly {
                nil
            } else {
                store.addListener(
                    CommitListener { [log = writer.log] in log.append(JournalEntry($0)) })
            }
        viewContext = ManagedObjectContext(store, isolation: isolation)
        if options.isReadOnly {
            writer.status.set(.editingDisabled)
            if options.followsWriter { follower?.watch() }
        } else {
            autosave = options.autosave.map { DocumentAutosave.start(writer, $0) }
            DocumentAutosave.startRelief(of: writer, writes: options.autosave != nil)
            editAutosave = options.autosave.flatMap {
                DocumentAutosave.start(edits: viewContext, of: writer, $0)
            }
        }
        if options.synchronizesByItself { sharing?.start(options.clock) }
    }

    deinit {
        if !isClosed, !options.isReadOnly {
            // What is saved from here on would come into no file.
            store.setClosed(true)
            viewContext.listeners.finish { [viewContext, options, path = writer.directory.path] in
                if viewContext.hasChanges { options.tellUnsavedChanges(of: path) }
            }
        }
        editAutosave?.cancel()
        follower?.stop()
        sharing?.stop()
        if let logListener { store.removeListener(logListener) }
        writer.log.finish()
        writer.feed.finish()
        autosave?.cancel()
        writer.blobLocations.close()
        guard options.autosave != nil, !isClosed, writer.isBehind else { return }
        // The lock is held until this is done.
        writer.queue.submit { [writer] in try? writer.write(.disk) }
    }

    /// Whether the document can be changed and saved; observable, and readable on any thread.
    public var state: State { writer.status.current }

    // MARK: - Reading on

    /// Shows what another process has committed to the files of a document that is open read-only.
    ///
    /// Each commit since becomes a commit of ``store``, with its number, date and author, so live results and
    /// ``GraphStore/commits`` tell of it. If the writer has removed the journals that lead on, all of them are one commit,
    /// and so is what waits for the log of a shared document, with a number of its own.
    /// Then the view context shows what is in the store, as `refreshAllObjects()` does. With
    /// ``Options/followsWriter`` all that happens by itself.
    ///
    /// - Throws: `DocumentError`; the document then shows the commits before the failure.
    /// - Complexity: O(k) for k changes since, where journals lead on, or commits wait that come after those that are shown;
    ///   else O(n) for n objects.
    public nonisolated(nonsending) func refresh() async throws {
        try checkIsOpen()
        if let follower { try await writer.queue.run { try follower.refresh() } }
        viewContext.refreshAllObjects()
    }

    /// Whether the document was opened read-only.
    package var isReadOnly: Bool { options.isReadOnly }

    // MARK: - Saving

    /// Saves the changes of the view context into the store, and writes the store to disk.
    ///
    /// This includes commits of other contexts. If nothing changed since the last save, nothing is
    /// written.
    ///
    /// - Parameter durability: How safe the save must be when this returns.
    /// - Throws: `ContextError` as ``ManagedObjectContext/save()`` does, if the changes break a rule of
    ///   the model or meet a conflict; then nothing is saved. `DocumentError` if the files cannot be
    ///   written: they stay as they were, the store keeps what the view context saved, and the next
    ///   save tries to write it again. With `shared` also `DocumentError.refused` if others were first
    ///   and the changes no longer fit, or an error of the log, for which the changes then wait on disk.
    /// - Complexity: O(k) for k changed objects.
    public nonisolated(nonsending) func save(durability: Durability = .disk) async throws {
        try checkIsOpen()
        let latest = sharing?.latest
        try viewContext.save()
        if durability != .memory { try await write(durability, isSaving: true) }
        guard durability == .shared, let sharing else { return }
        try await elsewhere { try await sharing.share(after: latest) }
    }

    /// Writes all commits of the store to disk.
    ///
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func flush() async throws {
        try checkIsOpen()
        try await write(.disk)
    }

    /// Writes a new file snapshot, after which the journal is empty.
    ///
    /// The document does so by itself when the journal exceeds its limit.
    ///
    /// - Parameter progress: Shows how many objects there are, and how many were written, on any
    ///   thread.
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func compact(progress: Progress? = nil) async throws {
        try await compact(as: nil, progress)
    }

    private nonisolated(nonsending) func compact(
        as format: Format?, _ progress: Progress?
    ) async throws {
        try checkIsWritable()
        let writer = writer
        try await writer.queue.run { try writer.compact(as: format, progress: progress) }
    }

    /// The format of the document's file snapshots.
    public var format: Format { writer.format }

    /// Writes a new file snapshot in another format, which the document then keeps.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - progress: Reports the number of objects, and how many of them were written.
    /// - Throws: `DocumentError`; the document then keeps its format.
    public nonisolated(nonsending) func convert(
        to format: Format, progress: Progress? = nil
    ) async throws {
        try await compact(as: format, progress)
    }

    /// Saves the document at another path, and continues there.
    ///
    /// The new document has all commits, including the changes of the view context, and the lock.
    /// The old document keeps everything that was last written to it, and others may open it. The
    /// history and the change feed of the new document begin with this save. A shared document stays where it is;
    /// ``duplicate(to:progress:)`` copies it.
    ///
    /// - Parameters:
    ///   - url: A path where nothing exists yet.
    ///   - format: The format of the file snapshots there; `nil` keeps the current format.
    ///   - progress: Reports the number of objects, and how many of them were written.
    /// - Throws: `ContextError` if the changes break a rule of the model, or `DocumentError`. The
    ///   document then stays where it is.
    public nonisolated(nonsending) func save(
        as url: URL, format: Format? = nil, progress: Progress? = nil
    ) async throws {
        try checkIsWritable()
        guard sharing == nil else {
            throw DocumentError.shared(path: writer.directory.path.description)
        }
        try viewContext.save()
        let (writer, path) = (writer, FilePath(url))
        while try await !writer.queue.run({
            try writer.move(to: path, as: format, progress: progress)
        }) {
            try await writer.finishSnapshot()
        }
        self.url = url
    }

    private func checkIsOpen() throws(DocumentError) {
        guard !isClosed else { throw .closed(path: url.path(percentEncoded: false)) }
    }

    /// Refuses what would change a document that is closed, or was opened read-only.
    package func checkIsWritable() throws(DocumentError) {
        try checkIsOpen()
        guard !isReadOnly else { throw .readOnly(path: url.path(percentEncoded: false)) }
    }

    private nonisolated(nonsending) func write(
        _ durability: Durability, isSaving: Bool = false
    ) async throws {
        guard !isReadOnly else { return }
        let (writer, isClosing) = (writer, isClosed)
        let disk = durability == .shared ? .disk : durability
        try await writer.queue.run {
            try writer.write(disk, isSaving: isSaving, isClosing: isClosing)
        }
    }

    /// Drops all changes that are not in the files.
    ///
    /// These are the changes of the view context, and commits of any context that were not written
    /// yet. A new commit takes back those commits, so other contexts are notified. Then the document can be
    /// closed, even where nothing can be written. In a shared document commits stay, for others may have them; those that
    /// neither its files nor its log have are lost if it is closed and they can't be written.
    public func revert() {
        viewContext.rollback()
        reverted = writer.isBehind ? store.commitNumber : nil
        while sharing == nil {
            let (head, written) = (store.head, writer.log.written)
            guard head.number > written.number else { break }
            let changes = ChangeSet(from: head.graph, to: written.graph)
            if changes.isEmpty
                || store.commit(changes, reviving: changes.insertedRows, onto: head) != nil
                || store.isReadOnly
            {
                break
            }
        }
        viewContext.rollback()
    }

    /// Saves the document and closes it, so that others can open it.
    ///
    /// Closing a closed document does nothing. While a close is under way, another one waits for it and
    /// has the same outcome. If the save fails, the document stays open. You can still read the
    /// document's objects afterwards; a save of changes to them is refused with
    /// `ContextError.readOnly`.
    ///
    /// - Throws: What `save()` throws.
    public nonisolated(nonsending) func close() async throws {
        if waitingForClose != nil {
            return try await withCheckedThrowingContinuation { waitingForClose?.append($0) }
        }
        guard !isClosed else { return }
        waitingForClose = []
        let result: Result<Void, any Error>
        do { result = .success(try await saveAndClose()) } catch { result = .failure(error) }
        let waiting = waitingForClose ?? []
        waitingForClose = nil
        for continuation in waiting { continuation.resume(with: result) }
        try result.get()
    }

    /// Whether the files have what the store has: the commits that are in none, and those that took them back, come to
    /// nothing.
    private var filesHaveAll: Bool {
        guard sharing == nil, writer.isBehind else { return false }
        let (head, written) = (store.head, writer.log.written)
        return writer.log.durable == written.number && !writer.filesMayHoldMore
            && ChangeSet(from: head.graph, to: written.graph).isEmpty
    }

    private nonisolated(nonsending) func saveAndClose() async throws {
        // From here on no save can follow those that the queue has before the lock is given back.
        isClosed = true
        do {
            if !isReadOnly { try viewContext.save() }
            store.setClosed(true)
            follower?.stop()
            do {
                try await write(.disk)
            } catch {
                let isGivenUp = sharing != nil && reverted == store.commitNumber
                // Where there is no room for more, what the system was handed may still go to disk.
                try? await writer.queue.run { [writer] in try writer.synchronize() }
                guard filesHaveAll || isGivenUp else { throw error }
            }
        } catch {
            isClosed = false
            store.setClosed(false)
            // What was edited meanwhile was not saved.
            viewContext.listeners.turns?.onRefresh?()
            throw error
        }
        let writer = writer
        try await writer.finishSnapshot()
        try await writer.queue.run { [sharing] in
            // A snapshot that was being written may have kept what nobody needs.
            writer.tidy(isClosing: true)
            sharing?.end()
            writer.close()
        }
        writer.blobLocations.close()
        writer.log.finish()
        autosave?.cancel()
        editAutosave?.cancel()
        writer.status.set(.editingDisabled)
    }
}

@available(*, unavailable)
extension ManagedDocument: Sendable {}

public import Foundation
import PlacesBase

/// A graph of objects in a directory.
///
/// ```swift
/// let document = try await ManagedDocument.open(at: url, model: [Photo.self, Place.self])
/// let photo = Photo(context: document.viewContext)
/// try await document.save()
/// ```
///
/// - Reading and writing happen on threads of the document's own; the caller's actor goes on.
/// - A save costs what it changes. What contexts save by themselves is brought to disk a moment later, and so is
///   what is edited in the view context, if the document was opened on an actor.
/// - A document that is dropped without `close()` writes what was saved; of changes that were not, it tells.
/// - A document of earlier classes is migrated when it is opened: <doc:Migration>.
/// - A document is locked while it is open: a second writer, in this process or another, is refused.
/// - After a crash at any instant a document holds all commits up to one, and none that was reported to
///   be on disk is missing. See <doc:Durability>.
public final class ManagedDocument {
    /// The directory.
    public private(set) var url: URL
    /// The committed graph, from which any number of contexts can be made.
    public let store: GraphStore
    /// The context of the isolation that opened the document.
    public let viewContext: ManagedObjectContext
    /// What was found wrong with the files when they were read, and what was done about it.
    public let recovery: DocumentRecovery

    let writer: DocumentWriter
    let options: Options
    private let logListener: Int?
    private var autosave: Task<Void, Never>?
    private var editAutosave: Task<Void, Never>?
    private var isClosed = false

    private init(
        url: URL, options: Options, recovery: DocumentRecovery, writer: DocumentWriter,
        store: GraphStore, isolation: isolated (any Actor)?
    ) {
        self.url = url
        self.options = options
        self.recovery = recovery
        self.writer = writer
        self.store = store
        // The first of all who hear of commits, so that whoever hears of one finds it in the log.
        logListener =
            options.isReadOnly
            ? nil : store.addListener(CommitListener { [log = writer.log] in log.append($0) })
        viewContext = ManagedObjectContext(store, isolation: isolation)
        if options.isReadOnly {
            writer.status.set(.editingDisabled)
        } else {
            autosave = options.autosave.map { DocumentAutosave.start(writer, $0) }
            editAutosave = options.autosave.flatMap {
                DocumentAutosave.start(
                    edits: viewContext, of: FilePath(url), writer.status, $0,
                    isolation: isolation)
            }
        }
    }

    deinit {
        if !isClosed, !options.isReadOnly {
            // What is saved from here on would come into no file.
            store.setClosed(true)
            if viewContext.hasChanges { options.tellUnsavedChanges(of: writer.directory.path) }
        }
        editAutosave?.cancel()
        if let logListener { store.removeListener(logListener) }
        writer.log.finish()
        writer.feed.finish()
        autosave?.cancel()
        writer.blobLocations.close()
        guard options.autosave != nil, !isClosed, writer.log.isBehind else { return }
        // The lock is held until this is done.
        writer.queue.submit { [writer] in try? writer.write(.disk) }
    }

    /// Opens the document in a directory, which is made unless there is one.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - types: The classes of the objects.
    ///   - options: How to open it, and what it is to do by itself.
    /// - Returns: The document, locked for this process unless it is opened read-only.
    /// - Throws: `SchemaError` for classes that do not fit together, else `DocumentError`.
    public nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], options: Options = Options()
    ) async throws -> ManagedDocument {
        try await open(at: url, model: types, options: options, files: DiskFileSystem())
    }

    /// Opens the document in a directory of any file system.
    package nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], options: Options = Options(),
        files: any FileSystem
    ) async throws -> ManagedDocument {
        let model = try ObjectModel(types, version: options.migration.version)
        let path = FilePath(url)
        if let problem = options.migration.problem {
            throw DocumentError.migration(
                path: path.description, [.invalidPlan(problem: problem)])
        }
        let (opened, options) = try await DocumentQueue().run {
            do {
                return (try OpenedDocument(path, model, options, files), options)
            } catch let error as DocumentError {
                guard case .newerModel = error, options.opensNewerReadOnly else { throw error }
                var options = options
                options.isReadOnly = true
                return (try OpenedDocument(path, model, options, files), options)
            }
        }
        return ManagedDocument(
            url: url, options: options, recovery: opened.recovery, writer: opened.writer,
            store: opened.store, isolation: #isolation)
    }

    /// A document without objects for who only reads, where nobody has made one yet; it makes none.
    nonisolated(nonsending) package static func empty(
        at url: URL, model types: [ManagedObject.Type], options: Options
    ) async throws -> ManagedDocument {
        let model = try ObjectModel(types, version: options.migration.version)
        let directory = DocumentDirectory(missingAt: FilePath(url), files: DiskFileSystem())
        let nothing = DocumentContent(graph: Graph(layout: model.layout), commit: .beforeAll)
        let opened = try OpenedDocument(directory, nothing, model, options)
        return ManagedDocument(
            url: url, options: options, recovery: opened.recovery, writer: opened.writer,
            store: opened.store, isolation: #isolation)
    }

    /// Whether the document can be changed and saved; observable, and safe to read on any thread.
    public var state: State { writer.status.current }

    /// Whether the document was opened read-only.
    package var isReadOnly: Bool { options.isReadOnly }

    // MARK: - Saving

    /// Saves the changes of the view context into the store, and what the store has to disk.
    ///
    /// What other contexts have saved is written too. If nothing changed since the last save, nothing
    /// is written.
    ///
    /// - Parameter durability: How safe it is to be when this returns.
    /// - Throws: `ContextError` where the changes break a rule of the model, or `DocumentError`. The
    ///   files are then as they were, what the view context saved stays in the store, and the next save
    ///   tries to write it again.
    /// - Complexity: O(k) for k changed objects.
    public nonisolated(nonsending) func save(durability: Durability = .disk) async throws {
        try checkIsOpen()
        try viewContext.save()
        if durability != .memory { try await write(durability) }
    }

    /// Brings everything that the store has to disk.
    ///
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func flush() async throws {
        try checkIsOpen()
        try await write(.disk)
    }

    /// Writes a new snapshot, after which the journal is empty.
    ///
    /// It happens by itself when the journal outgrows its limit.
    ///
    /// - Parameter progress: Is told how many objects there are, and how many were written, on any
    ///   thread.
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) func compact(progress: Progress? = nil) async throws {
        try await compact(as: nil, progress)
    }

    private nonisolated(nonsending) func compact(
        as format: Format?, _ progress: Progress?
    ) async throws {
        try checkIsOpen()
        try checkIsWritable()
        let writer = writer
        try await writer.queue.run { try writer.compact(as: format, progress: progress) }
    }

    /// What the document's snapshots are written as.
    public var format: Format { writer.format }

    /// Writes a new snapshot in another format, which the document has from then on.
    ///
    /// - Parameters:
    ///   - format: The format.
    ///   - progress: Is told how many objects there are, and how many were written, on any thread.
    /// - Throws: `DocumentError`; the document keeps its format then.
    public nonisolated(nonsending) func convert(
        to format: Format, progress: Progress? = nil
    ) async throws {
        try await compact(as: format, progress)
    }

    /// Writes a copy of all that is committed, which can be opened by itself.
    ///
    /// - Parameters:
    ///   - url: A path where nothing is yet.
    ///   - progress: Is told how many objects there are, and how many were written, on any thread.
    /// - Throws: `DocumentError`; nothing is left there then.
    public nonisolated(nonsending) func duplicate(
        to url: URL, progress: Progress? = nil
    ) async throws {
        let (committed, directory, path) = (store.head, writer.directory, FilePath(url))
        let format = writer.format
        try await DocumentQueue().run {
            try DocumentDirectory.make(
                committed, at: path, as: format, access: directory.updateAccess(),
                directory.surroundings, progress: progress
            ).directory.close()
        }
    }

    /// Saves the document elsewhere, and goes on there.
    ///
    /// The new document has all that is committed, the changes of the view context included, and the lock;
    /// what was last written to the old one stays there whole, and others may open it. History and
    /// feed of the new document begin with this save.
    ///
    /// - Parameters:
    ///   - url: A path where nothing is yet.
    ///   - format: What the snapshots are written as there; `nil` is what they are written as here.
    ///   - progress: Is told how many objects there are, and how many were written, on any thread.
    /// - Throws: `ContextError` where the changes break a rule of the model, or `DocumentError`. The
    ///   document stays where it is then.
    public nonisolated(nonsending) func save(
        as url: URL, format: Format? = nil, progress: Progress? = nil
    ) async throws {
        try checkIsOpen()
        try checkIsWritable()
        try viewContext.save()
        let (writer, path) = (writer, FilePath(url))
        while try await !writer.queue.run({
            try writer.move(to: path, as: format, progress: progress)
        }) {
            try await writer.finishSnapshot()
        }
        self.url = url
    }

    private func checkIsOpen() throws {
        guard !isClosed else {
            throw DocumentError.closed(path: url.path(percentEncoded: false))
        }
    }

    /// Refuses what would change a document that was opened read-only.
    package func checkIsWritable() throws(DocumentError) {
        guard !isReadOnly else { throw .readOnly(path: url.path(percentEncoded: false)) }
    }

    private nonisolated(nonsending) func write(_ durability: Durability) async throws {
        guard !isReadOnly else { return }
        let writer = writer
        try await writer.queue.run { try writer.write(durability) }
    }

    /// Drops all changes that are not in the files: those of the view context, and commits of any
    /// context that were not written yet.
    ///
    /// The latter are taken back by a commit of their own, so other contexts hear of it.
    public func revert() {
        viewContext.rollback()
        while true {
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

    /// Saves, and lets others open the document.
    ///
    /// Closing again does nothing. If the save fails the document stays open. The document's objects
    /// can be read afterwards; saving changes of them is refused with `ContextError.readOnly`.
    ///
    /// - Throws: What `save()` throws.
    public nonisolated(nonsending) func close() async throws {
        guard !isClosed else { return }
        // From here on no save can follow those that the queue has before the lock is given back.
        isClosed = true
        do {
            if !isReadOnly { try viewContext.save() }
            store.setClosed(true)
            try await write(.disk)
        } catch {
            isClosed = false
            store.setClosed(false)
            throw error
        }
        let writer = writer
        try await writer.finishSnapshot()
        try await writer.queue.run {
            // Nobody reads the files once they are closed.
            writer.feed.finish()
            writer.directory.close()
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

public import Foundation

/// A graph of objects in a directory.
///
/// ```swift
/// let document = try await ManagedDocument.open(at: url, model: [Photo.self, Place.self])
/// let photo = Photo(context: document.viewContext)
/// try await document.save()
/// ```
///
/// - Reading and writing happen on a thread of the document's own; the caller's actor goes on.
/// - A document is locked while it is open: a second writer, in this process or another, is refused.
/// - A file on disk is replaced as a whole or not at all, whatever happens in between.
public final class ManagedDocument {
    /// The directory.
    public let url: URL
    /// The committed graph, from which any number of contexts can be made.
    public let store: GraphStore
    /// The context of the isolation that opened the document.
    public let viewContext: ManagedObjectContext

    private let directory: DocumentDirectory
    private let queue: DocumentQueue
    private let progress: DocumentProgress
    private var isClosed = false

    private init(
        url: URL, store: GraphStore, directory: DocumentDirectory, queue: DocumentQueue,
        generation: Int64, isolation: isolated (any Actor)?
    ) {
        self.url = url
        self.store = store
        self.directory = directory
        self.queue = queue
        progress = DocumentProgress(generation: generation, commitNumber: store.commitNumber)
        viewContext = ManagedObjectContext(store, isolation: isolation)
    }

    /// Opens the document in a directory, which is made unless there is one.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - types: The classes of the objects.
    ///   - createsDocument: Whether to make the document where there is none.
    /// - Returns: The document, locked for this process.
    /// - Throws: `SchemaError` for classes that do not fit together, else `DocumentError`.
    public nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], createsDocument: Bool = true
    ) async throws -> ManagedDocument {
        try await open(
            at: url, model: types, createsDocument: createsDocument, files: DiskFileSystem())
    }

    /// Opens the document in a directory of any file system.
    nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], createsDocument: Bool = true,
        files: any FileSystem
    ) async throws -> ManagedDocument {
        let model = try ObjectModel(types)
        let queue = DocumentQueue()
        let path = FilePath(url)
        let (directory, graph, generation) = try await queue.run {
            let directory = try DocumentDirectory(
                at: path, createsDocument: createsDocument, files: files)
            let (graph, generation) = try directory.read(model)
            return (directory, graph, generation)
        }
        return ManagedDocument(
            url: url, store: GraphStore(model: model, graph: graph), directory: directory,
            queue: queue, generation: generation, isolation: #isolation)
    }

    /// Saves the changes of the view context into the store, and the store to disk.
    ///
    /// What other contexts have saved is written too. All of it is on disk, after `fsync`, when this
    /// returns. If nothing changed since the last save, nothing is written.
    ///
    /// - Throws: `ContextError` where the changes break a rule of the model, or `DocumentError`.
    public nonisolated(nonsending) func save() async throws {
        guard !isClosed else {
            throw DocumentError.closed(path: url.path(percentEncoded: false))
        }
        try viewContext.save()
        try await write()
    }

    private nonisolated(nonsending) func write() async throws {
        let (store, directory, progress) = (store, directory, progress)
        try await queue.run {
            // Taken here, so that of several saves in a row the last has nothing left to do.
            let head = store.head
            try progress.write(head.number) { try directory.write(head.graph, generation: $0) }
        }
    }

    /// Saves, and lets others open the document.
    ///
    /// Closing again does nothing. If the save fails the document stays open.
    ///
    /// - Throws: What `save()` throws.
    public nonisolated(nonsending) func close() async throws {
        guard !isClosed else { return }
        // From here on no save can follow those that the queue has before the lock is given back.
        isClosed = true
        do {
            try viewContext.save()
            try await write()
            try await queue.run { [directory] in directory.close() }
        } catch {
            isClosed = false
            throw error
        }
    }
}

@available(*, unavailable)
extension ManagedDocument: Sendable {}

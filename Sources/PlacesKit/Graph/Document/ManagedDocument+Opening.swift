public import Foundation
import PlacesBase

extension ManagedDocument {
    /// Opens the document in a directory, or makes one if there is none.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - types: The classes of the objects.
    ///   - options: Options for opening it, and for what it does by itself.
    /// - Returns: The document, locked for this process unless it is read-only.
    /// - Throws: `SchemaError` if the classes do not fit together, otherwise `DocumentError`.
    public nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], options: Options = Options()
    ) async throws -> ManagedDocument {
        try await open(at: url, model: types, options: options, files: DiskFileSystem())
    }

    /// Opens the document in a directory, and shares its commits with all who open one with the same log.
    ///
    /// The first time it asks the log for numbers that its objects get; from then on it can be opened while the log is
    /// out of reach. A document that was saved without a log joins one that has nothing yet: its objects, which stay what
    /// they are, become the first commit, and its history begins there.
    ///
    /// It shows what the directory has, and what the log has soon after: see ``DocumentSharing/synchronize()``.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory, which this process alone opens for writing.
    ///   - types: The classes of the objects; all who share the log have the same.
    ///   - options: Options for opening it, and for what it does by itself.
    ///   - log: What keeps the commits of all.
    /// - Returns: The document, locked for this process.
    /// - Throws: `SchemaError` if the classes do not fit together, an error of the log, otherwise `DocumentError`.
    public nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], options: Options = Options(),
        sharing log: any SharedLog
    ) async throws -> ManagedDocument {
        try await open(
            at: url, model: types, options: options, sharing: log, files: DiskFileSystem())
    }

    /// Opens a shared document in a directory of any file system.
    package nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], options: Options = Options(),
        sharing log: any SharedLog, files: any FileSystem
    ) async throws -> ManagedDocument {
        guard !options.isReadOnly else {
            throw DocumentError.readOnly(path: FilePath(url).description)
        }
        let model = try ObjectModel(types, version: options.migration.version)
        let (path, queue) = (FilePath(url), DocumentQueue())
        try options.checkMigration(at: path)
        let known = try await queue.run {
            try files.exists(path) ? SharingMembership.read(path, files.inside(path)) : nil
        }
        let needsRange = known.map(\.isUsedUp) ?? true
        let range = needsRange ? try await elsewhere { try await log.claimRange() } : nil
        var kept: SharedBase?
        if let joining = try await queue.run({
            try JoiningDocument(path, model, options, files, known)
        }) {
            try await joining.join(log, claimed: range, queue)
        } else if known == nil {
            kept = try await elsewhere { try await log.base(after: 0) }
        }
        let directory = try await queue.run {
            try DocumentDirectory(
                at: path, createsDocument: options.createsDocument, access: options.access.ofFiles,
                files: files)
        }
        var base: BaseContent?
        while let found = kept {
            do {
                var content = try await elsewhere { try await BaseContent(found) }
                content.values = try await KnownValues().bring(
                    content.values, searching: .all, on: queue
                ) { directory.blobs }
                (base, kept) = (content, nil)
            } catch {
                // Somebody may have kept a later one meanwhile, in place of this one and its values.
                kept = try await elsewhere { try await log.base(after: found.number) }
                if kept == nil { throw error }
            }
        }
        let opened = try await queue.run { [base] in
            try OpenedDocument(directory, model, options, sharingIn: range, base)
        }
        return ManagedDocument(
            url: url, options: options, opened, sharing: log, isolation: #isolation)
    }

    /// Opens the document in a directory of any file system.
    package nonisolated(nonsending) static func open(
        at url: URL, model types: [ManagedObject.Type], options: Options = Options(),
        files: any FileSystem
    ) async throws -> ManagedDocument {
        let model = try ObjectModel(types, version: options.migration.version)
        let path = FilePath(url)
        try options.checkMigration(at: path)
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
            url: url, options: options, opened, isolation: #isolation)
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
            url: url, options: options, opened, isolation: #isolation)
    }
}

extension ManagedDocument.Options {
    /// Refuses a plan for a migration that nothing can follow.
    fileprivate func checkMigration(at path: FilePath) throws {
        guard let problem = migration.problem else { return }
        throw DocumentError.migration(path: path.description, [.invalidPlan(problem: problem)])
    }
}

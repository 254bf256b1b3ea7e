import Foundation
import PlacesBase

/// A document with objects that was not shared before: what it holds becomes the first commit of a log.
///
/// The objects keep their numbers, which come before those of all ranges. The folder says that it joins before the log
/// gets the commit, so after a crash in between the document can only be opened with the log, which tells whether it has
/// it.
struct JoiningDocument: Sendable {
    private let directory: DocumentDirectory
    private let content: DocumentContent
    /// What the folder was given, if it has begun to join.
    private let known: SharingMembership?

    /// Reads what the document holds; `nil` where there is nothing, or the log has it.
    init?(
        _ path: FilePath, _ model: ObjectModel, _ options: ManagedDocument.Options,
        _ files: any FileSystem, _ known: SharingMembership?
    ) throws {
        guard known == nil || known?.joining != nil else { return nil }
        directory = try DocumentDirectory(
            at: path, createsDocument: options.createsDocument, access: options.access.ofFiles,
            files: files)
        content = try directory.readMigrating(
            MigrationModel(model, options), progress: options.progress)
        self.known = known
        let number = content.commit.number
        // One that was made of a snapshot alone begins with objects.
        guard number > 0 || content.graph.objectCount > 0, !content.isMigrated,
            number == known?.joining ?? number
        else { return nil }
    }

    /// Lets a log have what the document holds.
    ///
    /// - Parameters:
    ///   - log: The log.
    ///   - range: The range of numbers that it gave to the folder, if that was given none before.
    ///   - queue: Where files are written.
    /// - Throws: An error of the log, `DocumentError.notShared` where others were first and the folder is as it was, or
    ///   `ExternalStorageError` where bytes of an attribute can't be read.
    nonisolated(nonsending) func join(
        _ log: any SharedLog, claimed range: Int?, _ queue: DocumentQueue
    ) async throws {
        if known == nil {
            let isEmpty = try await elsewhere {
                guard try await log.base(after: 0) == nil else { return false }
                return try await log.commits(after: 0).isEmpty
            }
            guard isEmpty else { throw othersWereFirst }
        }
        let commit = try await queue.run { try makeCommit(claimed: range) }
        let isInLog = try await elsewhere {
            if try await log.append([commit], after: 0) { return true }
            // An answer may have been lost, and the log may have forgotten the commit since.
            let first = try await log.commits(after: 0).first
            guard let first, first.number > 1 else { return first?.id == commit.id }
            guard let base = try await log.base(after: 0) else { return false }
            // Where it is not told apart, later ones of the range are there, which nobody has who did not join.
            return try await BaseContent.loggedCommits(of: base).contains(commit.id) != false
        }
        if isInLog { return }
        try await queue.run {
            try directory.files.remove(directory.path.appending(SharingMembership.fileName))
            // If a power cut brought it back, the document could be opened with the log alone.
            try directory.files.synchronizeDirectory(directory.path)
        }
        throw othersWereFirst
    }

    private var othersWereFirst: DocumentError {
        .notShared(path: directory.path.description, reason: "the log has commits of others")
    }

    /// All that the document holds, once its folder says that it joins.
    private func makeCommit(claimed range: Int?) throws -> SharedCommit {
        let graph = content.graph
        guard SharingMembership.allRanges(comeAfter: graph) else {
            throw DocumentError.notShared(
                path: directory.path.description,
                reason: "its objects have numbers that others may get")
        }
        var first = content.commit
        first.number = 1
        let everything = try CommittedChanges(
            everythingIn: CommittedGraph(graph: graph, commit: first))
        var membership =
            try known
            ?? .begin(nil, in: directory, claimed: range, joiningAfter: content.commit.number)
        // The commit is the same one after a crash.
        membership.openings = 1
        let origin = CommitOrigin(
            id: SharedCommit.ID(opening: membership.opening, sequence: 1),
            model: CommitOrigin.Model(graph.schema))
        return SharedCommit(everything, by: origin, names: JournalNames(graph.layout), synced: 0)
    }
}

extension CommittedChanges {
    /// What brings all objects to an empty document.
    ///
    /// - Throws: `ExternalStorageError` where bytes of an attribute can't be read: others would have none.
    init(everythingIn committed: CommittedGraph) throws {
        let graph = committed.graph
        try graph.forEachBlob { blob, _ in _ = try blob.digest() }
        self.init(
            committed: committed,
            changes: ChangeSet(from: Graph(layout: graph.layout), to: graph))
    }
}

public import Foundation
import PlacesBase

extension ManagedDocument {
    /// Checks every file of a document, without its classes and without changing anything.
    ///
    /// The document may be open elsewhere; writing it meanwhile is not reported as a problem.
    ///
    /// - Parameter url: The file URL of the directory.
    /// - Returns: The problems, and whether the document opens in spite of them.
    /// - Throws: `DocumentError` if there is no document or the file system refuses to read it.
    public nonisolated(nonsending) static func verify(at url: URL) async throws -> DocumentReport {
        try await verify(at: url, files: DiskFileSystem())
    }

    package nonisolated(nonsending) static func verify(
        at url: URL, files: any FileSystem
    ) async throws -> DocumentReport {
        let path = FilePath(url)
        return try await DocumentQueue().run {
            let directory = try DocumentDirectory(
                at: path, createsDocument: false, isReadOnly: true, files: files)
            return try directory.steadily(isWhole: \.isSound) { try directory.verify() }
        }
    }
}

extension DocumentDirectory {
    /// Reads all files, and tells what is wrong with each.
    ///
    /// That may take longer than a generation stays whose files somebody else writes: nothing is wrong with those that
    /// have gone, nor with bytes that only they needed.
    fileprivate func verify() throws -> DocumentReport {
        var generations = try GenerationCheck(of: self)
        try generations.run()
        var (report, users) = (DocumentReport(), generations.users)
        report.problems = generations.problems
        func check(_ path: FilePath, _ body: ([UInt8]) throws -> Void) throws {
            if let problem = try problem(of: path, body) { report.problems.append(problem) }
        }
        // Nobody who writes opens the document where something else has its name.
        if let problem = try problem(
            of: blobs.path, among: blobs.files, where: blobs.checkDirectory)
        {
            report.problems.append(problem)
        }
        try check(path.appending(SharingMembership.fileName)) { _ in _ = try isShared }
        if (try? isShared) != false {
            try check(path.appending(RefusedCommits.fileName)) {
                _ = try RefusedCommits.conflicts(in: $0)
            }
        }
        // What keeps them from being listed keeps the document from being opened, and is told there.
        for base in (try? outboxBases()) ?? [] {
            try check(outbox(after: base)) { try WaitingCommits($0, in: self).check() }
        }
        do {
            let content = try steadily(isWhole: \.recovery.isEmpty) { try readAsOpening() }
            report.lastCommit = content.commit.number
            report.waitingCount = content.waitingCount
            report.objectCount = content.graph.objectCount
            report.recovery = content.recovery
            for reference in content.blobs { users[reference] = snapshot(content.generation) }
        } catch {
            let error = DocumentError(error)
            guard error.isOfFiles else { throw error }
            report.canBeOpened = false
            if report.problems.isEmpty {
                report.problems.append(
                    DocumentReport.Problem(file: path.description, description: "\(error)"))
            }
        }
        report.problems += problems(of: users)
        return report
    }

    /// Reads what there is for whoever opens the document.
    private func readAsOpening() throws -> DocumentContent {
        guard try isShared else { return try read(nil) }
        _ = try RefusedCommits.read(in: self)
        return try readWithWaiting(nil)
    }

    /// What is wrong with a file, as who reads it finds; nothing where it has gone.
    func problem(
        of path: FilePath, _ body: ([UInt8]) throws -> Void
    ) throws -> DocumentReport.Problem? {
        try problem(of: path, among: files) { try reading(path, body) }
    }

    private func problem(
        of path: FilePath, among files: any FileSystem, where look: () throws -> Void
    ) throws -> DocumentReport.Problem? {
        do {
            try look()
            return nil
        } catch {
            guard !files.isGone(path) else { return nil }
            switch error {
            case let error as DocumentError:
                return DocumentReport.Problem(
                    file: path.description, description: error.description)
            case FileSystemError.unexpected(let file, let found):
                let error = FileSystemError.unexpected(path: file, found: found)
                return DocumentReport.Problem(file: file, description: error.description)
            default: throw error
            }
        }
    }

    /// What is wrong with the files of blobs, each of which is needed by another file.
    private func problems(of users: [BlobReference: FilePath]) -> [DocumentReport.Problem] {
        users.sorted { $0.key.number < $1.key.number }.compactMap { reference, user in
            let path = blobs.path(of: reference.number)
            do {
                _ = try blobs.read(reference)
                return nil
            } catch {
                // Whoever removes it has removed the file that needs it before.
                guard !blobs.files.isGone(path) || !files.isGone(user) else { return nil }
                return DocumentReport.Problem(file: path.description, description: "\(error)")
            }
        }
    }

    /// The schema of the document as it is now, from the last file that tells it.
    func newestSchema() throws -> Schema {
        let (snapshots, journals) = try generations()
        var failure: (any Error)?
        for journal in journals.reversed() {
            do { return try schema(ofJournal: journal) } catch { failure = failure ?? error }
        }
        for snapshot in snapshots.reversed() {
            do {
                return try reading(self.snapshot(snapshot)) {
                    try SnapshotSchema.schema(ofSnapshot: $0)
                }
            } catch { failure = failure ?? error }
        }
        throw failure ?? DocumentError.incomplete(file: self.snapshot(1).description)
    }

    /// The schema of a generation, which the first line of its journal has.
    func schema(ofJournal generation: Int64) throws -> Schema {
        let header = try beginning(of: generation).header
        return try DocumentError.naming(journal(generation).description) {
            try SnapshotSchema.checked(header.entities, header.modelVersion)
        }
    }
}

extension DocumentError {
    /// Whether it tells what is wrong with a file, and not that the disk refuses.
    fileprivate var isOfFiles: Bool {
        switch self {
        case .fileSystem(.unexpected): true
        case .fileSystem: false
        default: true
        }
    }
}

extension Graph {
    /// How many objects there are.
    var objectCount: Int {
        tables.prefix(layout.entityTables.count).reduce(0) { $0 + $1.count }
    }
}

extension FileSystem {
    /// Whether there is no such file any more.
    func isGone(_ path: FilePath) -> Bool { (try? exists(path)) == false }
}

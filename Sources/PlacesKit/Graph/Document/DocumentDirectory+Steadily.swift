import Foundation
import PlacesBase

extension DocumentDirectory {
    /// Whether a folder is a document, looked at again where somebody who makes one there has changed the names meanwhile:
    /// a journal that was listed without a manifest may have commits when it is read.
    static func holdsDocumentSteadily(
        _ path: FilePath, _ files: any FileSystem, isReadOnly: Bool
    ) throws -> Bool {
        var names = try files.list(path)
        // A first save changes the names fewer times.
        for _ in 0..<16 {
            let result = Result {
                try holdsDocument(path, names, files, isReadOnly: isReadOnly)
            }
            if case .success(let isDocument) = result { return isDocument }
            let later = try files.list(path)
            guard later != names else { return try result.get() }
            names = later
        }
        return try holdsDocument(path, names, files, isReadOnly: isReadOnly)
    }

    /// Reads what the document holds, as a model has it, steadily; for who only reads perhaps with the commits that wait for
    /// the log of a shared one.
    func readSteadily(
        _ model: @autoclosure () throws -> MigrationModel, withWaiting: Bool, progress: Progress?
    ) throws -> DocumentContent {
        try steadily(isWhole: { !$0.isTorn }) {
            try readMigrating(model(), withWaiting: withWaiting, progress: progress)
        }
    }

    /// Reads from the files without a lock, again where that failed, or what was read is not whole, and
    /// somebody who writes the document has changed the files meanwhile: begun a generation and removed
    /// another, or written the rest of a record.
    func steadily<Content>(
        isWhole: (Content) -> Bool = { _ in true }, _ read: () throws -> Content
    ) throws -> Content {
        guard isReadOnly else { return try read() }
        return try steadily(isWhole: isWhole) { _ in try read() }
    }

    /// Reads from the files in the same way, and gets the names that there were before.
    func steadily<Content>(
        isWhole: (Content) -> Bool = { _ in true }, _ read: (_ names: [String]) throws -> Content
    ) throws -> Content {
        for _ in 0..<3 {
            let sizes = try self.sizes()
            let result = Result { try read(Array(sizes.keys)) }
            if case .success(let content) = result, isWhole(content) { return content }
            guard try self.sizes() != sizes else { return try result.get() }
        }
        return try read(fileNames())
    }

    /// The names of the files, and how long each is; no generation has a name that one before it had.
    ///
    /// Of the snapshots and the journals only the last one is looked at: nobody writes to those before it, and a whole
    /// history may have thousands.
    private func sizes() throws(FileSystemError) -> [String: Int] {
        var sizes: [String: Int] = [:]
        var lastSnapshot: SnapshotName?
        var lastJournal: JournalName?
        func look(at name: String) throws(FileSystemError) {
            sizes[name] = try files.status(of: path.appending(name))?.size ?? 0
        }
        for name in try fileNames() {
            sizes[name] = 0
            if let journal = JournalName(name) {
                if journal.generation > lastJournal?.generation ?? 0 { lastJournal = journal }
            } else if let snapshot = SnapshotName(name) {
                if snapshot.generation > lastSnapshot?.generation ?? 0 { lastSnapshot = snapshot }
            } else {
                try look(at: name)
            }
        }
        if let lastSnapshot { try look(at: lastSnapshot.description) }
        if let lastJournal { try look(at: lastJournal.description) }
        return sizes
    }
}

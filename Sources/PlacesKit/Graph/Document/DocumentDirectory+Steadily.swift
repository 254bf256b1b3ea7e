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
        for _ in 0..<3 where isReadOnly {
            let sizes = try self.sizes()
            let result = Result(catching: read)
            if case .success(let content) = result, isWhole(content) { return content }
            guard try self.sizes() != sizes else { return try result.get() }
        }
        return try read()
    }

    /// The names of the files, and how long each is; no generation has a name that one before it had.
    private func sizes() throws(FileSystemError) -> [String: Int] {
        var sizes: [String: Int] = [:]
        for name in try fileNames() {
            sizes[name] = try files.status(of: path.appending(name))?.size ?? 0
        }
        return sizes
    }
}

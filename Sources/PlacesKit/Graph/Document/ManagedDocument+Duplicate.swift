public import Foundation
import PlacesBase

extension ManagedDocument {
    /// Writes a copy of all commits as a new document.
    ///
    /// Of a newer document, which ``Options/opensNewerReadOnly`` opened, it copies what is in the files by now, also what
    /// the model does not know.
    ///
    /// - Parameters:
    ///   - url: A path where nothing exists yet.
    ///   - progress: Reports the number of objects, and how many of them were written.
    /// - Throws: `DocumentError`; then nothing is left at the path.
    public nonisolated(nonsending) func duplicate(
        to url: URL, progress: Progress? = nil
    ) async throws {
        let (head, writer, follower, path) = (store.head, writer, follower, FilePath(url))
        try await DocumentQueue().run {
            let (directory, isNewer) = (writer.directory, follower?.isOfNewerModel ?? false)
            let committed =
                try isNewer ? directory.readWithoutClasses(progress: nil).committed : head
            try DocumentDirectory.make(
                committed, at: path, as: writer.format, access: directory.updateAccess(),
                directory.surroundings, progress: progress
            ).directory.close()
        }
    }
}

import Foundation
import Synchronization

/// The directories of blobs that an open document knows: its own, and those of the locations that it was
/// saved away from.
final class BlobLocations: Sendable {
    private let locations: Mutex<(own: BlobFiles, former: [BlobFiles])>
    private let told: (@Sendable (ExternalStorageError) -> Void)?

    /// The location of a document, and who is told of blobs that cannot be read where nobody could be
    /// thrown at.
    init(_ files: BlobFiles, _ told: (@Sendable (ExternalStorageError) -> Void)?) {
        locations = Mutex((files, []))
        self.told = told
        listen(to: files)
    }

    deinit { close() }

    private func listen(to files: BlobFiles) {
        if let told { files.onError(for: ObjectIdentifier(self), told) }
    }

    /// Notes that the document goes on elsewhere.
    func move(to files: BlobFiles) {
        listen(to: files)
        locations.withLock { $0 = (files, $0.former + [$0.own]) }
    }

    /// Tells nobody any more.
    func close() {
        let (own, former) = locations.withLock(\.self)
        for files in former + [own] { files.removeOnError(for: ObjectIdentifier(self)) }
    }

    /// The bytes of a blob of the document, or of one that it had in a former location.
    ///
    /// Numbers are given anew in each location; that a file is the one that is meant is told by its checksum.
    ///
    /// - Throws: Why it cannot be read in the document's own location.
    nonisolated(nonsending) func load(
        _ reference: BlobReference
    ) async throws(ExternalStorageError) -> Data {
        let (own, former) = locations.withLock(\.self)
        do {
            return try await Blob(reference, in: own).load()
        } catch {
            for files in former.reversed() {
                if let bytes = try? await Blob(reference, in: files).load() { return bytes }
            }
            throw error
        }
    }
}

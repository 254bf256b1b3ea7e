import Foundation
import Synchronization

/// The directories of blobs that an open document knows: its own, and those of the places that it was
/// saved away from.
final class BlobPlaces: Sendable {
    private let places: Mutex<(own: BlobFiles, former: [BlobFiles])>
    private let told: (@Sendable (ExternalStorageError) -> Void)?

    /// The place of a document, and who is told of blobs that cannot be read where nobody could be
    /// thrown at.
    init(_ files: BlobFiles, _ told: (@Sendable (ExternalStorageError) -> Void)?) {
        places = Mutex((files, []))
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
        places.withLock { $0 = (files, $0.former + [$0.own]) }
    }

    /// Tells nobody any more.
    func close() {
        let (own, former) = places.withLock(\.self)
        for files in former + [own] { files.removeOnError(for: ObjectIdentifier(self)) }
    }
}

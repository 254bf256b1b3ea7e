import Foundation

/// Says where blobs lie in the files of one document, and writes none: the bytes of others stand for them.
final class KnownBlobs: BlobNotation {
    private let files: BlobFiles

    init(_ files: BlobFiles) { self.files = files }

    func text(for blob: Blob) -> BlobText {
        blob.reference(in: files).map { .reference($0) } ?? .bytes(blob.data ?? Data())
    }
}

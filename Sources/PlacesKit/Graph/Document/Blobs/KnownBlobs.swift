import Foundation

/// Says where blobs lie in the files of one document, and writes none: the bytes of others stand for them, and the digests
/// of lost ones.
final class KnownBlobs: BlobNotation {
    private let files: BlobFiles

    /// Those that nobody has.
    private(set) var values: [SharedValue] = []

    init(_ files: BlobFiles) { self.files = files }

    func text(for blob: Blob) -> BlobText {
        if let digest = blob.lostDigest, let value = try? SharedValue(blob) {
            values.append(value)
            return .digest(digest, byteCount: blob.count)
        }
        return blob.reference(in: files).map { .reference($0) } ?? .bytes(blob.data ?? Data())
    }
}

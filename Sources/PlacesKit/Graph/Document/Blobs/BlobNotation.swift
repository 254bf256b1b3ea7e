import Foundation
import PlacesBase

/// What a file has in place of a blob.
enum BlobText {
    /// Where the bytes lie in the document's folder.
    case reference(BlobReference)
    /// What they are, for who finds them elsewhere: their SHA-256 digest, in hexadecimal.
    case digest(String, byteCount: Int)
    case bytes(Data)
}

/// Says what a file has in place of blobs.
protocol BlobNotation: AnyObject {
    /// What stands for a blob.
    func text(for blob: Blob) -> BlobText
    /// The values to which it refers by their digests.
    var values: [SharedValue] { get }
}

extension BlobNotation {
    var values: [SharedValue] { [] }
}

/// The keys of what stands for a blob.
enum BlobKey: String, FileKey {
    case number = "blob"
    case digest = "sha256"
    case byteCount = "bytes"
    case checksum = "crc"
}

extension SnapshotOutput {
    /// Writes what stands for a blob; its bytes where nobody says that anything else does.
    mutating func write(_ blob: Blob, _ notation: (any BlobNotation)?) {
        switch notation?.text(for: blob) ?? .bytes(blob.data ?? Data()) {
        case .bytes(let bytes): write(bytes)
        case .reference(let reference):
            beginObject()
            write(reference.number, for: BlobKey.number)
            write(Int64(reference.byteCount), for: BlobKey.byteCount)
            writeKey(BlobKey.checksum)
            writePlain(CRC32.text(of: reference.checksum))
            endObject()
        case .digest(let digest, let byteCount):
            beginObject()
            writeKey(BlobKey.digest)
            writePlain(digest)
            write(Int64(byteCount), for: BlobKey.byteCount)
            endObject()
        }
    }
}

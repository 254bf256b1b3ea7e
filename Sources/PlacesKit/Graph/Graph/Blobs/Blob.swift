import Foundation
import PlacesBase
import Synchronization

/// The bytes of an attribute with external storage: in memory until a document has written them to a
/// file of their own, and read from there each time they are asked for ever after.
///
/// A column holds blobs instead of bytes, so copies of a graph, undo and merges share them. While any of
/// them refers to a blob its file stays, whether the document's files still name it or not.
final class Blob: Sendable {
    private struct State {
        /// The bytes that no file has yet.
        var bytes: Data?
        /// The file, and whose it is.
        var location: (files: BlobFiles, reference: BlobReference)?
        /// The SHA-256 digest of the bytes, once somebody asked for it.
        var digest: String?
        /// Whether nobody has the bytes, as far as it is known.
        var isLost = false
    }

    /// How many bytes there are.
    let count: Int
    /// Whether the bytes stand where others have their reference: those of a default, which all
    /// documents share, and none at all.
    let isInline: Bool
    private let state: Mutex<State>

    /// A blob of bytes in memory; who knows their digest says so.
    init(_ bytes: Data, isInline: Bool = false, digest: String? = nil) {
        count = bytes.count
        self.isInline = isInline || bytes.isEmpty
        state = Mutex(State(bytes: bytes, digest: digest))
    }

    /// A blob that lies in a file.
    init(_ reference: BlobReference, in files: BlobFiles, digest: String? = nil) {
        count = reference.byteCount
        isInline = false
        files.retain(reference.number)
        state = Mutex(State(location: (files, reference), digest: digest))
    }

    /// A blob whose bytes are in no file, though something refers to them by their digest: it reads as one whose file is
    /// missing, until somebody has the bytes.
    convenience init(
        lost digest: String, byteCount: Int, in files: BlobFiles
    ) throws(FileSystemError) {
        let number = try files.nextNumber()
        defer { files.release(number) }
        self.init(
            BlobReference(number: number, byteCount: byteCount, checksum: 0), in: files,
            digest: digest)
        state.withLock { $0.isLost = true }
    }

    deinit {
        if let (files, reference) = state.withLock(\.location) { files.release(reference.number) }
    }

    /// How many bytes are held in memory.
    var pendingCount: Int { state.withLock { $0.bytes?.count ?? 0 } }

    /// The bytes, read from the file where they are in one; blocks.
    func bytes() throws(ExternalStorageError) -> Data {
        let (bytes, location) = state.withLock { ($0.bytes, $0.location) }
        if let bytes { return bytes }
        guard let (files, reference) = location else { return Data() }
        return try files.read(reference)
    }

    /// The bytes, or `nil` where they cannot be read, which is told to who computes with them, else to whoever opened
    /// the document.
    var data: Data? {
        do {
            return try bytes()
        } catch {
            if let reading = UnreadableBlobs.current {
                reading.note(error)
            } else {
                state.withLock(\.location)?.files.report(error)
            }
            return nil
        }
    }

    /// The SHA-256 digest of the bytes, in hexadecimal; blocks.
    func digest() throws(ExternalStorageError) -> String {
        if let known = state.withLock(\.digest) { return known }
        let digest = try bytes().withUnsafeBytes(SHA256.text)
        state.withLock { $0.digest = digest }
        return digest
    }

    /// What stands for the bytes among some files, if they are in one of them.
    func reference(in files: BlobFiles) -> BlobReference? {
        state.withLock { state in
            state.location.flatMap { $0.files === files ? $0.reference : nil }
        }
    }

    /// Lets the bytes be read from a file from now on, and drops them.
    func settle(_ reference: BlobReference, in files: BlobFiles) {
        files.retain(reference.number)
        // The bytes are given out, so that they are not freed under the lock.
        let (former, bytes) = state.withLock { state in
            defer {
                (state.bytes, state.location, state.isLost) = (nil, (files, reference), false)
            }
            return (state.location, state.bytes)
        }
        withExtendedLifetime(bytes) {}
        if let former { former.files.release(former.reference.number) }
    }

    /// Whether nobody has the bytes, as far as it is known.
    var isLost: Bool { state.withLock(\.isLost) }

    /// The digest by which something refers to the bytes, if nobody has them.
    var lostDigest: String? { state.withLock { $0.isLost ? $0.digest : nil } }

    /// Lets the bytes be read where another blob has the same ones.
    func settle(like found: Blob) {
        if let (files, reference) = found.location { settle(reference, in: files) }
    }

    /// The file, and whose it is; `nil` for bytes in memory.
    var location: (files: BlobFiles, reference: BlobReference)? { state.withLock(\.location) }

    /// The checksum of the bytes, if it is known or they are in memory.
    private var checksum: UInt32? {
        let (bytes, location) = state.withLock { ($0.bytes, $0.location) }
        return location?.reference.checksum ?? bytes.map { $0.withUnsafeBytes(CRC32.checksum) }
    }
}

extension Blob: ColumnElement {
    /// No bytes.
    static let unset = Blob(Data())

    /// The blob of some bytes.
    static func holding(_ bytes: Data) -> Blob { bytes.isEmpty ? .unset : Blob(bytes) }

    /// Whether both have the same bytes; they are read only where their numbers and checksums agree.
    static func == (first: Blob, second: Blob) -> Bool {
        if first === second { return true }
        guard first.count == second.count else { return false }
        if first.count == 0 { return true }
        switch (first.location, second.location) {
        // The number that stands for a lost blob another process may give to a file.
        case (let (files, reference)?, let (others, other)?)
        where files === others && reference == other: return true
        case (nil, nil): break
        default: if first.checksum != second.checksum { return false }
        }
        // Those are the same that nobody has: each time that they are looked for they get another number.
        if let digest = first.lostDigest, digest == second.lostDigest { return true }
        guard let bytes = first.data, let others = second.data else { return false }
        return bytes == others
    }

    func hash(into hasher: inout Hasher) { hasher.combine(count) }
}

extension UnsafeMutableRawPointer {
    /// The bytes of the blob that a row of this chunk, whose elements are blobs, holds.
    func externalData(at offset: Int) -> Data? {
        isValid(at: offset) ? elements(of: Blob.self)[offset].data : nil
    }
}

extension AttributeValue {
    /// The value of a row of a chunk whose elements are blobs; as if there were none where the file
    /// cannot be read.
    init(external block: UnsafeMutableRawPointer, at offset: Int) {
        let stored = block.externalData(at: offset) as? Stored
        self.init(stored: stored ?? .unset, isValid: stored != nil)
    }
}

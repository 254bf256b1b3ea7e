import Foundation
import PlacesBase

/// Finds the bytes of values in files of a document, of which nobody knows the digests any more.
///
/// It is used on the document's queue, where files are removed.
struct ValueSearch: Sendable {
    /// Which files are looked through.
    enum Scope {
        case none
        /// Those to which nobody in this process refers, as after a crash.
        case unused
        case all
    }

    private let files: BlobFiles
    /// Whether nothing is brought to disk: who only reads relies on what whoever writes did.
    private let isReadOnly: Bool
    /// The files whose digests are not known yet, by their lengths.
    private var unread: [Int: [Int64]] = [:]
    private var known: [String: Int64] = [:]

    /// Looks how long the files are.
    ///
    /// - Complexity: O(n) for n files.
    init(_ files: BlobFiles, _ scope: Scope, isReadOnly: Bool = false) throws {
        (self.files, self.isReadOnly) = (files, isReadOnly)
        for number in try files.numbers() where scope == .all || !files.isUsed(number) {
            guard let size = try files.files.status(of: files.path(of: number))?.size else {
                continue
            }
            unread[size, default: []].append(number)
        }
    }

    /// Those of some values of which a file has the bytes, each as the file has it.
    ///
    /// They are on disk when this returns: somebody may have died before.
    ///
    /// - Complexity: O(k) for the bytes of all files that are as long as a value, each of which is read once.
    mutating func values(like wanted: Set<SharedValue>) throws -> [SharedValue] {
        let found = try wanted.compactMap { try value(like: $0) }
        if !found.isEmpty, !isReadOnly { try files.synchronizeNames() }
        return found
    }

    private mutating func value(like wanted: SharedValue) throws -> SharedValue? {
        for number in unread[wanted.byteCount] ?? [] {
            guard let bytes = try bytes(of: number, wanted.byteCount) else { continue }
            known[bytes.withUnsafeBytes(SHA256.text)] = number
        }
        unread[wanted.byteCount] = nil
        // Since it was read, another file may have got its number.
        guard let number = known[wanted.digest],
            let bytes = try bytes(of: number, wanted.byteCount),
            bytes.withUnsafeBytes(SHA256.text) == wanted.digest
        else { return nil }
        if !isReadOnly {
            let file = try files.files.open(files.path(of: number), mode: .append)
            try file.synchronize()
            try file.close()
        }
        let reference = BlobReference(
            number: number, byteCount: bytes.count,
            checksum: bytes.withUnsafeBytes(CRC32.checksum))
        return try SharedValue(Blob(reference, in: files, digest: wanted.digest))
    }

    /// What a file has; `nil` where it is gone, or has another length, or the disk has lost some of it.
    ///
    /// - Throws: `FileSystemError` where the file may be whole: whoever goes on without it goes on without its bytes.
    private func bytes(of number: Int64, _ count: Int) throws -> [UInt8]? {
        do throws(FileSystemError) {
            let bytes = try files.files.read(files.path(of: number), prefix: count + 1)
            return bytes.count == count ? bytes : nil
        } catch {
            let lost = [POSIXError.Code.ENOENT, .EIO].map(\.rawValue)
            if case .failed(_, _, let code) = error, lost.contains(code) { return nil }
            throw error
        }
    }
}

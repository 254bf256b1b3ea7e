import Foundation
import PlacesBase

/// Writes the blobs that a graph or a commit refers to into the files of one document, before whatever
/// names them is written.
///
/// A file has its name at once, for nothing refers to it before `finish` has brought the names to disk.
/// The first failure keeps, and is thrown then; so whoever writes values need not stop for it.
final class BlobWriter: BlobNotation {
    let files: BlobFiles
    /// The numbers that were referred to.
    private(set) var references: Set<Int64> = []
    private let adopts: Bool
    /// What was written, and may be lost by a power cut.
    private var written: [(blob: Blob, reference: BlobReference)] = []
    /// What was written, and is on disk.
    private var safe: [(blob: Blob, reference: BlobReference)] = []
    private var known: [ObjectIdentifier: BlobReference] = [:]
    private var failure: (any Error)?

    /// A writer for the files of a document.
    ///
    /// - Parameters:
    ///   - files: The files.
    ///   - adopts: Whether blobs are read from these files as soon as they are on disk; another
    ///     document's stay where they are.
    init(_ files: BlobFiles, adopts: Bool) {
        self.files = files
        self.adopts = adopts
    }

    deinit {
        discard()
        for (_, reference) in safe { files.release(reference.number) }
    }

    /// What stands for a blob: where it lies, or its bytes where a reference says less.
    func text(for blob: Blob) -> BlobText {
        if let reference = reference(to: blob) { return .reference(reference) }
        // Nothing of what refers to any is kept once one could not be written.
        return .bytes(failure == nil ? blob.data ?? Data() : Data())
    }

    /// What stands for a blob in the document's files; `nil` where that is its bytes.
    func reference(to blob: Blob) -> BlobReference? {
        guard !blob.isInline, failure == nil else { return nil }
        let reference: BlobReference
        if let known = blob.reference(in: files) ?? known[ObjectIdentifier(blob)] {
            reference = known
        } else {
            do {
                reference = try write(blob)
            } catch {
                failure = error
                return nil
            }
        }
        references.insert(reference.number)
        return reference
    }

    private func write(_ blob: Blob) throws -> BlobReference {
        let bytes: Data
        do {
            bytes = try blob.bytes()
        } catch {
            guard let reference = try missingReference(of: blob, error) else { throw error }
            return reference
        }
        let access = files.access
        try files.files.ensureDirectory(at: files.path, like: access.folder)
        let number = try files.nextNumber()
        let path = files.path(of: number)
        var isMade = false
        do {
            let file = try files.files.create(path, like: access.file)
            isMade = true
            try bytes.withUnsafeBytes { try file.write($0) }
            try file.synchronize()
            try file.close()
        } catch {
            // What was there before is somebody else's.
            if isMade { try? files.remove(number) }
            files.release(number)
            throw error
        }
        let reference = BlobReference(
            number: number, byteCount: bytes.count,
            checksum: bytes.withUnsafeBytes(CRC32.checksum))
        written.append((blob, reference))
        known[ObjectIdentifier(blob)] = reference
        return reference
    }

    /// A number without a file for a blob whose file another document had, and has no more: what an undo
    /// brings back after the document moved reads as missing, and keeps nothing else from being saved.
    private func missingReference(
        of blob: Blob, _ error: ExternalStorageError
    ) throws -> BlobReference? {
        guard adopts, let location = blob.location, location.files !== files else { return nil }
        switch error {
        case .missing, .damaged: break
        default: return nil
        }
        location.files.report(error)
        let reference = BlobReference(
            number: try files.nextNumber(), byteCount: location.reference.byteCount,
            checksum: location.reference.checksum)
        safe.append((blob, reference))
        known[ObjectIdentifier(blob)] = reference
        return reference
    }

    /// Brings the names of all files that were written to disk.
    ///
    /// - Throws: Why a blob could not be written; those that are not on disk yet are removed then.
    func finish() throws {
        do {
            if let failure { throw failure }
            if !written.isEmpty { try files.synchronizeNames() }
        } catch {
            discard()
            throw error
        }
        safe += written
        written = []
        if adopts { settle() }
    }

    /// Lets the blobs that are on disk be read from these files from now on.
    func settle() {
        for (blob, reference) in safe {
            blob.settle(reference, in: files)
            files.release(reference.number)
        }
        safe = []
    }

    /// Removes all that was written, for what refers to it is not kept.
    func abandon() {
        written += safe
        safe = []
        discard()
    }

    /// Removes what was written, as well as can be.
    private func discard() {
        for (_, reference) in written {
            try? files.remove(reference.number)
            files.release(reference.number)
        }
        written = []
    }
}

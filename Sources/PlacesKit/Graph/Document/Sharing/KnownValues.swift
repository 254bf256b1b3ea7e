import Foundation
import PlacesBase
import Synchronization

/// Knows which values are in this process, so that the log is not asked for their bytes.
final class KnownValues: Sendable {
    private struct WeakBlob {
        weak var blob: Blob?
    }

    private struct State {
        var blobs: [String: WeakBlob] = [:]
        /// With how many of them those are forgotten that nobody has any more.
        var limit = 1_024
    }

    private let state = Mutex(State())

    /// Takes note of values, as far as their bytes are here.
    func note(_ values: [SharedValue]) {
        guard !values.isEmpty else { return }
        state.withLock { state in
            for value in values { state.blobs[value.digest] = value.blob.map(WeakBlob.init) }
            guard state.blobs.count > state.limit else { return }
            state.blobs = state.blobs.filter { $0.value.blob != nil }
            state.limit = max(1_024, 2 * state.blobs.count)
        }
    }

    private func blob(of value: SharedValue) -> Blob? {
        value.blob ?? state.withLock { $0.blobs[value.digest]?.blob }
    }

    /// Brings the bytes of values into files of a document, unless they are here.
    ///
    /// A few megabytes at most are in memory at a time, but for a value that is longer.
    ///
    /// - Parameters:
    ///   - values: The values.
    ///   - isSearching: Whether all files of the document are looked through for their bytes.
    ///   - queue: Where files are written.
    ///   - files: Gives the files, on the queue.
    /// - Returns: The same values, as they are here.
    /// - Throws: An error of the log, `DocumentError` or `FileSystemError`.
    nonisolated(nonsending) func bring(
        _ values: [SharedValue], isSearching: Bool, on queue: DocumentQueue,
        to files: @escaping @Sendable () throws -> BlobFiles
    ) async throws -> [SharedValue] {
        var found: [String: SharedValue] = [:]
        func take(_ values: [SharedValue]) {
            for value in values { found[value.digest] = value }
        }
        take(try values.compactMap { try blob(of: $0).map(SharedValue.init) })
        var missing = Set(values.filter { found[$0.digest] == nil })
        if isSearching, !missing.isEmpty {
            let here = try await queue.run { [missing] in try files().values(like: missing) }
            take(here)
            missing.subtract(here)
        }
        var (waiting, size): ([(SharedValue, Data)], Int) = ([], 0)
        for value in values {
            if missing.remove(value) != nil {
                waiting.append((value, try await value.bytes()))
                size += value.byteCount
            }
            guard size >= 1 << 22 || missing.isEmpty, !waiting.isEmpty else { continue }
            take(try await queue.run { [waiting] in try files().write(waiting) })
            (waiting, size) = ([], 0)
        }
        let all = values.compactMap { found[$0.digest] }
        note(all)
        return all
    }
}

extension BlobFiles {
    /// Writes the bytes of values; they are on disk when this returns.
    fileprivate func write(_ values: [(value: SharedValue, bytes: Data)]) throws -> [SharedValue] {
        let writer = BlobWriter(self, adopts: true)
        let blobs = values.map { Blob($0.bytes, digest: $0.value.digest) }
        for blob in blobs { _ = writer.reference(to: blob) }
        try writer.finish()
        return try blobs.map(SharedValue.init)
    }

    /// Values of which a file has the bytes; called on the document's queue, where files are removed.
    ///
    /// - Complexity: O(n) for n files; those are read whose length fits.
    func values(like wanted: Set<SharedValue>) throws -> [SharedValue] {
        guard !wanted.isEmpty else { return [] }
        var digests = Dictionary(grouping: wanted, by: \.byteCount)
            .mapValues { Set($0.map(\.digest)) }
        return try numbers().compactMap { number in
            let path = path(of: number)
            guard let size = try files.status(of: path)?.size, digests[size]?.isEmpty == false,
                let bytes = try? files.read(path, prefix: size + 1), bytes.count == size
            else { return nil }
            let digest = bytes.withUnsafeBytes(SHA256.text)
            guard digests[size]?.remove(digest) != nil else { return nil }
            let reference = BlobReference(
                number: number, byteCount: size, checksum: bytes.withUnsafeBytes(CRC32.checksum))
            return try SharedValue(Blob(reference, in: self, digest: digest))
        }
    }
}

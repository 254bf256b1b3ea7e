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
        /// Those that somebody here refers to, and whose bytes are in no file.
        var lost: [String: Blob] = [:]
        /// Finds them in files, as long as that may help.
        var search: ValueSearch?
    }

    private let state = Mutex(State())

    /// Takes note of values, as far as their bytes are here; those that were lost have them from then on.
    func note(_ values: [SharedValue]) {
        guard !values.isEmpty else { return }
        state.withLock { state in
            for value in values {
                if let blob = value.blob, blob.isLost {
                    state.lost[value.digest] = blob
                    continue
                }
                state.blobs[value.digest] = value.blob.map(WeakBlob.init)
                // Bytes that are in memory only come to files later, and are noted again then.
                guard let blob = value.blob, blob.location != nil else { continue }
                state.lost.removeValue(forKey: value.digest)?.settle(like: blob)
            }
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
    ///   - scope: Which files of the document are looked through for their bytes.
    ///   - queue: Where files are written.
    ///   - files: Gives the files, on the queue.
    /// - Returns: The same values, as they are here.
    /// - Throws: An error of the log, `ExternalStorageError`, `DocumentError` or `FileSystemError`.
    nonisolated(nonsending) func bring(
        _ values: [SharedValue], searching scope: ValueSearch.Scope, on queue: DocumentQueue,
        to files: @escaping @Sendable () throws -> BlobFiles
    ) async throws -> [SharedValue] {
        var found: [String: SharedValue] = [:]
        func take(_ values: [SharedValue]) {
            for value in values { found[value.digest] = value }
        }
        take(try values.compactMap { try blob(of: $0).map(SharedValue.init) })
        var missing = Set(values.filter { found[$0.digest] == nil })
        if scope != .none, !missing.isEmpty {
            let here = try await queue.run { [self, missing] in
                try search(for: missing, in: files(), scope)
            }
            take(here)
            missing.subtract(here)
        }
        var (waiting, size): ([(SharedValue, Data)], Int) = ([], 0)
        for value in values {
            if missing.remove(value) != nil {
                do {
                    waiting.append((value, try await value.bytes()))
                } catch {
                    // What came is found in the files next time.
                    if !waiting.isEmpty {
                        _ = try? await queue.run { [waiting] in try files().write(waiting) }
                    }
                    throw error
                }
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

    private func search(
        for values: Set<SharedValue>, in files: BlobFiles, _ scope: ValueSearch.Scope
    ) throws -> [SharedValue] {
        let begun = scope == .unused ? state.withLock(\.search) : nil
        var search = try begun ?? ValueSearch(files, scope)
        defer { state.withLock { $0.search = scope == .unused ? search : nil } }
        return try search.values(like: values)
    }

    /// Forgets what files have that nobody refers to: nothing more of it will be asked for.
    func endSearch() { state.withLock { $0.search = nil } }
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
}

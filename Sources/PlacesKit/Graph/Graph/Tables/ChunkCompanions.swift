import Synchronization

/// What queries keep beside a chunk, to make it once and not at each scan.
///
/// A companion must tell by itself whether the chunk was written since: chunks that a transaction
/// still writes have companions too, and nobody tells those of a write.
final class ChunkCompanions: Sendable {
    private let companions = Mutex<[UInt8: any AnyObject & Sendable]>([:])

    subscript(key: UInt8) -> (any AnyObject & Sendable)? {
        get { companions.withLock { $0[key] } }
        set { companions.withLock { $0[key] = newValue } }
    }
}

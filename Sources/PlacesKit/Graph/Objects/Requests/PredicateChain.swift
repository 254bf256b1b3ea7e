import Synchronization

/// The parts of a compound predicate: all of them must hold, or one.
///
/// A chain that grows shares its parts with the chain that it was. An array would do that only if nobody else had it,
/// but `chain = chain || part` keeps the old chain until the new one is there.
struct PredicateChain<Object: ManagedObject>: Sendable {
    private final class Storage: Sendable {
        /// The parts of the longest of the chains that share them.
        let parts: Mutex<[CompoundPredicate<Object>]>

        init(_ parts: [CompoundPredicate<Object>]) { self.parts = Mutex(parts) }
    }

    private var storage: Storage
    private var count: Int
    /// How deep combinations lie in each other in the deepest part.
    private(set) var depth: Int

    /// Makes a chain.
    init(_ parts: [CompoundPredicate<Object>] = []) {
        storage = Storage(parts)
        count = parts.count
        depth = parts.lazy.map(\.depth).max() ?? 0
    }

    /// Whether it has no parts.
    var isEmpty: Bool { count == 0 }

    /// The parts.
    var parts: ArraySlice<CompoundPredicate<Object>> {
        storage.parts.withLock(\.self).prefix(count)
    }

    /// Adds parts at the end.
    ///
    /// - Complexity: O(k) for k parts that are added. O(n + k) for a chain of n parts which another chain has
    ///   already gone on from.
    mutating func append(_ later: [CompoundPredicate<Object>]) {
        let isLongest = storage.parts.withLock { parts in
            guard parts.count == count else { return false }
            parts += later
            return true
        }
        if !isLongest { storage = Storage(parts + later) }
        count += later.count
        for part in later { depth = max(depth, part.depth) }
    }
}

/// Keeps values whose total size never exceeds a number of bytes.
///
/// To make room, it removes the values used least recently, but never pinned ones.
struct ByteBudget<Key: Hashable, Value> {
    private struct Entry {
        let key: Key
        var value: Value
        let size: Int
        let isPinned: Bool
        var newer = -1
        var older = -1
    }

    let limit: Int
    private(set) var usedBytes = 0
    private(set) var pinnedBytes = 0
    private var entries: [Entry?] = []
    private var free: [Int] = []
    private var indexes: [Key: Int] = [:]
    /// The ends of the list of values that are not pinned; -1 if there are none.
    private var newest = -1
    private var oldest = -1

    init(limit: Int) {
        self.limit = max(0, limit)
    }

    var count: Int { indexes.count }

    var keys: Dictionary<Key, Int>.Keys { indexes.keys }

    /// The key of the value that would be removed first.
    var leastRecentlyUsed: Key? { entry(oldest)?.key }

    /// Returns a value without counting this as its use.
    func peek(_ key: Key) -> Value? {
        indexes[key].flatMap { entries[$0]?.value }
    }

    /// Returns a value; this counts as its use.
    mutating func use(_ key: Key) -> Value? {
        guard let index = indexes[key], let entry = entries[index] else { return nil }
        if !entry.isPinned, newest != index {
            unlink(index)
            linkNewest(index)
        }
        return entry.value
    }

    /// Whether a value would fit if all values that are not pinned were removed.
    func canFit(_ size: Int) -> Bool { size <= limit - pinnedBytes }

    /// Adds or replaces a value as the one used last, and removes others to make room for it.
    ///
    /// - Returns: Whether the value fits; if not, only an older value for the key is removed. And what was removed.
    @discardableResult
    mutating func insert(
        _ value: Value, for key: Key, size: Int, isPinned: Bool = false
    ) -> (fits: Bool, removed: [Value]) {
        var removed: [Value] = []
        if let older = remove(key) { removed.append(older) }
        guard size >= 0, canFit(size) else { return (false, removed) }
        while usedBytes > limit - size, let key = leastRecentlyUsed, let oldest = remove(key) {
            removed.append(oldest)
        }
        let entry = Entry(key: key, value: value, size: size, isPinned: isPinned)
        let index: Int
        if let reused = free.popLast() {
            index = reused
            entries[index] = entry
        } else {
            index = entries.count
            entries.append(entry)
        }
        indexes[key] = index
        usedBytes += size
        if isPinned { pinnedBytes += size } else { linkNewest(index) }
        return (true, removed)
    }

    /// Removes a value.
    @discardableResult
    mutating func remove(_ key: Key) -> Value? {
        guard let index = indexes.removeValue(forKey: key), let entry = entries[index] else {
            return nil
        }
        if entry.isPinned { pinnedBytes -= entry.size } else { unlink(index) }
        usedBytes -= entry.size
        entries[index] = nil
        free.append(index)
        return entry.value
    }

    mutating func removeAll() {
        self = ByteBudget(limit: limit)
    }

    private func entry(_ index: Int) -> Entry? {
        index < 0 ? nil : entries[index]
    }

    private mutating func linkNewest(_ index: Int) {
        entries[index]?.older = newest
        entries[index]?.newer = -1
        if newest >= 0 { entries[newest]?.newer = index } else { oldest = index }
        newest = index
    }

    private mutating func unlink(_ index: Int) {
        guard let (newer, older) = entry(index).map({ ($0.newer, $0.older) }) else { return }
        if newer >= 0 { entries[newer]?.older = older } else { newest = older }
        if older >= 0 { entries[older]?.newer = newer } else { oldest = newer }
    }
}

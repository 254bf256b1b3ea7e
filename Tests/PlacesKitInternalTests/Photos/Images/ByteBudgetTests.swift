import PlacesKit
import Testing

@testable import PlacesPhotos

/// The same as ``ByteBudget``, written as plainly as can be.
private struct NaiveBudget {
    let limit: Int
    /// From the least to the most recently used.
    var entries: [(key: Int, value: Int, size: Int, isPinned: Bool)] = []

    var used: Int { entries.reduce(0) { $0 + $1.size } }
    var pinned: Int { entries.reduce(0) { $0 + ($1.isPinned ? $1.size : 0) } }

    mutating func insert(_ value: Int, for key: Int, size: Int, isPinned: Bool) -> Bool {
        remove(key)
        guard size <= limit - pinned else { return false }
        while used + size > limit, let victim = entries.first(where: { !$0.isPinned }) {
            remove(victim.key)
        }
        entries.append((key, value, size, isPinned))
        return true
    }

    mutating func use(_ key: Int) -> Int? {
        guard let index = entries.firstIndex(where: { $0.key == key }) else { return nil }
        let entry = entries.remove(at: index)
        entries.append(entry)
        return entry.value
    }

    mutating func remove(_ key: Int) {
        entries.removeAll { $0.key == key }
    }
}

@Suite struct ByteBudgetTests {
    @Test(arguments: [0, 1, 10, 100])
    func `random use agrees with a naive model, never exceeds the limit, and keeps what is pinned`(
        limit: Int
    ) {
        var generator = SplitMix64(seed: UInt64(limit) + 7)
        var budget = ByteBudget<Int, Int>(limit: limit)
        var naive = NaiveBudget(limit: limit)
        for step in 0..<5_000 {
            let key = generator.below(12)
            switch generator.below(8) {
            case 0..<4:
                let size = generator.below(max(2, limit / 2))
                let isPinned = generator.below(6) == 0
                let fits = budget.insert(step, for: key, size: size, isPinned: isPinned).fits
                #expect(fits == naive.insert(step, for: key, size: size, isPinned: isPinned))
            case 4..<7: #expect(budget.use(key) == naive.use(key))
            default:
                budget.remove(key)
                naive.remove(key)
            }
            let context: Comment = "limit \(limit), step \(step)"
            #expect(budget.usedBytes <= max(0, limit), context)
            #expect(budget.usedBytes == naive.used && budget.pinnedBytes == naive.pinned, context)
            #expect(Set(budget.keys) == Set(naive.entries.map(\.key)), context)
            let first = naive.entries.first { !$0.isPinned }?.key
            #expect(budget.leastRecentlyUsed == first, context)
        }
    }

    @Test func `what does not fit is refused, and nothing goes for it`() {
        var budget = ByteBudget<String, Int>(limit: 10)
        budget.insert(1, for: "kept", size: 6, isPinned: true)
        budget.insert(2, for: "other", size: 4)
        let fits = [5, .max].map { size in budget.insert(3, for: "large", size: size).fits }
        #expect(fits == [false, false])
        #expect(budget.peek("kept") == 1 && budget.peek("other") == 2)
    }

    @Test func `what goes for a value is handed out, and so is what the value replaces`() {
        var budget = ByteBudget<String, Int>(limit: 10)
        #expect(budget.insert(1, for: "a", size: 4).removed == [])
        #expect(budget.insert(2, for: "b", size: 4).removed == [])
        #expect(budget.insert(3, for: "b", size: 5).removed == [2])
        #expect(budget.insert(4, for: "c", size: 9).removed == [1, 3])
        #expect(budget.insert(5, for: "c", size: 11).removed == [4])
    }
}

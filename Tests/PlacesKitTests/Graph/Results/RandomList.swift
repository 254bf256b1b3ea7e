import PlacesKit

/// A list of items that is always sorted by section and key, and edited at random.
struct RandomList {
    var generator: SeededGenerator
    private var items: [Int: (section: Int, key: Int)] = [:]
    private var sectionRanks: [Int]
    private let isSectioned: Bool
    private let capacity: Int
    private var nextIdentifier = 0

    init(seed: UInt64, items: Int, sections: Int?) {
        generator = SeededGenerator(seed: seed)
        sectionRanks = Array(0..<(sections ?? 1))
        isSectioned = sections != nil
        capacity = items
        for _ in 0..<items { _ = insert() }
    }

    /// The items in sections by rank, and in each by key.
    var snapshot: ResultsSnapshot<Int> {
        let sorted = items.sorted {
            (sectionRanks[$0.value.section], $0.value.key, $0.key)
                < (sectionRanks[$1.value.section], $1.value.key, $1.key)
        }
        guard isSectioned else { return ResultsSnapshot(sorted.map(\.key)) }
        return ResultsSnapshot(sorted.map(\.key)) { "\(items[$0]?.section ?? 0)" }
    }

    /// Makes random edits, and returns the items they touched.
    mutating func edit(times: Int) -> Set<Int> {
        var touched: Set<Int> = []
        for _ in 0..<times {
            guard let item = items.keys.sorted().randomElement(using: &generator) else {
                touched.insert(insert())
                continue
            }
            switch Int.random(in: 0..<10, using: &generator) {
            case 0..<2 where items.count < capacity * 2:
                touched.insert(insert())
            case 0..<4:
                items[item] = nil
                touched.insert(item)
            case 4..<6:
                items[item]?.section = Int.random(in: sectionRanks.indices, using: &generator)
                touched.insert(item)
            case 6..<9:
                items[item]?.key = Int.random(in: 0..<capacity, using: &generator)
                touched.insert(item)
            default:
                touched.formUnion(exchangeTwoSections())
            }
        }
        return touched
    }

    private mutating func insert() -> Int {
        nextIdentifier += 1
        items[nextIdentifier] = (
            Int.random(in: sectionRanks.indices, using: &generator),
            Int.random(in: 0..<capacity, using: &generator)
        )
        return nextIdentifier
    }

    /// Exchanges the ranks of two sections, which touches all of their items.
    private mutating func exchangeTwoSections() -> [Int] {
        let one = Int.random(in: sectionRanks.indices, using: &generator)
        let other = Int.random(in: sectionRanks.indices, using: &generator)
        sectionRanks.swapAt(one, other)
        return items.filter { $0.value.section == one || $0.value.section == other }.map(\.key)
    }
}

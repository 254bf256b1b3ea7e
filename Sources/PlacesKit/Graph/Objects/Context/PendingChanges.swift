/// The changes of a context since its last save, batch by batch as they were processed.
///
/// A batch is put together with the one before it only where that is not much larger. So each of many small
/// batches after a large one costs what it changes itself, times a logarithm; whoever asks for all changes puts
/// them together.
///
/// - Invariant: Each part has more than twice as many changes as the next.
struct PendingChanges {
    /// Batches, each of some that were put together.
    private var parts: [ChangeSet] = []

    /// No changes, and no batches.
    init() {}

    /// The changes of one batch.
    init(_ changes: ChangeSet) { parts = [changes] }

    /// Whether no batch was processed, not even one without changes.
    var isUnset: Bool { parts.isEmpty }

    /// Whether nothing is left of the changes: the later parts together are too small to take the first one back.
    var isEmpty: Bool { parts.first?.isEmpty ?? true }

    /// The graph before the changes; `nil` where no batch was processed.
    var before: Graph? { parts.first?.before }

    /// Notes a batch that follows.
    ///
    /// - Complexity: O(k log n) for k changes, on average over the batches that came to n changes.
    mutating func append(_ changes: ChangeSet) {
        if changes.isEmpty, !parts.isEmpty {
            parts[parts.count - 1].after = changes.after
            return
        }
        parts.append(changes)
        while parts.count > 1, parts[parts.count - 2].size <= 2 * parts[parts.count - 1].size {
            joinLast()
        }
    }

    /// All changes as one; `nil` where no batch was processed.
    ///
    /// - Complexity: O(n) for n changes the first time after a batch, then O(1).
    var all: ChangeSet? {
        mutating get {
            while parts.count > 1 { joinLast() }
            return parts.first
        }
    }

    private mutating func joinLast() {
        let last = parts.removeLast()
        parts[parts.count - 1] = parts[parts.count - 1].merging(last)
    }

    /// Whether any of the changes is still to be seen in a graph that came after them.
    func areVisible(in later: Graph) -> Bool {
        guard let before else { return false }
        return parts.contains { $0.isVisible(in: later, since: before) }
    }

    /// The properties of a row that some batch changed; a later one may have changed them back.
    ///
    /// - Complexity: O(log n) for n changes; after a batch also what putting it together with others has cost.
    func properties(of row: Row, in table: TableNumber) -> PropertyMask {
        parts.reduce(into: []) { properties, changes in
            switch changes.change(of: row, in: table) {
            case .inserted: properties = .all
            case .updated(let mask): properties.formUnion(mask)
            case .deleted, nil: break
            }
        }
    }
}

extension PendingChanges {
    /// How many changes each part has.
    var sizes: [Int] { parts.map(\.size) }

    /// What is wrong with the parts, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        zip(sizes, sizes.dropFirst()).filter { $0 <= 2 * $1 }.map {
            "\($1) pending changes stand by themselves after \($0)"
        }
    }
}

extension ChangeSet {
    /// How many rows changed.
    fileprivate var size: Int { tables.reduce(0) { $0 + $1.count } }
}

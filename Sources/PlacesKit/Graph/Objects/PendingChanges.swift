/// The changes of a context since its last save, batch by batch as they were processed.
///
/// A batch is put together with the one before it only where that is not much larger. So each of many small
/// batches after a large one costs what it changes itself, times a logarithm; whoever asks for all changes puts
/// them together.
///
/// - Invariant: Each part has more than twice as many changes as the next.
struct PendingChanges {
    private var parts: [ChangeSet] = []
    /// The changed properties of rows, by table and row, once somebody asked for them.
    private var masks: [[Row: PropertyMask]]?

    /// No changes, and no batches.
    init() {}

    /// The changes of one batch.
    init(_ changes: ChangeSet) { parts = [changes] }

    /// Whether no batch was processed, not even one without changes.
    var isUnset: Bool { parts.isEmpty }

    /// Whether nothing is left of the changes.
    var isEmpty: Bool {
        mutating get { all?.isEmpty ?? true }
    }

    /// The graph before the changes; `nil` where no batch was processed.
    var before: Graph? { parts.first?.before }

    /// Notes a batch that follows.
    ///
    /// - Complexity: O(k log n) for k changes, on average over the batches that came to n changes.
    mutating func append(_ changes: ChangeSet) {
        masks = nil
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

    /// The properties that changed of a row.
    ///
    /// - Complexity: O(1), and O(n) for n changes the first time after a batch.
    mutating func properties(of row: Row, in table: TableNumber) -> PropertyMask {
        if masks == nil {
            masks = all?.tables.map { changes in
                var masks: [Row: PropertyMask] = [:]
                for row in changes.inserted { masks[row] = .all }
                for update in changes.updated { masks[update.row] = update.changes }
                return masks
            }
        }
        return masks?[table][row] ?? []
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
    fileprivate var size: Int {
        tables.reduce(0) { $0 + $1.count }
    }
}

/// Changes that are taken back at once.
///
/// It holds values and no graph, so what is kept costs what was changed.
struct UndoGroup {
    var name = ""
    /// Batches in the order in which they were made; others may have saved in between.
    private(set) var deltas: ContiguousArray<Delta> = []
    /// What the first of them insert, as many as were looked through when it was asked for last: changes are
    /// remembered at their speed where nobody asks.
    private var inserted: (objects: Set<Delta.Departure>, deltas: Int) = ([], 0)

    init(name: String = "") { self.name = name }

    /// About how many bytes the group takes.
    var byteCount: Int {
        deltas.reduce(MemoryLayout<UndoGroup>.size + 48 + name.utf8.count + insertedByteCount) {
            $0 + $1.byteCount
        }
    }

    /// About how many bytes of them the inserted objects take that were looked up.
    fileprivate var insertedByteCount: Int {
        inserted.objects.count * 2 * MemoryLayout<Delta.Departure>.stride
    }

    var isEmpty: Bool { deltas.isEmpty }

    mutating func append(_ delta: Delta) { deltas.append(delta) }

    /// Leaves what others have done as well as they saved it; returns whether all changes are newer than what the
    /// context saved itself.
    mutating func settle(over saved: SavedGraph) -> Bool {
        for index in deltas.indices.reversed() {
            guard deltas[index].isMade(after: saved.saves) else { return false }
            deltas[index].settle(over: saved)
        }
        return true
    }

    /// Those of some objects that go when the group is taken back.
    ///
    /// - Complexity: O(k) for k objects, but for what was added since this was asked last.
    mutating func inserted(among objects: Set<Delta.Departure>) -> Set<Delta.Departure> {
        for delta in deltas[inserted.deltas...] { inserted.objects.formUnion(delta.departures) }
        inserted.deltas = deltas.count
        return objects.filter(inserted.objects.contains)
    }
}

extension UndoGroup {
    /// An attribute or a to-one relationship of an object.
    struct Property: Hashable {
        var object: Int64
        var table: TableNumber
        var slot: Slot
    }

    /// A member of an ordered relationship of an object.
    struct Member: Hashable {
        var list: Property
        var object: Int64
    }

    /// The members that others have saved since and that are where they saved them: no own move of them is left.
    func membersSaved(over saved: SavedGraph) -> Set<Member> {
        Set(
            deltas.lazy.filter { $0.isOvertaken(by: saved) }.flatMap(\.positions)
                .filter(\.wasSaved)
                .map {
                    Member(
                        list: Property(object: $0.owner, table: $0.table, slot: $0.slot),
                        object: $0.member)
                })
    }

    /// The properties that the group wrote.
    var properties: Set<Property> {
        Set(
            deltas.lazy.flatMap(\.changes).map {
                Property(object: $0.object, table: $0.table, slot: $0.slot)
            })
    }
}

/// Groups, as many as limits allow; the last one is taken back first.
///
/// - Invariant: Each group has changes, and all take the bytes that are counted.
struct UndoGroups {
    /// How many groups are kept; any number if zero.
    var limit = 0 { didSet { trim() } }
    /// About how many bytes they may take; any number if zero.
    var byteLimit = 0 { didSet { trim() } }

    /// Those that were forgotten stay as empty ones until there are many.
    private var groups: ContiguousArray<UndoGroup> = []
    private var forgotten = 0
    /// About how many bytes the groups take.
    private(set) var byteCount = 0

    var count: Int { groups.count - forgotten }

    var isEmpty: Bool { count == 0 }

    var last: UndoGroup? { isEmpty ? nil : groups.last }

    /// Those of some objects that go when all groups are taken back; the last one is asked first.
    mutating func inserted(among objects: Set<Delta.Departure>) -> Set<Delta.Departure> {
        var rest = objects
        for number in groups.indices.reversed() where !rest.isEmpty {
            let former = groups[number].insertedByteCount
            rest.subtract(groups[number].inserted(among: rest))
            byteCount += groups[number].insertedByteCount - former
        }
        return objects.subtracting(rest)
    }

    /// - Complexity: O(1), amortised over the groups.
    mutating func push(_ group: UndoGroup) {
        groups.append(group)
        byteCount += group.byteCount
        trim()
    }

    mutating func pop() -> UndoGroup? {
        guard !isEmpty, let group = groups.popLast() else { return nil }
        byteCount -= group.byteCount
        return group
    }

    /// Adds changes to the last group, which there must be.
    mutating func append(_ delta: Delta) {
        groups[groups.count - 1].append(delta)
        byteCount += delta.byteCount
        trim()
    }

    /// Leaves what others have done as well as they saved it.
    ///
    /// - Complexity: O(d) for d deltas that were added since the context saved.
    mutating func settle(over saved: SavedGraph) {
        for index in groups.indices.reversed() where index >= forgotten {
            byteCount -= groups[index].byteCount
            let isNew = groups[index].settle(over: saved)
            byteCount += groups[index].byteCount
            guard isNew else { return }
        }
    }

    /// Names the last group, if there is any.
    mutating func rename(_ name: String) {
        guard !isEmpty else { return }
        byteCount += name.utf8.count - groups[groups.count - 1].name.utf8.count
        groups[groups.count - 1].name = name
    }

    mutating func removeAll() {
        groups = []
        forgotten = 0
        byteCount = 0
    }

    /// Forgets the groups that would be taken back last; the first one stays, whatever it takes.
    private mutating func trim() {
        while count > 1, limit > 0 && count > limit || byteLimit > 0 && byteCount > byteLimit {
            byteCount -= groups[forgotten].byteCount
            groups[forgotten] = UndoGroup()
            forgotten += 1
        }
        guard forgotten > 64, forgotten > groups.count / 2 else { return }
        groups.removeFirst(forgotten)
        forgotten = 0
    }
}

extension UndoGroups {
    /// What is wrong with the groups, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        let kept = groups.dropFirst(forgotten)
        return (kept.contains(where: \.isEmpty) ? ["a group that is kept has no changes"] : [])
            + (kept.reduce(0) { $0 + $1.byteCount } == byteCount
                ? [] : ["groups take other than the \(byteCount) bytes that are counted"])
    }
}

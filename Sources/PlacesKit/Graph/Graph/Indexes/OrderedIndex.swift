/// The rows of a table in an order: what ranges, ranks and extremes are found by in O(log n).
///
/// A B+tree whose nodes are copied on the way from the root when they are first written after a
/// freeze, so that a snapshot has the index too. An entry has a group, a key and a row, and entries
/// are ordered so. Where a key is only the beginning of what it stands for, such as eight bytes of a
/// text, the caller says how the rest compares: a *tie* closure compares what is sought with the
/// value of a row that has the same group and key.
///
/// - The rows of the index must keep their values while they are in it: take a row out, change it,
///   enter it again.
/// - Positions count from zero over all groups. Those of a group are `range(ofGroup:)`.
struct OrderedIndex: Sendable {
    private var root: OrderedNode?

    /// An index without entries.
    init() {}

    /// An index of entries that come in ascending order.
    ///
    /// - Complexity: O(n), without a comparison.
    init(_ entries: some Sequence<OrderedEntry>, token: UInt64) {
        var nodes: ContiguousArray<OrderedNode> = []
        for entry in entries {
            if nodes.last.map({ $0.count == OrderedNode.capacity }) ?? true {
                nodes.append(OrderedNode(owner: token, isLeaf: true))
            }
            let leaf = nodes[nodes.count - 1]
            leaf.insert(entry, at: leaf.count)
        }
        while nodes.count > 1 {
            var parents: ContiguousArray<OrderedNode> = []
            for node in nodes {
                if parents.last.map({ $0.count == OrderedNode.capacity }) ?? true {
                    parents.append(OrderedNode(owner: token, isLeaf: false))
                }
                let parent = parents[parents.count - 1]
                parent.insert(node, at: parent.count)
            }
            nodes = parents
        }
        root = nodes.first
    }

    /// The number of entries.
    var count: Int { root?.total ?? 0 }

    /// Whether there are no entries.
    var isEmpty: Bool { root == nil }

    // MARK: - Writing

    /// Enters an entry, which must not be there yet.
    ///
    /// - Complexity: O(log n).
    mutating func insert(
        _ entry: OrderedEntry, token: UInt64, tie: (Row) -> Int = { _ in 0 }
    ) {
        guard let root else {
            let leaf = OrderedNode(owner: token, isLeaf: true)
            leaf.insert(entry, at: 0)
            self.root = leaf
            return
        }
        let node = root.owned(by: token)
        if node !== root { self.root = node }
        guard let sibling = node.insert(entry, tie) else { return }
        let parent = OrderedNode(owner: token, isLeaf: false)
        parent.insert(node, at: 0)
        parent.insert(sibling, at: 1)
        self.root = parent
    }

    /// Takes an entry out; returns whether it was there.
    ///
    /// No transaction begins to write where it was not.
    ///
    /// - Complexity: O(log n).
    @discardableResult
    mutating func remove(
        _ entry: OrderedEntry, token: UInt64, tie: (Row) -> Int = { _ in 0 }
    ) -> Bool {
        guard let root, root.owner == token || contains(entry, tie: tie) else { return false }
        let node = root.owned(by: token)
        guard node.remove(entry, tie) else { return false }
        if node.count == 0 {
            self.root = nil
        } else if !node.isLeaf, node.count == 1 {
            self.root = node.child(0)
        } else if node !== root {
            self.root = node
        }
        return true
    }

    // MARK: - Finding

    /// How many entries come before `entry`, which need not be there.
    ///
    /// - Complexity: O(log n).
    func position(of entry: OrderedEntry, tie: (Row) -> Int = { _ in 0 }) -> Int {
        root?.position(of: entry, tie) ?? 0
    }

    /// The first entry that does not come before `entry`, which need not be there.
    ///
    /// - Complexity: O(log n).
    func first(
        notBefore entry: OrderedEntry, tie: (Row) -> Int = { _ in 0 }
    ) -> OrderedEntry? {
        root?.first(notBefore: entry, tie)
    }

    /// Whether an entry is there.
    ///
    /// - Complexity: O(log n).
    func contains(_ entry: OrderedEntry, tie: (Row) -> Int = { _ in 0 }) -> Bool {
        first(notBefore: entry, tie: tie) == entry
    }

    /// The entry at a position, which must exist.
    ///
    /// - Complexity: O(log n).
    subscript(position: Int) -> OrderedEntry {
        guard let root else { preconditionFailure("an empty index has no positions") }
        let (leaf, offset) = root.leaf(at: position)
        return leaf.entries[offset]
    }

    /// The positions of a group.
    ///
    /// - Complexity: O(log n).
    func range(ofGroup group: Int32) -> Range<Int> {
        let start = position(of: .start(of: group))
        return start..<max(start, position(of: .end(of: group)))
    }

    /// The first entry of a group.
    ///
    /// - Complexity: O(log n).
    func first(ofGroup group: Int32) -> OrderedEntry? {
        first(notBefore: .start(of: group)).flatMap { $0.group == group ? $0 : nil }
    }

    /// The last entry of a group.
    ///
    /// - Complexity: O(log n).
    func last(ofGroup group: Int32) -> OrderedEntry? {
        let position = position(of: .end(of: group))
        guard position > 0, case let entry = self[position - 1], entry.group == group else {
            return nil
        }
        return entry
    }

    /// The entries at some positions, in ascending order.
    ///
    /// - Complexity: O(log n) to begin, O(1) for each entry.
    func entries(_ positions: Range<Int>) -> OrderedWalk {
        OrderedWalk(root: root, positions: positions.clamped(to: 0..<count))
    }

    /// Calls `body` with the entries at some positions in ascending order, as many at once as lie
    /// together.
    func forEachRun(_ positions: Range<Int>, _ body: (UnsafeBufferPointer<OrderedEntry>) -> Void) {
        guard let root else { return }
        var rest = positions.clamped(to: 0..<count)
        while !rest.isEmpty {
            let (leaf, offset) = root.leaf(at: rest.lowerBound)
            let length = Swift.min(leaf.count - offset, rest.count)
            withExtendedLifetime(leaf) {
                body(UnsafeBufferPointer(start: leaf.entries + offset, count: length))
            }
            rest = rest.lowerBound + length..<rest.upperBound
        }
    }

    /// Calls `body` with the entries of a leaf and the first one after them, and goes on with the entry that it returns.
    ///
    /// The first leaf, and each that follows, is that in which the entry is or belongs.
    func forEachLeaf(
        from first: OrderedEntry,
        _ body: (UnsafeBufferPointer<OrderedEntry>, OrderedEntry?) -> OrderedEntry?
    ) {
        guard let root else { return }
        var sought: OrderedEntry? = first
        while let entry = sought {
            let (leaf, next) = root.leaf(of: entry) { _ in 0 }
            sought = leaf._withUnsafeGuaranteedRef {
                body(UnsafeBufferPointer(start: $0.entries, count: $0.count), next)
            }
        }
    }

    /// All entries in ascending order.
    var entries: OrderedWalk { entries(0..<count) }
}

/// A row of an ordered index, and what decides its position.
struct OrderedEntry: BitwiseCopyable, Hashable {
    /// What entries are ordered by first.
    var group: Int32
    /// The row, by which entries are ordered last.
    var row: Row
    /// What the entries of a group are ordered by: bits in the order of the values they stand for.
    var key: UInt64

    /// What comes before every entry of a group.
    static func start(of group: Int32) -> OrderedEntry {
        OrderedEntry(group: group, row: .min, key: 0)
    }

    /// What comes after every entry of a group.
    static func end(of group: Int32) -> OrderedEntry {
        OrderedEntry(group: group, row: .max, key: .max)
    }
}

/// Walks entries of an ordered index, leaf by leaf.
struct OrderedWalk: Sequence, IteratorProtocol {
    private let root: OrderedNode?
    private var remaining: Range<Int>
    private var leaf: OrderedNode?
    private var offset = 0

    fileprivate init(root: OrderedNode?, positions: Range<Int>) {
        self.root = root
        remaining = positions
    }

    /// The number of entries to come.
    var underestimatedCount: Int { remaining.count }

    mutating func next() -> OrderedEntry? {
        guard let root, !remaining.isEmpty else { return nil }
        if let leaf, offset < leaf.count {
            defer { advance() }
            return leaf.entries[offset]
        }
        let (leaf, offset) = root.leaf(at: remaining.lowerBound)
        self.leaf = leaf
        self.offset = offset
        defer { advance() }
        return leaf.entries[offset]
    }

    private mutating func advance() {
        offset += 1
        remaining = remaining.lowerBound + 1..<remaining.upperBound
    }
}

extension OrderedIndex {
    /// What is wrong with the tree, in words; nothing in a sound one.
    ///
    /// `isAscending` says whether the values of two rows of the same group and key are in order.
    func brokenInvariants(isAscending: (Row, Row) -> Bool = { _, _ in true }) -> [String] {
        var violations = root?.brokenInvariants(isRoot: true) ?? []
        var previous: OrderedEntry?
        for entry in entries {
            if let last = previous {
                let isSorted =
                    (last.group, last.key) < (entry.group, entry.key)
                    || (last.group, last.key) == (entry.group, entry.key)
                        && isAscending(last.row, entry.row)
                if !isSorted { violations.append("\(last) stands before \(entry)") }
            }
            previous = entry
        }
        return violations
    }
}

import PlacesBase

/// A node of an ordered index: a leaf with entries, or an inner node with children.
///
/// An inner node keeps the first entry of each child, always the one that is there now, since an
/// entry that is gone can no longer be compared.
///
/// Sendable for the reason that `Chunk` is: it is written only under the token of a transaction that
/// has not yet given it away.
final class OrderedNode: @unchecked Sendable {
    /// As many entries as make a copy cheap and the tree low.
    static let capacity = 64

    let owner: UInt64
    let isLeaf: Bool
    /// The number of entries, or of children.
    @exclusivity(unchecked) private(set) var count = 0
    /// The entries, or the first entry of each child.
    let entries: UnsafeMutablePointer<OrderedEntry>
    /// The children of an inner node, and how many entries are below each.
    private let children: UnsafeMutablePointer<OrderedNode>
    private let totals: UnsafeMutablePointer<Int>

    init(owner: UInt64, isLeaf: Bool) {
        self.owner = owner
        self.isLeaf = isLeaf
        entries = .allocate(capacity: Self.capacity)
        children = .allocate(capacity: isLeaf ? 0 : Self.capacity)
        totals = .allocate(capacity: isLeaf ? 0 : Self.capacity)
    }

    deinit {
        if !isLeaf { children.deinitialize(count: count) }
        entries.deallocate()
        children.deallocate()
        totals.deallocate()
    }

    /// This node if the transaction of `token` may write it, else a copy that it may.
    @inline(__always)
    func owned(by token: UInt64) -> OrderedNode { owner == token ? self : copy(for: token) }

    private func copy(for token: UInt64) -> OrderedNode {
        let copy = OrderedNode(owner: token, isLeaf: isLeaf)
        copy.append(from: self, 0..<count)
        return copy
    }

    /// The number of entries in this node and below.
    var total: Int {
        if isLeaf { return count }
        var total = 0
        for index in 0..<count { total &+= totals[index] }
        return total
    }

    func child(_ index: Int) -> OrderedNode { children[index] }

    // MARK: - Finding

    /// How many entries of this node come before `sought`; with `orIsIt`, or are it.
    @inline(__always)
    private func index(
        of sought: OrderedEntry, orIsIt: Bool, _ tie: (Row) -> Int
    ) -> Int {
        var low = 0
        var high = count
        while low < high {
            let middle = (low &+ high) &>> 1
            let entry = entries[middle]
            let isBefore: Bool
            if entry.key != sought.key || entry.group != sought.group {
                isBefore =
                    entry.group == sought.group
                    ? entry.key < sought.key : entry.group < sought.group
            } else if entry.row == sought.row {
                isBefore = orIsIt
            } else {
                let order = tie(entry.row)
                isBefore = order == 0 ? entry.row < sought.row : order > 0
            }
            if isBefore { low = middle &+ 1 } else { high = middle }
        }
        return low
    }

    /// The number of the child below which `sought` is, or belongs.
    @inline(__always)
    private func childIndex(of sought: OrderedEntry, _ tie: (Row) -> Int) -> Int {
        max(0, index(of: sought, orIsIt: true, tie) &- 1)
    }

    /// How many entries in this node and below come before `sought`.
    func position(of sought: OrderedEntry, _ tie: (Row) -> Int) -> Int {
        var position = 0
        var node = Unmanaged.passUnretained(self)
        while true {
            let next: Unmanaged<OrderedNode>? = node._withUnsafeGuaranteedRef { node in
                if node.isLeaf {
                    position &+= node.index(of: sought, orIsIt: false, tie)
                    return nil
                }
                let index = node.childIndex(of: sought, tie)
                for sibling in 0..<index { position &+= node.totals[sibling] }
                return .passUnretained(node.children[index])
            }
            guard let next else { return position }
            node = next
        }
    }

    /// The first entry in this node and below that does not come before `sought`, if there is one.
    func first(notBefore sought: OrderedEntry, _ tie: (Row) -> Int) -> OrderedEntry? {
        let (leaf, next) = leaf(of: sought, tie)
        return leaf._withUnsafeGuaranteedRef { leaf in
            let index = leaf.index(of: sought, orIsIt: false, tie)
            return index < leaf.count ? leaf.entries[index] : next
        }
    }

    /// The leaf below this node in which `sought` is, or belongs, and the first entry after the leaf.
    @inline(__always)
    func leaf(
        of sought: OrderedEntry, _ tie: (Row) -> Int
    ) -> (leaf: Unmanaged<OrderedNode>, next: OrderedEntry?) {
        var next: OrderedEntry?
        var node = Unmanaged.passUnretained(self)
        while true {
            let child: Unmanaged<OrderedNode>? = node._withUnsafeGuaranteedRef { node in
                if node.isLeaf { return nil }
                let index = node.childIndex(of: sought, tie)
                if index + 1 < node.count { next = node.entries[index + 1] }
                return .passUnretained(node.children[index])
            }
            guard let child else { return (node, next) }
            node = child
        }
    }

    /// The leaf that holds the entry at a position below this node, and where in it.
    func leaf(at position: Int) -> (leaf: OrderedNode, offset: Int) {
        var node = self
        var rest = position
        while !node.isLeaf {
            var index = 0
            while index < node.count - 1, rest >= node.totals[index] {
                rest -= node.totals[index]
                index += 1
            }
            node = node.children[index]
        }
        precondition(rest >= 0 && rest < node.count, "the position is outside of the index")
        return (node, rest)
    }

    // MARK: - Writing

    /// Makes room at an index.
    @inline(__always)
    private func open(_ index: Int) {
        (entries + index + 1).update(from: entries + index, count: count - index)
        if !isLeaf {
            (children + index + 1).moveInitialize(from: children + index, count: count - index)
            (totals + index + 1).update(from: totals + index, count: count - index)
        }
        count &+= 1
    }

    /// Puts an entry into this leaf, which has room for it.
    func insert(_ entry: OrderedEntry, at index: Int) {
        open(index)
        entries[index] = entry
    }

    /// Puts a child into this inner node, which has room for it.
    func insert(_ child: OrderedNode, at index: Int) {
        open(index)
        entries[index] = child.entries[0]
        (children + index).initialize(to: child)
        totals[index] = child.total
    }

    /// Enters an entry into this node, which the caller may write, or below; returns the node that
    /// follows this one if it had to be split.
    func insert(_ entry: OrderedEntry, _ tie: (Row) -> Int) -> OrderedNode? {
        guard !isLeaf else {
            let index = index(of: entry, orIsIt: false, tie)
            guard count == Self.capacity else {
                insert(entry, at: index)
                return nil
            }
            let sibling = split(before: index)
            if index > count || index == count && sibling.count == 0 {
                sibling.insert(entry, at: index - count)
            } else {
                insert(entry, at: index)
            }
            return sibling
        }
        let index = childIndex(of: entry, tie)
        let split = ownedChild(index)._withUnsafeGuaranteedRef { $0.insert(entry, tie) }
        entries[index] = children[index].entries[0]
        guard let split else {
            totals[index] &+= 1
            return nil
        }
        totals[index] = children[index].total
        guard count == Self.capacity else {
            insert(split, at: index + 1)
            return nil
        }
        let sibling = self.split(before: index + 1)
        if index + 1 > count || index + 1 == count && sibling.count == 0 {
            sibling.insert(split, at: index + 1 - count)
        } else {
            insert(split, at: index + 1)
        }
        return sibling
    }

    /// The child at an index, which the caller may write; nobody counts it on the way.
    private func ownedChild(_ index: Int) -> Unmanaged<OrderedNode> {
        if children[index].owner != owner { children[index] = children[index].copy(for: owner) }
        return .passUnretained(children[index])
    }

    /// Moves the second half into a new node, or nothing where the next one comes at the end: what
    /// is entered in ascending order leaves full nodes behind.
    private func split(before index: Int) -> OrderedNode {
        let middle = index == count ? count : count / 2
        let sibling = OrderedNode(owner: owner, isLeaf: isLeaf)
        sibling.append(from: self, middle..<count)
        if !isLeaf { (children + middle).deinitialize(count: count - middle) }
        count = middle
        return sibling
    }

    /// Takes an entry out of this node, which the caller may write, or out of what is below; returns whether it was
    /// there.
    func remove(_ entry: OrderedEntry, _ tie: (Row) -> Int) -> Bool {
        guard !isLeaf else {
            let index = index(of: entry, orIsIt: false, tie)
            guard index < count, entries[index] == entry else { return false }
            close(index)
            return true
        }
        let index = childIndex(of: entry, tie)
        guard ownedChild(index)._withUnsafeGuaranteedRef({ $0.remove(entry, tie) }) else {
            return false
        }
        totals[index] &-= 1
        tidy(index)
        return true
    }

    /// Goes on with a child that lost an entry: one that has none left goes, one that has few gets more.
    private func tidy(_ index: Int) {
        let rest = children[index].count
        guard rest > 0 else {
            (children + index).deinitialize(count: 1)
            return close(index)
        }
        entries[index] = children[index].entries[0]
        if rest < Self.capacity / 4 {
            if index > 0 { merge(index - 1) } else if count > 1 { merge(0) }
        }
    }

    /// Closes the gap that an entry, or a child that is gone already, leaves.
    private func close(_ index: Int) {
        let rest = count - index - 1
        (entries + index).update(from: entries + index + 1, count: rest)
        if !isLeaf {
            (children + index).moveInitialize(from: children + index + 1, count: rest)
            (totals + index).update(from: totals + index + 1, count: rest)
        }
        count &-= 1
    }

    /// Moves what the child after `index` has into the one at `index`, if there is room and to spare.
    private func merge(_ index: Int) {
        let next = children[index + 1]
        guard children[index].count + next.count <= Self.capacity * 3 / 4 else { return }
        ownedChild(index)._withUnsafeGuaranteedRef { $0.append(from: next, 0..<next.count) }
        totals[index] &+= totals[index + 1]
        (children + index + 1).deinitialize(count: 1)
        close(index + 1)
    }

    private func append(from other: OrderedNode, _ range: Range<Int>) {
        (entries + count).update(from: other.entries + range.lowerBound, count: range.count)
        if !isLeaf {
            (children + count).initialize(
                from: other.children + range.lowerBound, count: range.count)
            (totals + count).update(from: other.totals + range.lowerBound, count: range.count)
        }
        count &+= range.count
    }

    // MARK: - Invariants

    /// What is wrong with the shape of the tree below this node.
    func brokenInvariants(isRoot: Bool) -> [String] {
        guard count > 0, count <= Self.capacity else { return ["a node has \(count) members"] }
        guard !isLeaf else { return [] }
        var violations: [String] = []
        if isRoot, count == 1 { violations.append("the root has one child") }
        for index in 0..<count {
            let child = children[index]
            violations += child.brokenInvariants(isRoot: false)
            if child.total != totals[index] {
                violations.append("\(child.total) entries are counted as \(totals[index])")
            }
            if child.count > 0, child.entries[0] != entries[index] {
                violations.append("\(entries[index]) stands for \(child.entries[0])")
            }
            if child.isLeaf != children[0].isLeaf {
                violations.append("leaves lie at different depths")
            }
        }
        return violations
    }
}

/// A sequence whose elements have weights, and which shares with its copies what they have in common.
///
/// A treap, balanced by numbers that are mixed from the elements' own, and copied on the way from its
/// root. Elements are found by their index, by the sum of the weights before them, or by a search.
struct WeightedSequence<Element: Sendable>: Sendable {
    private var root: Node?

    /// The number of elements.
    var count: Int { root?.count ?? 0 }

    /// The sum of all weights.
    var weight: Int { root?.total ?? 0 }

    /// The element at an index, which must be valid.
    ///
    /// - Complexity: O(log n), as for everything here.
    subscript(index: Int) -> Element {
        var node = root
        var rest = index
        while let current = node {
            let before = current.left?.count ?? 0
            if rest == before { return current.element }
            if rest < before {
                node = current.left
            } else {
                rest -= before + 1
                node = current.right
            }
        }
        preconditionFailure("the sequence has no element \(index)")
    }

    /// The sum of the weights before an index.
    func weight(before index: Int) -> Int {
        var node = root
        var (rest, sum) = (index, 0)
        while let current = node {
            let before = current.left?.count ?? 0
            if rest <= before {
                node = current.left
            } else {
                sum += (current.left?.total ?? 0) + current.weight
                rest -= before + 1
                node = current.right
            }
        }
        return sum
    }

    /// The index of the element that covers an offset among the weights, which must be below their sum.
    func index(covering offset: Int) -> Int {
        var node = root
        var (rest, index) = (offset, 0)
        while let current = node {
            let before = current.left?.total ?? 0
            if rest < before {
                node = current.left
            } else if rest < before + current.weight {
                return index + (current.left?.count ?? 0)
            } else {
                rest -= before + current.weight
                index += (current.left?.count ?? 0) + 1
                node = current.right
            }
        }
        return index
    }

    /// The number of elements for which a statement holds: they come first, and it holds for none behind them.
    func count(where holds: (Element) -> Bool) -> Int {
        var node = root
        var count = 0
        while let current = node {
            if holds(current.element) {
                count += (current.left?.count ?? 0) + 1
                node = current.right
            } else {
                node = current.left
            }
        }
        return count
    }

    /// Puts an element at an index; `number` tells it from the others.
    mutating func insert(_ element: Element, weight: Int, number: Int32, at index: Int) {
        let node = Node(element, weight: weight, rank: Self.rank(of: number), nil, nil)
        let (left, right) = Self.split(root, at: index)
        root = Self.join(Self.join(left, node), right)
    }

    /// Takes out the element at an index, which must be valid.
    mutating func remove(at index: Int) {
        let (left, rest) = Self.split(root, at: index)
        root = Self.join(left, Self.split(rest, at: 1).right)
    }

    /// All elements in order.
    ///
    /// - Complexity: O(n).
    var elements: [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        func visit(_ node: Node?) {
            guard let node else { return }
            visit(node.left)
            elements.append(node.element)
            visit(node.right)
        }
        visit(root)
        return elements
    }

    // MARK: - Shape

    private final class Node: Sendable {
        let element: Element
        let weight: Int
        /// Not less than those of the nodes below.
        let rank: UInt64
        let left: Node?
        let right: Node?
        let count: Int
        let total: Int

        init(_ element: Element, weight: Int, rank: UInt64, _ left: Node?, _ right: Node?) {
            self.element = element
            self.weight = weight
            self.rank = rank
            self.left = left
            self.right = right
            count = (left?.count ?? 0) + (right?.count ?? 0) + 1
            total = (left?.total ?? 0) + (right?.total ?? 0) + weight
        }

        func with(left: Node?, right: Node?) -> Node {
            Node(element, weight: weight, rank: rank, left, right)
        }
    }

    /// Numbers that come in a row give ranks that look drawn by lot (SplitMix64).
    private static func rank(of number: Int32) -> UInt64 {
        var mixed = UInt64(truncatingIfNeeded: number) &* 0x9E37_79B9_7F4A_7C15
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    private static func split(_ node: Node?, at index: Int) -> (left: Node?, right: Node?) {
        guard let node else { return (nil, nil) }
        let before = node.left?.count ?? 0
        if index <= before {
            let (left, right) = split(node.left, at: index)
            return (left, node.with(left: right, right: node.right))
        }
        let (left, right) = split(node.right, at: index - before - 1)
        return (node.with(left: node.left, right: left), right)
    }

    private static func join(_ left: Node?, _ right: Node?) -> Node? {
        guard let left else { return right }
        guard let right else { return left }
        return left.rank >= right.rank
            ? left.with(left: left.left, right: join(left.right, right))
            : right.with(left: join(left, right.left), right: right.right)
    }
}

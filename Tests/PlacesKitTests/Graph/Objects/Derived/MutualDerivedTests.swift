import PlacesKit
import PlacesKitTesting
import Testing

/// Derived attributes over a relationship whose other end derives what they count.
@Suite struct MutualDerivedTests {
    private typealias Node = MutualModel.Node
    private typealias Circle = MutualModel.Circle

    private let context: ManagedObjectContext

    init() throws { context = try MutualModel.context() }

    @Test(arguments: [false, true])
    func `a link counts once in what both its ends derive, whichever end makes it`(
        isMadeByNode: Bool
    ) throws {
        let (node, circle) = (Node(context: context), Circle(context: context))
        if isMadeByNode { node.circles.insert(circle) } else { circle.nodes.insert(node) }
        #expect(circle.size == 1 && node.reach == 1 && node.sizes == 1 && node.largest === circle)
        #expect(circle.closeness == 1 && circle.farthest == 1)
        circle.nodes.insert(Node(context: context))
        #expect(node.reach == 2 && circle.closeness == 4 && circle.farthest == 2)
        try context.checkIntegrity()
        if isMadeByNode { node.circles.remove(circle) } else { circle.nodes.remove(node) }
        #expect(node.reach == 0 && node.sizes == 0 && node.largest == nil)
        #expect(circle.size == 1 && circle.closeness == 1 && circle.farthest == 1)
        try context.checkIntegrity()
    }

    @Test func `what is deleted counts at no end of its links`() throws {
        let (node, circle) = (Node(context: context), Circle(context: context))
        circle.nodes.insert(node)
        circle.owned.insert(node)
        try context.save()
        context.delete(circle)
        #expect(node.reach == 0 && node.sizes == 0 && node.largest == nil)
        #expect(node.ownerWeight == nil)
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `an owner counts what its members read of it`() throws {
        let circles = (0..<2).map { _ in Circle(context: context) }
        let nodes = [3, 4].map { weight in
            let node = Node(context: context)
            node.weight = weight
            return node
        }
        nodes[0].owner = circles[0]
        #expect(circles[0].ownersWeight == 3 && circles[0].heavy == 0)
        circles[0].owned.insert(nodes[1])
        #expect(circles[0].ownersWeight == 14 && circles[0].heavy == 2)
        nodes[0].weight = 5
        #expect(circles[0].ownersWeight == 18)
        nodes[0].owner = circles[1]
        #expect(circles.map(\.ownersWeight) == [4, 5] && circles.map(\.heavy) == [1, 1])
        #expect(circles.map(\.first) == [nodes[1], nodes[0]])
        nodes[1].owner = nil
        #expect(circles[0].ownersWeight == 0 && circles[0].heavy == 0 && circles[0].first == nil)
        try context.checkIntegrity()
    }

    @Test func `an object that is its own part counts once`() throws {
        let node = Node(context: context)
        node.weight = 2
        node.whole = node
        #expect(node.partsWeight == 2 && node.deepWeight == 2 && node.partsWholeWeight == 2)
        node.liked.insert(node)
        #expect(node.likes == 1 && node.fame == 1 && node.best == 1)
        try context.checkIntegrity()
        node.parts.remove(node)
        node.likers.remove(node)
        #expect(node.partsWeight == 0 && node.deepWeight == 0 && node.partsWholeWeight == 0)
        #expect(node.likes == 0 && node.fame == 0 && node.best == nil)
        try context.checkIntegrity()
    }

    @Test func `a condition says who counts, and what they read of the owner that counts them`()
        throws
    {
        let whole = Node(context: context)
        let parts = (0..<2).map { _ in Node(context: context) }
        for part in parts {
            part.whole = whole
            part.isLit = true
        }
        #expect(whole.litParts == 2 && whole.litPartsWholeLit == 4)
        parts[0].isLit = false
        #expect(whole.litParts == 1 && whole.litPartsWholeLit == 1)
        try context.checkIntegrity()
    }
}

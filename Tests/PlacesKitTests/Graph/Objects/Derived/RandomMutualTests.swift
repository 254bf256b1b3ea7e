import Foundation
import PlacesKit
import Testing

/// Random changes of relationships that are derived over from both ends; after each, what is derived is what follows
/// from the links.
@Suite struct RandomMutualTests {
    private typealias Node = MutualModel.Node
    private typealias Circle = MutualModel.Circle

    private struct Run {
        let context: ManagedObjectContext

        private func any<Object: ManagedObject>(
            _ type: Object.Type, _ generator: inout SplitMix64
        ) -> Object {
            // Few objects, so that most links meet others.
            guard let all = try? context.fetch(type), all.count > generator.below(5) else {
                return Object(context: context)
            }
            return all[generator.below(all.count)]
        }

        func step(_ generator: inout SplitMix64) {
            let (node, other) = (any(Node.self, &generator), any(Node.self, &generator))
            let circle = any(Circle.self, &generator)
            switch generator.below(24) {
            case 0: node.whole = other
            case 1: node.whole = nil
            case 2: node.parts.insert(other)
            case 3: node.parts.remove(other)
            case 4: node.liked.insert(other)
            case 5: node.likers.insert(other)
            case 6: node.liked.remove(other)
            case 7: node.likers.removeAll()
            case 8: node.next = other
            case 9: node.previous = other
            case 10: node.previous = nil
            case 11, 12: node.circles.insert(circle)
            case 13, 14: circle.nodes.insert(node)
            case 15: circle.nodes.remove(node)
            case 16: node.circles.removeAll()
            case 17: node.owner = circle
            case 18: node.owner = nil
            case 19: circle.owned.insert(node)
            case 20: node.weight = generator.below(5)
            case 21: node.isLit.toggle()
            case 22: context.delete(node)
            default: context.delete(circle)
            }
        }

        func settle(_ generator: inout SplitMix64) throws {
            switch generator.below(12) {
            case 0: try context.save()
            case 1: context.undo()
            case 2: context.redo()
            case 3: context.processPendingChanges()
            case 4 where generator.below(4) == 0: context.rollback()
            default: break
            }
        }

        func check(_ comment: Comment) throws {
            #expect(context.brokenInvariants.isEmpty, comment)
            for node in try context.fetch(Node.self) { check(node, comment) }
            for circle in try context.fetch(Circle.self) { check(circle, comment) }
        }

        private func check(_ node: Node, _ comment: Comment) {
            let (weight, lit) = (partsWeight(node), litParts(node))
            #expect(node.partsWeight == weight && node.litParts == lit, comment)
            #expect(node.deepWeight == node.parts.map(partsWeight).reduce(0, +), comment)
            #expect(node.wholeWeight == node.whole.map(partsWeight), comment)
            #expect(node.wholeLit == node.whole.map(litParts), comment)
            #expect(node.partsWholeWeight == node.parts.count * weight, comment)
            #expect(node.litPartsWholeLit == lit * lit, comment)
            #expect(node.likes == node.liked.count && node.fame == fame(node), comment)
            #expect(node.best == node.liked.map(fame).max(), comment)
            #expect(node.nextFame == node.next.map(fame), comment)
            #expect(node.ownFame == (node.previous == nil ? nil : fame(node)), comment)
            let sizes = node.circles.map(\.nodes.count)
            #expect(node.reach == sizes.reduce(0, +), comment)
            #expect(node.sizes == Set(sizes).count, comment)
            #expect(node.largest?.nodes.count == sizes.max(), comment)
            #expect(node.largest.map(node.circles.contains) ?? true, comment)
            let ownerWeight = node.owner.map(ownedWeight)
            #expect(node.ownerWeight == ownerWeight, comment)
            #expect(node.isHeavy == ((ownerWeight ?? 0) > 3), comment)
        }

        private func check(_ circle: Circle, _ comment: Comment) {
            let (reaches, weight) = (circle.nodes.map(reach), ownedWeight(circle))
            #expect(circle.size == reaches.count, comment)
            #expect(circle.closeness == reaches.reduce(0, +), comment)
            #expect(circle.farthest == reaches.max(), comment)
            #expect(circle.ownedWeight == weight, comment)
            #expect(circle.ownersWeight == circle.owned.count * weight, comment)
            #expect(circle.heavy == (weight > 3 ? circle.owned.count : 0), comment)
            #expect((circle.first == nil) == circle.owned.isEmpty, comment)
            #expect(circle.first.map(circle.owned.contains) ?? true, comment)
        }

        private func partsWeight(_ node: Node) -> Int { node.parts.map(\.weight).reduce(0, +) }
        private func litParts(_ node: Node) -> Int { node.parts.count(where: \.isLit) }
        private func fame(_ node: Node) -> Int { node.likers.map(\.liked.count).reduce(0, +) }
        private func reach(_ node: Node) -> Int { node.circles.map(\.nodes.count).reduce(0, +) }
        private func ownedWeight(_ circle: Circle) -> Int {
            circle.owned.map(\.weight).reduce(0, +)
        }
    }

    @Test(arguments: [UInt64](1...4))
    func `what is derived at both ends of a link is what follows from the links`(seed: UInt64)
        throws
    {
        let steps =
            ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_DERIVED"].flatMap(Int.init) ?? 120
        var generator = SplitMix64(seed: seed)
        let run = Run(context: try MutualModel.context())
        run.context.isUndoEnabled = true
        for step in 0..<steps {
            run.step(&generator)
            try run.settle(&generator)
            try run.check("seed \(seed), step \(step)")
        }
    }
}

import PlacesKit
import Testing

/// Ordered relationships that two contexts change before either knows of the other's change.
@Suite struct OrderedMergeTests {
    typealias Album = OrderedModel.Album

    /// One change of a list of so many members.
    enum Edit: Hashable {
        case insert(Int)
        case remove(Int)
        /// Over at least one member, or nobody knows which one moved.
        case move(Int, to: Int)

        static func all(of count: Int) -> [Edit] {
            let positions = 0..<count
            return (0...count).map(insert) + positions.map(remove)
                + positions.flatMap { from in
                    positions.filter { abs($0 - from) > 1 }.map { .move(from, to: $0) }
                }
        }
    }

    /// The members of each list.
    static let numbers = [0, 1, 2]

    /// Two edits of such lists, on each side of a merge.
    static let pairs = Edit.all(of: numbers.count).flatMap { first in
        Edit.all(of: numbers.count).map { (first, $0) }
    }

    /// What the second edit makes of a list that it did not know, in which the first one stands.
    private func merged(_ first: Edit, _ second: Edit) -> [Int] {
        var list = edited(first, adding: 8)
        let after = edited(second, adding: 9)
        list.removeAll { Self.numbers.contains($0) && !after.contains($0) }
        let changed: Int? =
            switch second {
            case .insert: 9
            case .move(let from, to: _): from
            case .remove: nil
            }
        guard let changed, changed == 9 || list.contains(changed) else { return list }
        list.removeAll { $0 == changed }
        let previous = after.prefix { $0 != changed }.last(where: list.contains)
        list.insert(changed, at: previous.flatMap(list.firstIndex).map { $0 + 1 } ?? 0)
        return list
    }

    private func edited(_ edit: Edit, adding new: Int) -> [Int] {
        var list = Self.numbers
        switch edit {
        case .insert(let position): list.insert(new, at: position)
        case .remove(let position): list.remove(at: position)
        case .move(let from, let to): list.insert(list.remove(at: from), at: to)
        }
        return list
    }

    private func make(
        _ edit: Edit, _ members: OrderedObjectSet<OrderedModel.Guide>, adding new: Int,
        in context: ManagedObjectContext
    ) {
        switch edit {
        case .insert(let position):
            let guide = OrderedModel.Guide(context: context)
            guide.number = new
            members.insert(guide, at: position)
        case .remove(let position): members.remove(at: position)
        case .move(let from, let to): members.move(from: from, to: to)
        }
    }

    @Test func `what two changed stands where both put it, and where the later one did`() throws {
        let context = try OrderedModel.context()
        for (first, second) in Self.pairs {
            let album = Album(context: context)
            for number in Self.numbers {
                let guide = OrderedModel.Guide(context: context)
                guide.number = number
                album.guides.append(guide)
            }
            try context.save()
            let other = ManagedObjectContext(context.store)
            other.mergePolicy = .mergeByPropertyObjectTrump
            let child = ManagedObjectContext(parent: context)
            child.mergePolicy = .mergeByPropertyObjectTrump
            make(first, album.guides, adding: 8, in: context)
            try context.save()
            for later in [other, child] {
                let copy = try #require(try later.existingObject(with: album.objectID) as? Album)
                make(second, copy.guides, adding: 9, in: later)
                try later.save()
                #expect(
                    copy.guides.map(\.number) == merged(first, second), "\(first), \(second)")
            }
            context.rollback()
        }
        #expect(ManagedObjectContext(context.store).brokenInvariants == [])
    }
}

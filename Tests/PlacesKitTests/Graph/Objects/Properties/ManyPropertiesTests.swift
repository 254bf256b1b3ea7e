import Observation
import PlacesKit
import Testing

/// An entity of a hundred properties: those from slot 61 on share a bit in a change's mask.
@Suite struct ManyPropertiesTests {
    let store: GraphStore
    let context: ManagedObjectContext
    let wide: Wide

    init() throws {
        store = try GraphStore(model: [Wide.self, Owner.self])
        context = ManagedObjectContext(store)
        wide = Wide(context: context)
        try context.save()
    }

    @Test func `every property holds its own value`() throws {
        for (number, keyPath) in Wide.numbers.enumerated() { wide[keyPath: keyPath] = number + 1 }
        for (number, keyPath) in Wide.numbers.enumerated() {
            #expect(wide[keyPath: keyPath] == number + 1)
        }
        #expect(Wide.numbers.count == 98)
        try context.save()
        let other = ManagedObjectContext(store)
        let twin = try other.twin(of: wide)
        for (number, keyPath) in Wide.numbers.enumerated() {
            #expect(twin[keyPath: keyPath] == number + 1)
        }
    }

    @Test(arguments: [MergePolicy.mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump])
    func `changes of different properties beyond the mask merge by property`(
        policy: MergePolicy
    ) throws {
        let other = ManagedObjectContext(store)
        let twin = try other.twin(of: wide)
        wide.n9 = 1_009
        twin.n7 = 2_007
        twin.m7 = 3
        try context.save()
        #expect(other.conflicts().map(\.property) == [nil])
        other.mergePolicy = policy
        try other.save()
        #expect(twin.n9 == 1_009 && twin.m7 == 3)
        #expect(twin.n7 == 2_007)
        context.refreshAllObjects()
        #expect(wide.n9 == 1_009)
        #expect(wide.n7 == 2_007)
    }

    @Test func `changes of one property beyond the mask conflict`() throws {
        let other = ManagedObjectContext(store)
        let twin = try other.twin(of: wide)
        wide.n9 = 1
        twin.n9 = 2
        try context.save()
        #expect(other.conflicts().map(\.property) == ["n9"])
    }

    @Test func `relationships beyond the mask are kept on both sides and merge`() throws {
        let owner = Owner(context: context)
        wide.owner = owner
        #expect(Array(owner.wides) == [wide])
        try context.save()
        let other = ManagedObjectContext(store)
        let twin = try other.twin(of: wide)
        twin.n9 = 4
        wide.owner = nil
        try context.save()
        other.mergePolicy = .mergeByPropertyStoreTrump
        try other.save()
        #expect(twin.owner == nil)
        #expect(twin.n9 == 4)
    }

    @Test func `what follows from a delete beyond the mask goes with it alone`() throws {
        let owner = Owner(context: context)
        try context.save()
        let other = ManagedObjectContext(store)
        other.isUndoEnabled = true
        let twin = try other.twin(of: wide)
        let (n9, n7) = (twin.n9, twin.n7)
        twin.n9 = 1_009
        other.processPendingChanges()
        other.delete(try other.twin(of: owner))
        other.processPendingChanges()
        wide.owner = owner
        try context.save(shownTo: other)
        #expect(twin.owner == nil && twin.n9 == 1_009)
        twin.n7 = 1_007
        other.processPendingChanges()
        wide.m7 = 3
        try context.save(shownTo: other)
        #expect(twin.owner == nil && twin.n9 == 1_009 && twin.n7 == 1_007 && twin.m7 == 3)
        other.undo()
        #expect(twin.owner == nil && twin.n9 == 1_009 && twin.n7 == n7)
        other.undo()
        #expect(twin.owner?.objectID == owner.objectID && twin.n9 == 1_009)
        other.undo()
        #expect(twin.owner?.objectID == owner.objectID && twin.n9 == n9)
        #expect(!other.hasChanges && other.conflicts() == [] && other.brokenInvariants == [])
    }

    @Test func `rolling back restores properties beyond the mask`() throws {
        wide.n9 = 1
        try context.save()
        wide.n9 = 2
        context.processPendingChanges()
        wide.n8 = 3
        context.rollback()
        #expect(wide.n9 == 1)
        #expect(wide.n8 == 0)
    }

    @Test func `a unique attribute beyond the mask is found and kept unique`() throws {
        let second = Wide(context: context)
        wide.last = 5
        second.last = 5
        #expect(context.failures().map(\.property) == ["last"])
        second.last = 6
        try context.save()
        #expect(try context.find(Wide.self, \.last, 6) === second)
    }

    // MARK: - Changed back

    @Test func `what is changed and changed back beyond the mask is no change`() throws {
        let number = store.commitNumber
        wide.n9 = 1
        wide.n9 = 0
        #expect(!context.hasChanges && context.updatedObjects.isEmpty)
        try context.save()
        #expect(store.commitNumber == number)
        wide.n9 = 1
        context.processPendingChanges()
        wide.n9 = 0
        #expect(!context.hasChanges && context.updatedObjects.isEmpty)
    }

    @Test func `what is taken back beyond the mask leaves nothing to save or to undo`() {
        context.isUndoEnabled = true
        wide.n9 = 1
        context.processPendingChanges()
        context.undo()
        #expect(wide.n9 == 0)
        #expect(!context.hasChanges && context.updatedObjects.isEmpty)
        context.undoGroup(named: "nothing") {
            wide.n8 = 1
            wide.n8 = 0
        }
        #expect(!context.canUndo)
    }

    @Test(arguments: MergePolicy.allCases)
    func `what was changed back beyond the mask overwrites nothing that others saved`(
        policy: MergePolicy
    ) throws {
        wide.n9 = 1
        wide.n9 = 0
        let other = ManagedObjectContext(store)
        try other.twin(of: wide).n8 = 9
        try other.save()
        context.mergePolicy = policy
        try context.save()
        #expect(try ManagedObjectContext(store).twin(of: wide).n8 == 9)
    }

    @Test func `what was changed back beyond the mask stays deleted by others`() throws {
        wide.n9 = 1
        wide.n9 = 0
        let other = ManagedObjectContext(store)
        other.delete(try other.twin(of: wide))
        try other.save()
        context.mergePolicy = .mergeByPropertyObjectTrump
        try context.save()
        #expect(try ManagedObjectContext(store).count(FetchRequest<Wide>()) == 0)
    }

    @Test func `an observer of a property beyond the mask is told of no other`() throws {
        context.isObservable = true
        nonisolated(unsafe) var told = 0
        func observe() {
            withObservationTracking {
                _ = wide.n8
            } onChange: {
                told += 1
            }
        }
        observe()
        wide.n9 = 1
        #expect(told == 0)
        wide.n8 = 1
        #expect(told == 1)
        try context.save()
        let other = ManagedObjectContext(store)
        let twin = try other.twin(of: wide)
        observe()
        twin.n9 = 2
        try other.save(shownTo: context)
        #expect(told == 1 && wide.n9 == 2)
        twin.n8 = 2
        try other.save(shownTo: context)
        #expect(told == 2 && wide.n8 == 2)
    }

    // MARK: - Conflicts

    @Test func `a conflict names only the properties beyond the mask that others wrote`() throws {
        let other = ManagedObjectContext(store)
        try other.twin(of: wide).n7 = 2
        try other.save()
        wide.n9 = 1
        #expect(context.conflicts().map(\.reason) == [.otherProperties(["n7"])])
    }

    @Test func `an object that was deleted and came back is written beyond the mask, too`() throws {
        let other = ManagedObjectContext(store)
        let twin = try other.twin(of: wide)
        other.isUndoEnabled = true
        twin.n7 = 2
        try other.save()
        other.delete(twin)
        other.processPendingChanges()
        try other.save()
        other.undo()
        try other.save()
        wide.n9 = 1
        #expect(context.conflicts().map(\.property) == ["n9"])
    }

    @Test func `a new member beyond the mask is no conflict with values that others wrote`() throws
    {
        let store = try GraphStore(model: WideModel.types)
        let context = ManagedObjectContext(store)
        let rack = WideModel.Rack(context: context)
        try context.save()
        let other = ManagedObjectContext(store)
        try other.twin(of: rack).name = "A"
        try other.save()
        rack.boxes.insert(WideModel.Box(context: context))
        #expect(context.conflicts().isEmpty)
        try context.save()
        #expect(rack.name == "A" && rack.boxes.count == 1)
    }

    @Test func `an object of a wide hierarchy has only the changes of its own properties`() throws {
        let store = try GraphStore(model: WideModel.types)
        let context = ManagedObjectContext(store)
        let (rack, desk) = (WideModel.Rack(context: context), WideModel.Desk(context: context))
        try context.save()
        (rack.name, desk.drawers) = ("A", 3)
        #expect(context.updatedObjects == [rack, desk])
        (rack.name, desk.drawers) = ("", 0)
        #expect(!context.hasChanges && context.updatedObjects.isEmpty)
        (rack.name, desk.drawers) = ("B", 4)
        try context.save()
        let other = ManagedObjectContext(store)
        #expect(try other.twin(of: rack).name == "B")
        #expect(try other.twin(of: desk).drawers == 4)
    }

    // MARK: - Denied deletes

    @Test func `a deleted object that loses links beyond the mask is written no more than others`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: WideModel.types))
        let (rack, boxes) = try rack(holding: 2, in: context)
        // Its values lie where the context may write: those of another object do.
        WideModel.Rack(context: context).name = "B"
        context.delete(rack)
        boxes[0].holder = nil
        rack.name = "A"
        boxes[1].holder = nil
        #expect(rack.name == "")
        #expect(throws: ContextError.deletedObjectChanged(rack.objectID, property: "name")) {
            try context.save()
        }
    }

    @Test func `a link beyond the mask of a deleted object comes back with an undo, as the object`()
        throws
    {
        let context = ManagedObjectContext(try GraphStore(model: WideModel.types))
        context.isUndoEnabled = true
        let (rack, boxes) = try rack(holding: 2, in: context)
        context.delete(rack)
        context.processPendingChanges()
        boxes[0].holder = nil
        context.processPendingChanges()
        #expect(context.deletedObjects == [rack] && context.insertedObjects.isEmpty)
        context.undo()
        #expect(boxes[0].holder === rack && rack.isDeleted)
        context.undo()
        #expect(!rack.isDeleted && Set(rack.held) == Set(boxes))
        #expect(!context.hasChanges && context.brokenInvariants == [])
    }

    private func rack(
        holding count: Int, in context: ManagedObjectContext
    ) throws -> (WideModel.Rack, [WideModel.Box]) {
        let rack = WideModel.Rack(context: context)
        let boxes = (0..<count).map { _ in WideModel.Box(context: context) }
        for box in boxes { box.holder = rack }
        try context.save()
        return (rack, boxes)
    }
}

/// A hierarchy whose classes have few properties that no other shares a bit with.
enum WideModel {
    struct Sixty: CompositeAttribute {
        var numbers = Array(repeating: 0, count: 60)

        subscript(number: Int) -> Int {
            get { numbers[number] }
            set { numbers[number] = newValue }
        }

        static let parts: [CompositePart<Sixty>] = (0..<60).map { .part("p\($0)", \.[$0]) }
    }

    class Furniture: ManagedObject {
        @Attribute var price = 0
    }

    final class Desk: Furniture {
        @Composite var numbers = Sixty()
        @Attribute var drawers = 0
    }

    final class Rack: Furniture {
        @Composite var numbers = Sixty()
        @Attribute var name = ""
        @Relationship(inverse: \Box.rack) var boxes: ObjectSet<Box>
        @Relationship(deleteRule: .deny, inverse: \Box.holder) var held: ObjectSet<Box>
    }

    final class Box: ManagedObject {
        @Relationship var rack: Rack?
        @Relationship var holder: Rack?
    }

    static let types = [Furniture.self, Desk.self, Rack.self, Box.self]
}

final class Owner: ManagedObject {
    @Relationship var wides: ObjectSet<Wide>
}

final class Wide: ManagedObject {
    static var numbers: [ReferenceWritableKeyPath<Wide, Int>] {
        [
            \.e2, \.e3, \.e4, \.e5, \.e6, \.e7, \.e8, \.e9, \.f0, \.f1,
            \.f2, \.f3, \.f4, \.f5, \.f6, \.f7, \.f8, \.f9, \.g0, \.g1,
            \.g2, \.g3, \.g4, \.g5, \.g6, \.g7, \.g8, \.g9, \.h0, \.h1,
            \.h2, \.h3, \.h4, \.h5, \.h6, \.h7, \.h8, \.h9, \.i0, \.i1,
            \.i2, \.i3, \.i4, \.i5, \.i6, \.i7, \.i8, \.i9, \.j0, \.j1,
            \.j2, \.j3, \.j4, \.j5, \.j6, \.j7, \.j8, \.j9, \.k0, \.k1,
            \.k2, \.k3, \.k4, \.k5, \.k6, \.k7, \.k8, \.k9, \.l0, \.l1,
            \.l2, \.l3, \.l4, \.l5, \.l6, \.l7, \.l8, \.l9, \.m0, \.m1,
            \.m2, \.m3, \.m4, \.m5, \.m6, \.m7, \.m8, \.m9, \.n0, \.n1,
            \.n2, \.n3, \.n4, \.n5, \.n6, \.n7, \.n8, \.n9,
        ]
    }

    @Attribute var e2 = 0
    @Attribute var e3 = 0
    @Attribute var e4 = 0
    @Attribute var e5 = 0
    @Attribute var e6 = 0
    @Attribute var e7 = 0
    @Attribute var e8 = 0
    @Attribute var e9 = 0
    @Attribute var f0 = 0
    @Attribute var f1 = 0
    @Attribute var f2 = 0
    @Attribute var f3 = 0
    @Attribute var f4 = 0
    @Attribute var f5 = 0
    @Attribute var f6 = 0
    @Attribute var f7 = 0
    @Attribute var f8 = 0
    @Attribute var f9 = 0
    @Attribute var g0 = 0
    @Attribute var g1 = 0
    @Attribute var g2 = 0
    @Attribute var g3 = 0
    @Attribute var g4 = 0
    @Attribute var g5 = 0
    @Attribute var g6 = 0
    @Attribute var g7 = 0
    @Attribute var g8 = 0
    @Attribute var g9 = 0
    @Attribute var h0 = 0
    @Attribute var h1 = 0
    @Attribute var h2 = 0
    @Attribute var h3 = 0
    @Attribute var h4 = 0
    @Attribute var h5 = 0
    @Attribute var h6 = 0
    @Attribute var h7 = 0
    @Attribute var h8 = 0
    @Attribute var h9 = 0
    @Attribute var i0 = 0
    @Attribute var i1 = 0
    @Attribute var i2 = 0
    @Attribute var i3 = 0
    @Attribute var i4 = 0
    @Attribute var i5 = 0
    @Attribute var i6 = 0
    @Attribute var i7 = 0
    @Attribute var i8 = 0
    @Attribute var i9 = 0
    @Attribute var j0 = 0
    @Attribute var j1 = 0
    @Attribute var j2 = 0
    @Attribute var j3 = 0
    @Attribute var j4 = 0
    @Attribute var j5 = 0
    @Attribute var j6 = 0
    @Attribute var j7 = 0
    @Attribute var j8 = 0
    @Attribute var j9 = 0
    @Attribute var k0 = 0
    @Attribute var k1 = 0
    @Attribute var k2 = 0
    @Attribute var k3 = 0
    @Attribute var k4 = 0
    @Attribute var k5 = 0
    @Attribute var k6 = 0
    @Attribute var k7 = 0
    @Attribute var k8 = 0
    @Attribute var k9 = 0
    @Attribute var l0 = 0
    @Attribute var l1 = 0
    @Attribute var l2 = 0
    @Attribute var l3 = 0
    @Attribute var l4 = 0
    @Attribute var l5 = 0
    @Attribute var l6 = 0
    @Attribute var l7 = 0
    @Attribute var l8 = 0
    @Attribute var l9 = 0
    @Attribute var m0 = 0
    @Attribute var m1 = 0
    @Attribute var m2 = 0
    @Attribute var m3 = 0
    @Attribute var m4 = 0
    @Attribute var m5 = 0
    @Attribute var m6 = 0
    @Attribute var m7 = 0
    @Attribute var m8 = 0
    @Attribute var m9 = 0
    @Attribute var n0 = 0
    @Attribute var n1 = 0
    @Attribute var n2 = 0
    @Attribute var n3 = 0
    @Attribute var n4 = 0
    @Attribute var n5 = 0
    @Attribute var n6 = 0
    @Attribute var n7 = 0
    @Attribute var n8 = 0
    @Attribute var n9 = 0
    @Relationship(inverse: \Owner.wides) var owner: Owner?
    @Attribute(.unique) var last: Int?
}

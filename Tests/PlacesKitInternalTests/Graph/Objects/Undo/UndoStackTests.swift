import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// How many bytes undo keeps.
@Suite struct UndoStackTests {
    private let context: ManagedObjectContext
    private let alice: Citizen

    init() throws {
        context = ManagedObjectContext(try TownModel.store())
        alice = context.citizen("Alice")
        try context.save()
        context.isUndoEnabled = true
    }

    @Test func `no more bytes are kept than the limit says, but for the latest group`() {
        context.undoLimit = 0
        #expect(context.undoByteLimit == 64 << 20)
        context.undoByteLimit = 50_000
        for age in 1...1_000 {
            alice.age = age
            context.processPendingChanges()
        }
        #expect((100..<500).contains(context.undoStack.undoGroups.count))
        #expect(context.undoStack.undoGroups.byteCount <= 50_000)
        alice.nickname = String(repeating: "a", count: 60_000)
        context.processPendingChanges()
        #expect(context.undoStack.undoGroups.count == 1)
        context.undo()
        #expect(alice.nickname == nil && alice.age == 1_000 && !context.canUndo)
        context.redo()
        #expect(alice.nickname?.count == 60_000)
        context.undoByteLimit = -4
        #expect(context.undoByteLimit == 0)
    }

    @Test func `a small step takes less than 600 bytes, undone or redone`() throws {
        for age in 1...20 {
            alice.age = age
            try context.save()
        }
        for _ in 0..<20 { context.undo() }
        #expect(alice.age == 30 && context.undoStack.redoGroups.count == 20)
        for _ in 0..<20 { context.redo() }
        #expect(alice.age == 20 && context.undoStack.undoGroups.byteCount < 20 * 600)
    }

    @Test func `the inserts that were looked up in a group are among its bytes`() {
        for number in 1...50 { _ = context.citizen("\(number)") }
        context.processPendingChanges()
        var groups = context.undoStack.undoGroups
        let former = groups.byteCount
        let stranger = Delta.Departure(object: -1, table: 0)
        #expect(groups.inserted(among: [stranger]).isEmpty)
        #expect(groups.byteCount >= former + 50 * MemoryLayout<Delta.Departure>.size)
        #expect(groups.brokenInvariants == [])
        _ = groups.pop()
        #expect(groups.isEmpty && groups.byteCount == 0)
    }

    @Test func `a group inside another ends with it, and an end too many does nothing`() {
        context.beginUndoGroup(named: "Outer")
        context.beginUndoGroup(named: "Inner")
        alice.age = 1
        context.endUndoGroup()
        #expect(context.undoStack.undoGroups.isEmpty && context.canUndo)
        alice.age = 2
        context.endUndoGroup()
        context.endUndoGroup()
        #expect(context.undoStack.undoGroups.last?.deltas.count == 2)
        #expect(context.undoActionName == "Outer" && context.undoStack.brokenInvariants == [])
        context.undo()
        #expect(alice.age == 30 && context.redoActionName == "Outer")
    }

    @Test func `it is known of each object whether its insert can be taken back`() throws {
        func isKnown(_ citizen: Citizen) throws -> Bool {
            let table = try #require(citizen.table).number
            let number = context.transaction.number(of: citizen.row, in: table)
            let object = Delta.Departure(object: number, table: table)
            return context.undoStack.inserted(among: [object]) == [object]
        }
        func insert() -> Citizen {
            defer { context.processPendingChanges() }
            return context.citizen("New")
        }
        context.undoLimit = 2
        context.beginUndoGroup()
        let first = insert()
        #expect(try isKnown(first) && !isKnown(alice))
        let second = insert()
        #expect(try isKnown(first) && isKnown(second))
        context.endUndoGroup()
        let third = insert()
        #expect(try isKnown(first) && isKnown(second) && isKnown(third) && !isKnown(alice))
        context.undo()
        #expect(try !isKnown(third) && isKnown(second))
        context.redo()
        let fourth = insert()
        #expect(try isKnown(third) && isKnown(fourth) && !isKnown(first))
    }

    @Test func `an open group goes on, empty, when all is forgotten`() throws {
        context.beginUndoGroup(named: "Group")
        alice.age = 1
        context.rollback()
        #expect(!context.canUndo)
        alice.age = 2
        context.endUndoGroup()
        #expect(context.undoActionName == "Group" && context.undoStack.brokenInvariants == [])
        context.undo()
        #expect(alice.age == 30)
        context.isUndoEnabled = false
        #expect(!context.canRedo && context.undoStack.brokenInvariants == [])
    }
}

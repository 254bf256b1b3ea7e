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
}

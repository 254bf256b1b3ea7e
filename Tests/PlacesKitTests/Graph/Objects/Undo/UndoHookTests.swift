import PlacesKit
import Testing

/// What hooks and listeners change while a save is under way is no action of its own.
@Suite struct UndoHookTests {
    let context: ManagedObjectContext
    let diary: Diary
    let ear = Ear()

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Diary.self, Page.self]))
        diary = Diary(context: context)
        try context.save()
        context.isUndoEnabled = true
        // Each save stamps what it saves.
        ear.reaction = { object, text in
            if text.hasPrefix("will"), let diary = object as? Diary { diary.stamp += 1 }
        }
    }

    private func save() throws {
        try Ear.$current.withValue(Ear.UnsafeEar(ear: ear)) { try context.save() }
    }

    @Test func `what willSave changes is taken back with the latest group, under its name`() throws
    {
        diary.title = "A"
        context.setUndoActionName("Rename")
        try save()
        #expect(diary.stamp == 1)
        #expect(context.undoActionName == "Rename")
        context.undo()
        #expect(diary.title == "Untitled" && diary.stamp == 0)
        #expect(!context.canUndo && context.redoActionName == "Rename")
        context.redo()
        #expect(diary.title == "A" && diary.stamp == 1)
    }

    @Test func `what willSave changes after an undo leaves what can be done again`() throws {
        for title in ["A", "B"] {
            diary.title = title
            context.setUndoActionName("Rename to \(title)")
            try save()
        }
        context.undo()
        #expect(diary.title == "A")
        try save()
        #expect(context.undoActionName == "Rename to A")
        #expect(context.redoActionName == "Rename to B")
        context.redo()
        #expect(diary.title == "B" && diary.stamp == 2)
        context.undo()
        context.undo()
        #expect(diary.title == "Untitled" && !context.canUndo)
    }

    @Test func `a hook is told what can be undone and done again after the save`() throws {
        var told: [Bool] = []
        ear.reaction = { [context] object, text in
            guard text.hasPrefix("will"), let diary = object as? Diary else { return }
            diary.stamp += 1
            told = [context.canUndo, context.canRedo]
        }
        context.disableUndoRegistration()
        diary.title = "A"
        context.processPendingChanges()
        context.enableUndoRegistration()
        try save()
        #expect(told == [false, false] && !context.canUndo)
        for title in ["B", "C"] {
            diary.title = title
            context.processPendingChanges()
        }
        context.undo()
        try save()
        #expect(told == [true, true] && context.canUndo && context.canRedo)
    }

    @Test func `without a group what willSave changes is not registered`() throws {
        context.disableUndoRegistration()
        diary.title = "A"
        context.processPendingChanges()
        context.enableUndoRegistration()
        try save()
        #expect(diary.stamp == 1 && !context.canUndo)
        diary.title = "B"
        context.undo()
        #expect(diary.title == "A" && context.canRedo)
        diary.title = "C"
        context.undo()
        try save()
        #expect(diary.stamp == 1 && !context.canUndo && context.canRedo)
    }

    @Test func `a group does not count whose change willSave takes back`() throws {
        diary.title = "A"
        context.setUndoActionName("Rename")
        ear.reaction = { object, text in
            if text.hasPrefix("will"), let diary = object as? Diary { diary.title = "A" }
        }
        try context.undoGroup(named: "Save") {
            diary.title = "B"
            try save()
        }
        #expect(diary.title == "A" && context.undoActionName == "Rename")
        context.undo()
        #expect(diary.title == "Untitled" && !context.canUndo)
    }

    @Test func `what willSave changes inside a group is part of it`() throws {
        diary.title = "A"
        context.setUndoActionName("Rename")
        try context.undoGroup(named: "Save twice") {
            diary.title = "B"
            try save()
            diary.title = "C"
            try save()
        }
        #expect(diary.stamp == 2)
        context.undo()
        #expect(diary.title == "A" && diary.stamp == 0 && context.undoActionName == "Rename")
        // A group in which nothing but a hook changed anything is none.
        try context.undoGroup(named: "Save") { try save() }
        #expect(context.undoActionName == "Rename" && context.redoActionName == "Save twice")
    }

    @Test func `what didSave, validate and listeners change joins the latest group too`() throws {
        ear.reaction = { object, text in
            if text.hasPrefix("did"), let diary = object as? Diary { diary.stamp += 10 }
        }
        let subscription = context.onChange { [diary] change in
            if change.kind == .didSave { diary.stamp += 100 }
        }
        defer { subscription.cancel() }
        diary.title = "A"
        context.setUndoActionName("Rename")
        try save()
        #expect(diary.stamp == 110 && context.undoActionName == "Rename")
        diary.title = "B"
        context.undo()
        #expect(context.undoActionName == "Rename")
        context.undo()
        #expect(diary.title == "Untitled" && diary.stamp == 0)
    }

    @Test func `a save that is refused keeps what its hooks changed with the latest group`() throws
    {
        let other = Diary(context: context)
        (diary.key, other.key) = ("a", "a")
        context.setUndoActionName("Key")
        #expect(throws: ContextError.self) { try save() }
        #expect(diary.stamp == 1 && context.undoActionName == "Key")
        context.undo()
        #expect(diary.stamp == 0 && diary.key == nil && other.isDeleted)
    }

    @Test func `a child's save is one group of its parent, what its hooks change included`() throws
    {
        let child = ManagedObjectContext(parent: context)
        let twin = try child.twin(of: diary)
        twin.title = "A"
        try Ear.$current.withValue(Ear.UnsafeEar(ear: ear)) { try child.save() }
        #expect(diary.title == "A" && diary.stamp == 1)
        try save()
        #expect(diary.stamp == 2)
        context.undo()
        #expect(diary.title == "Untitled" && diary.stamp == 0 && !context.canUndo)
    }
}

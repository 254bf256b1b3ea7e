import PlacesKit
import Testing

/// What is told to those who observe objects, when listeners that hear of the same change do more.
@Suite struct ObservedWhileTellingTests {
    enum Change: CaseIterable { case undo, redo, saveOfChild }
    enum Answer: CaseIterable { case none, refresh, save, rollback, process }

    private let context: ManagedObjectContext
    private let box: BoxModel.Box
    private let item: BoxModel.Item
    private let other: BoxModel.Item

    init() throws {
        context = try BoxModel.context()
        context.isUndoEnabled = true
        context.mergePolicy = .overwrite
        box = BoxModel.Box(context: context)
        item = BoxModel.Item(context: context)
        other = BoxModel.Item(context: context)
        item.number = 1
        item.box = box
        try context.save()
    }

    /// Saves something elsewhere, so that there is something to merge.
    private func saveElsewhere() throws {
        let elsewhere = ManagedObjectContext(context.store)
        try elsewhere.twin(of: other).number += 100
        try elsewhere.save()
    }

    @Test(arguments: Change.allCases, Answer.allCases)
    func `observers hear of a change, whatever a listener does when it hears of it`(
        change: Change, answer: Answer
    ) throws {
        item.number = 5
        context.processPendingChanges()
        if change == .redo { context.undo() }
        let child = ManagedObjectContext(parent: context)
        if change == .saveOfChild { try child.twin(of: item).number = 9 }
        try saveElsewhere()
        var hasAnswered = false
        let subscription = context.onChange { [unowned context] _ in
            guard !hasAnswered else { return }
            hasAnswered = true
            switch answer {
            case .none: break
            case .refresh: context.refreshAllObjects()
            case .save: try? context.save()
            case .rollback: context.rollback()
            case .process: context.processPendingChanges()
            }
        }
        let before = (item.number, box.sum)
        let numbers = BoxModel.watch { item.number }
        let sums = BoxModel.watch { box.sum }
        switch change {
        case .undo: context.undo()
        case .redo: context.redo()
        case .saveOfChild: try child.save()
        }
        #expect(hasAnswered)
        // A redo that is rolled back is told, though nothing came of it.
        #expect(numbers.value == 1 || before.0 == item.number)
        #expect(sums.value == 1 || before.1 == box.sum)
        #expect(context.brokenInvariants == [])
        subscription.cancel()
    }

    @Test func `who reads again in a listener hears of later changes only`() throws {
        item.number = 5
        context.processPendingChanges()
        let first = BoxModel.watch { item.number }
        var again: Counter?
        let subscription = context.onChange { [item] _ in
            again = again ?? BoxModel.watch { item.number }
        }
        context.undo()
        let numbers = try #require(again)
        #expect(first.value == 1 && numbers.value == 0)
        item.number = 7
        #expect(numbers.value == 1)
        subscription.cancel()
    }

    @Test func `a rollback tells observers of what listeners had not heard of yet`() throws {
        let child = ManagedObjectContext(parent: context)
        let subscription = child.onChange { [context] _ in context.rollback() }
        item.number = 2
        let numbers = BoxModel.watch { item.number }
        // The parent's changes are gathered, and told when the child has told of its merge.
        child.refreshAllObjects()
        #expect(item.number == 1)
        #expect(numbers.value == 1)
        subscription.cancel()
    }
}

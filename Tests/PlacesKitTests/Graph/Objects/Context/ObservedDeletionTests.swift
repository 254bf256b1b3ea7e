import PlacesKit
import Testing

/// Who observes an object that is gone is told of what still changes of it.
@Suite struct ObservedDeletionTests {
    /// What others do to the items of a box.
    enum Deed: CaseIterable { case link, unlink, delete, write }

    private let context: ManagedObjectContext
    private let box: BoxModel.Box
    private let item: BoxModel.Item
    private let other: BoxModel.Item

    init() throws {
        context = try BoxModel.context()
        box = BoxModel.Box(context: context)
        item = BoxModel.Item(context: context)
        other = BoxModel.Item(context: context)
        (item.number, other.number) = (1, 10)
        item.box = box
        try context.save()
    }

    @Test(arguments: Deed.allCases, [false, true])
    func `a box whose delete is denied tells what others do to its items`(
        deed: Deed, isChild: Bool
    ) throws {
        let elsewhere = isChild ? context : ManagedObjectContext(context.store)
        let here = isChild ? ManagedObjectContext(parent: context) : context
        here.isObservable = true
        let (box, item) = try (here.twin(of: box), here.twin(of: item))
        here.delete(box)
        here.processPendingChanges()
        let counts = BoxModel.watch { box.items.count }
        let sums = BoxModel.watch { box.sum }
        let names = BoxModel.watch { box.name }
        let theirs = try elsewhere.twin(of: item)
        switch deed {
        case .link: try elsewhere.twin(of: other).box = elsewhere.twin(of: box)
        case .unlink: theirs.box = nil
        case .delete: elsewhere.delete(theirs)
        case .write: theirs.number = 7
        }
        if !isChild { try elsewhere.save() }
        here.refreshAllObjects()
        let (count, sum) =
            switch deed {
            case .link: (2, 11)
            case .unlink, .delete: (0, 0)
            case .write: (1, 7)
            }
        #expect(box.isDeleted && box.items.count == count && box.sum == sum)
        #expect(counts.value == (deed == .write ? 0 : 1))
        #expect(sums.value == 1)
        #expect(names.value == 0)
        #expect(here.brokenInvariants == [])
    }

    @Test func `a box whose delete is denied tells what is done to its items here`() {
        context.delete(box)
        context.processPendingChanges()
        let counts = BoxModel.watch { box.items.count }
        let sums = BoxModel.watch { box.sum }
        item.number = 3
        #expect(counts.value == 0 && sums.value == 1)
        item.box = nil
        #expect(counts.value == 1)
    }

    @Test func `a box that comes back tells it, and then what changes of it`() {
        context.delete(box)
        context.processPendingChanges()
        let deleted = BoxModel.watch { box.isDeleted }
        context.rollback()
        #expect(deleted.value == 1)
        let names = BoxModel.watch { box.name }
        box.name = "new"
        #expect(names.value == 1)
        context.delete(box)
        context.processPendingChanges()
        let sums = BoxModel.watch { box.sum }
        item.number = 4
        #expect(sums.value == 1)
    }

    @Test(arguments: [false, true])
    func `a rollback tells that an object which was never saved has its defaults`(
        isProcessed: Bool
    ) {
        let new = BoxModel.Item(context: context)
        new.name = "x"
        context.delete(new)
        if isProcessed { context.processPendingChanges() }
        let names = BoxModel.watch { new.name }
        context.rollback()
        #expect(new.name == "new" && new.number == 0)
        #expect(names.value == 1)
    }
}

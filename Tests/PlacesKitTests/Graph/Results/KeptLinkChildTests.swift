import PlacesKit
import Testing

/// Lists of a child context that look across links to what its parent has deleted against a rule, too.
@Suite struct KeptLinkChildTests {
    private typealias Item = BoxModel.Item

    private let parent: ManagedObjectContext
    private let child: ManagedObjectContext
    private let box: BoxModel.Box
    private let item: Item

    init() throws {
        parent = try BoxModel.context()
        box = BoxModel.Box(context: parent)
        let item = Item(context: parent)
        item.box = box
        try parent.save()
        child = ManagedObjectContext(parent: parent)
        child.isObservable = true
        child.mergePolicy = .overwrite
        self.item = try child.twin(of: item)
    }

    /// Lists and sums of the child that read the rank of boxes, some as it is derived.
    private struct Results {
        let lists: [FetchedResultsController<Item>]
        let total: WatchedGroups

        init(in context: ManagedObjectContext) throws {
            lists = try ["box.rank > 1", "boxRank > 1", "box.rank == 0"].map {
                try FetchedResultsController(FetchRequest(where: $0), in: context)
            }
            total = try context.watchTotal(
                "ranks", FetchRequest<Item>(), .sum(\Item.box?.rank), .sum(\Item.boxRank))
        }

        func check(_ moment: String) throws {
            for list in lists {
                let fetched = try list.context.fetch(list.request)
                #expect(list.objects.map(\.objectID) == fetched.map(\.objectID), "\(moment)")
            }
            #expect(total.takeFindings() == [], "\(moment)")
        }
    }

    @Test(arguments: [false, true], [false, true])
    func `a box that parent and child have deleted keeps its last values in the child`(
        isWrittenByParent: Bool, isHeld: Bool
    ) throws {
        let rank = isWrittenByParent ? 0 : 2
        func deleteInChild() throws -> BoxModel.Box? {
            let box = try child.twin(of: box)
            if !isWrittenByParent { box.rank = 2 }
            child.delete(box)
            child.processPendingChanges()
            return isHeld ? box : nil
        }
        let held = try deleteInChild()
        let results = try Results(in: child)
        let ranks = BoxModel.watch { held?.rank }
        func check(_ moment: String) throws {
            try results.check(moment)
            #expect(item.box?.rank == rank && item.boxRank == rank, "\(moment)")
            #expect(ranks.value == 0, "\(moment)")
            #expect(child.brokenInvariants == [], "\(moment)")
        }
        try check("deleted in the child")
        if isWrittenByParent { box.rank = 5 }
        parent.delete(box)
        parent.processPendingChanges()
        child.refreshAllObjects()
        try check("deleted in both")
        _ = Item(context: parent)
        child.refreshAllObjects()
        try check("merged once more")
        item.number = 3
        try child.save()
        try check("the item is saved")
        child.rollback()
        try check("the child is rolled back")
        parent.rollback()
        child.refreshAllObjects()
        try results.check("the box is back")
        #expect(item.box?.rank == 0 && item.boxRank == 0 && item.box?.isDeleted == false)
        #expect(child.brokenInvariants == [] && parent.brokenInvariants == [])
    }

    @Test func `a box that comes and goes in the parent alone reads as it is there`() throws {
        let results = try Results(in: child)
        let new = BoxModel.Box(context: parent)
        new.rank = 4
        try parent.twin(of: item).box = new
        parent.delete(new)
        child.refreshAllObjects()
        try results.check("it came and went")
        #expect(item.box?.rank == 4 && item.boxRank == 4)
        child.refreshAllObjects()
        _ = Item(context: parent)
        child.refreshAllObjects()
        try results.check("merged once more")
        #expect(item.box?.rank == 4 && item.boxRank == 4)
        #expect(child.brokenInvariants == [])
    }
}

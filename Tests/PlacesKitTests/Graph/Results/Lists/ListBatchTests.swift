import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What a list tells of a batch of changes, so that whoever draws it can follow step by step.
@Suite struct ListBatchTests {
    private typealias Photo = ListModel.Photo
    private let context: ManagedObjectContext

    init() throws {
        context = try ListModel.context()
        try context.photo("Bay", in: "Nice", views: 3)
        try context.photo("Arch", in: "Nice", views: 1)
        try context.photo("Forum", in: "Rome", views: 2)
    }

    private func watch(
        _ request: FetchRequest<Photo> = ListModel.byTitle,
        sectionBy section: PartialKeyPath<Photo>? = nil,
        searching keys: [PartialKeyPath<Photo>] = []
    ) throws -> WatchedList {
        let watched = WatchedList(
            try ListController(
                request, sectionBy: section, title: \.title, searching: keys, in: context))
        _ = watched.take()
        return watched
    }

    // MARK: - Batches

    @Test func `all that happens in one turn is one change, from what was shown to what is`() throws
    {
        let watched = try watch(sectionBy: \.city?.name)
        let before = watched.list.snapshot
        let (arch, forum) = (watched.list.objects[0], watched.list.objects[2])
        try context.photo("Cave", in: "Nice")
        arch.views = 7
        context.delete(forum)
        #expect(watched.changes.isEmpty)
        context.processPendingChanges()
        let changes = watched.take()
        #expect(changes.count == 1 && changes[0].difference.itemEventCount == 3)
        #expect(changes[0].before == before && changes[0].after == watched.list.snapshot)
        try context.save()
        #expect(watched.changes.isEmpty)
    }

    @Test func `inserts, deletes, updates and moves have the row's positions before and after`()
        throws
    {
        let watched = try watch()
        let list = watched.list
        let (arch, bay) = (list.objects[0], list.objects[1])
        func position(_ item: Int) -> ItemPosition { ItemPosition(section: 0, item: item) }

        let cave = try context.photo("Cave")
        context.processPendingChanges()
        #expect(watched.take().flatMap(\.difference.itemInserts).map(\.position) == [position(2)])
        cave.views = 5
        context.processPendingChanges()
        let updates = watched.take().flatMap(\.difference.itemUpdates)
        #expect(
            updates.map(\.oldPosition) == [position(2)]
                && updates.map(\.newPosition) == [position(2)])
        arch.title = "Zoo"
        context.processPendingChanges()
        let moves = watched.take().map(\.difference)
        #expect(moves.map(\.itemEventCount) == [1])
        #expect(moves.flatMap(\.itemMoves).map(\.oldPosition) == [position(0)])
        #expect(moves.flatMap(\.itemMoves).map(\.newPosition) == [position(3)])
        context.delete(bay)
        context.processPendingChanges()
        #expect(watched.take().flatMap(\.difference.itemDeletes).map(\.position) == [position(0)])
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func `what is told, replayed onto what was shown, is what is asked now`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let list = try ListController(
            FetchRequest<Photo>(
                predicate: #Predicate { $0.views < 8 },
                sortBy: [SortDescriptor(\.title), SortDescriptor(\.views)]),
            sectionBy: \.city?.name, title: \.title, searching: [\.title], in: context)
        var recorder = ResultsRecorder(list.snapshot)
        var mismatches: [any Error] = []
        list.onChange = { change in
            do { try recorder.replay(change) } catch { mismatches.append(error) }
        }
        let (cities, texts) = (["Nice", "Rome", "Köln", nil], ["", "a", "o", "zz"])
        for number in 0..<40 {
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let all = try context.fetch(FetchRequest<Photo>())
                let photo = all.randomElement(using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0, 1:
                    try context.photo(
                        "\(["Bay", "Arch", "Dome"].randomElement(using: &generator) ?? "")",
                        in: cities.randomElement(using: &generator) ?? nil,
                        views: Int.random(in: 0..<10, using: &generator))
                case 2: photo?.views = Int.random(in: 0..<10, using: &generator)
                case 3: photo?.title = "Moved \(Int.random(in: 0..<9, using: &generator))"
                default: if let photo { context.delete(photo) }
                }
            }
            context.processPendingChanges()
            if number.isMultiple(of: 7) {
                try list.search(texts.randomElement(using: &generator) ?? "")
            }
            #expect(mismatches.isEmpty, "seed \(seed), batch \(number): \(mismatches)")
            let fresh = try ListController(
                try #require(list.request), sectionBy: \.city?.name, searching: [\.title],
                in: context)
            try fresh.search(list.searchText)
            #expect(list.snapshot == fresh.snapshot, "seed \(seed), batch \(number)")
        }
    }

    @Test func `asking again reads anew what a computed property reads elsewhere`() throws {
        ListModel.popularity.withLock { $0 = 2 }
        let watched = try watch(
            FetchRequest(
                predicate: #Predicate { $0.isPopular }, sortBy: [SortDescriptor(\.title)]))
        #expect(watched.titles == "Bay")
        ListModel.popularity.withLock { $0 = 0 }
        #expect(watched.changes.isEmpty && watched.titles == "Bay")
        try watched.list.reload()
        #expect(watched.take().map(\.difference.itemInserts.count) == [2])
        #expect(watched.titles == "Arch Bay Forum")
    }

    @Test func `a list without sections has no row at any position`() throws {
        let list = try ListController<Photo>(in: context)
        #expect(list.rows.count == 0 && list.sections.count == 0 && list.sectionIndexTitles == [])
        #expect(list.object(at: ItemPosition(section: 0, item: 0)) == nil)
        #expect(list.section(forSectionIndexTitle: "A") == nil && list.selectedPosition == nil)
    }

    // MARK: - What the user has done already

    @Test func `what others did before a drag is told, and the drag is not`() throws {
        let watched = try watch(FetchRequest(sortBy: [SortDescriptor(\.views)]))
        let list = watched.list
        // Not told yet when the drag begins.
        try context.photo("Cave", views: 9)
        list.withoutTelling { list.objects[0].views = 5 }
        let changes = watched.take()
        #expect(changes.count == 1 && changes[0].difference.itemInserts.count == 1)
        #expect(changes[0].difference.itemEventCount == 1)
        #expect(changes[0].after.identifiers.count == 4 && watched.titles == "Forum Bay Arch Cave")
    }

    /// Who is being told of a change hears of it as a whole; what it changes itself is told when that is done.
    @Test func `a drag while a change is told is told after it, each as a whole`() throws {
        let watched = try watch(FetchRequest(sortBy: [SortDescriptor(\.views)]))
        let list = watched.list
        var hasDragged = false
        list.onChange = { [unowned list, unowned watched] change in
            watched.note(change)
            guard !hasDragged else { return }
            hasDragged = true
            list.withoutTelling { list.objects[0].views = 5 }
        }
        try context.photo("Cave", views: 9)
        context.processPendingChanges()
        let changes = watched.take()
        #expect(changes.count == 2)
        for change in changes { #expect(change.before.applying(change.difference) == change.after) }
        #expect(changes.last?.before == changes.first?.after)
        try context.photo("Dome", views: 10)
        context.processPendingChanges()
        #expect(watched.take().map(\.difference.itemInserts.count) == [1])
        #expect(watched.titles == "Forum Bay Arch Cave Dome")
    }

    @Test func `a paused list shows what was, deletes included, and tells it when it goes on`()
        throws
    {
        let watched = try watch()
        let list = watched.list
        list.canDelete = { _ in true }
        list.isPaused = true
        let bay = list.objects[1]
        #expect(try list.delete(bay))
        #expect(watched.changes.isEmpty && bay.isDeleted)
        list.isPaused = false
        let changes = watched.take()
        #expect(changes.map(\.difference.itemDeletes.count) == [1])
        #expect(changes[0].before.applying(changes[0].difference) == list.snapshot)
        #expect(watched.titles == "Arch Forum")
    }

    // MARK: - Keys along relationships

    @Test func `a key may lead along relationships in title, subtitle, search, sections and order`()
        throws
    {
        let list = try ListController(
            FetchRequest<Photo>(sortBy: [
                SortDescriptor(\.city?.name, order: .reverse), SortDescriptor(\.title),
            ]),
            sectionBy: \.city?.name, title: \.city?.name, subtitle: \.city?.name,
            searching: [\.city?.name], in: context)
        #expect(list.sections.map(\.title) == ["Rome", "Nice"])
        #expect(list.rows.map(\.title) == ["Rome", "Nice", "Nice"])
        #expect(list.rows.map(\.subtitle) == ["Rome", "Nice", "Nice"])
        try list.search("ROM")
        #expect(list.rows.map(\.title) == ["Rome"])
    }

    // MARK: - Asking something else

    @Test func `sections of what was asked before are never shown of what is asked now`() throws {
        let watched = try watch(sectionBy: \.city?.name)
        let list = watched.list
        // Both change: what is asked, and what it is asked of.
        try context.photo("Dom", in: "Köln", views: 9)
        try list.show(
            FetchRequest(predicate: #Predicate { $0.views > 2 }, sortBy: [SortDescriptor(\.title)]),
            sectionBy: \.city?.name)
        #expect(watched.titles == "Nice: Bay, Köln: Dom")
        try list.show(ListModel.byTitle, sectionBy: \.title)
        #expect(list.sections.map(\.title) == ["Arch", "Bay", "Dom", "Forum"])
        #expect(list.sectionIndexTitles == ["A", "B", "D", "F"])
    }
}

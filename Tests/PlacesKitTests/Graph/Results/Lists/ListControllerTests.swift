import Foundation
import Observation
import PlacesKit
import PlacesKitTesting
import Testing

/// What a list shows and tells, whoever draws it.
@Suite struct ListControllerTests {
    private typealias Photo = ListModel.Photo
    private let context: ManagedObjectContext

    init() throws {
        context = try ListModel.context()
        try context.photo("Bay", in: "Nice", views: 3)
        try context.photo("Arch", in: "Nice", views: 1)
        try context.photo("Forum", in: "Rome", views: 2)
    }

    private func watch(
        _ request: FetchRequest<Photo>? = ListModel.byTitle,
        sectionBy section: PartialKeyPath<Photo>? = nil,
        title: PartialKeyPath<Photo>? = \.title, subtitle: PartialKeyPath<Photo>? = nil,
        searching keys: [PartialKeyPath<Photo>] = []
    ) throws -> WatchedList {
        let list = try ListController(
            title: title, subtitle: subtitle, searching: keys, in: context)
        let watched = WatchedList(list)
        if let request { try list.show(request, sectionBy: section) }
        return watched
    }

    // MARK: - What is asked

    @Test func `a list that asks nothing has no sections, no rows and nothing to say`() throws {
        let watched = try watch(nil)
        var lines: [String] = []
        watched.list.log = { lines.append($0) }
        #expect(watched.list.sections.isEmpty && watched.list.rows.isEmpty)
        #expect(watched.list.message == nil && watched.list.request == nil)
        #expect(watched.list.row(at: ItemPosition(section: 0, item: 0)) == nil)
        try watched.list.reload()
        try watched.list.search("a")
        try context.photo("Cave")
        try context.save()
        #expect(watched.changes.isEmpty && lines.isEmpty)
    }

    @Test func `what is asked first is told as one change`() throws {
        let watched = try watch()
        let changes = watched.take()
        #expect(changes.count == 1)
        #expect(changes[0].before.sections.isEmpty && changes[0].difference.itemInserts.count == 3)
        #expect(changes[0].before.applying(changes[0].difference) == changes[0].after)
        #expect(watched.titles == "Arch Bay Forum")
    }

    @Test func `asking the same again tells nothing`() throws {
        let watched = try watch()
        _ = watched.take()
        try watched.list.show(ListModel.byTitle)
        try watched.list.reload()
        #expect(watched.changes.isEmpty)
    }

    @Test func `asking something else is one change, in which what stays stays`() throws {
        let watched = try watch()
        _ = watched.take()
        try watched.list.show(
            FetchRequest(predicate: #Predicate { $0.views > 1 }, sortBy: [SortDescriptor(\.title)]))
        let changes = watched.take()
        #expect(changes.count == 1 && changes[0].difference.itemDeletes.count == 1)
        #expect(changes[0].difference.itemEventCount == 1)
        #expect(watched.titles == "Bay Forum")
    }

    @Test func `a change in the context needs no reload`() throws {
        let watched = try watch()
        try context.photo("Cave")
        context.processPendingChanges()
        #expect(watched.titles == "Arch Bay Cave Forum")
    }

    @Test func `a request that is refused leaves the list empty, and says why`() throws {
        let watched = try watch()
        _ = watched.take()
        var request = ListModel.byTitle
        request.format = try PredicateFormat("colour == 'red'")
        #expect(throws: ContextError.self) { try watched.list.show(request) }
        #expect(watched.list.rows.isEmpty && watched.list.sections.isEmpty)
        #expect(watched.take().map(\.difference.itemDeletes.count) == [3])
        #expect(watched.list.message?.contains("colour") == true)
        try watched.list.show(ListModel.byTitle)
        #expect(watched.titles == "Arch Bay Forum" && watched.list.message == nil)
    }

    @Test func `a list that is let go tells nothing more, and leaves the context`() throws {
        var told = 0
        weak var former: ListController<Photo>?
        do {
            let list = try ListController(ListModel.byTitle, in: context)
            list.onChange = { _ in told += 1 }
            former = list
        }
        try context.photo("Cave")
        context.processPendingChanges()
        #expect(former == nil && told == 0)
    }

    // MARK: - Rows

    @Test func `the title is the entity's name until it is given another`() throws {
        let watched = try watch(nil)
        #expect(watched.list.title == "Photo")
        watched.list.title = "Top photos"
        try watched.list.show(ListModel.byTitle)
        #expect(watched.list.title == "Top photos")
    }

    @Test func `rows have the titles and subtitles of their keys`() throws {
        let watched = try watch(title: \.city?.name, subtitle: \.viewText)
        #expect(watched.list.rows.map(\.title) == ["Nice", "Nice", "Rome"])
        #expect(watched.list.rows.map(\.subtitle) == ["1 views", "3 views", "2 views"])
        #expect(try watch(subtitle: \.caption).list.rows.allSatisfy { $0.subtitle == nil })
    }

    @Test func `without a title key rows show what they are sorted by, and no subtitle`() throws {
        let byViews = FetchRequest<Photo>(sortBy: [
            SortDescriptor(\.views), SortDescriptor(\.title),
        ])
        let watched = try watch(byViews, title: nil)
        #expect(watched.list.rows.map(\.title) == ["1", "2", "3"])
        #expect(watched.list.rows.allSatisfy { $0.subtitle == nil })
        #expect(try watch(FetchRequest(), title: nil).list.rows.allSatisfy(\.title.isEmpty))
    }

    @Test func `without a title key rows show what they are sorted by in whatever order`() throws {
        func titles(_ descriptors: SortDescriptor<Photo>...) throws -> [String] {
            try watch(FetchRequest(sortBy: descriptors), title: nil).list.rows.map(\.title)
        }
        let byTitle = SortDescriptor<Photo>(\.title, comparator: .localizedStandard)
        #expect(try titles(byTitle) == ["Arch", "Bay", "Forum"])
        let byLength = SortDescriptor<Photo>(\.title, comparator: ByLength())
        #expect(try titles(byLength) == ["Bay", "Arch", "Forum"])
        let byCity = SortDescriptor<Photo>(\.city?.name, order: .forward, nils: .last)
        #expect(try titles(byCity, byTitle) == ["Nice", "Nice", "Rome"])
        // How well a photo fits is nothing to show.
        let byFit = SortDescriptor(relevanceTo: TextSearch<Photo>("bay", in: \.title))
        #expect(try titles(byFit, byTitle).sorted() == ["Arch", "Bay", "Forum"])
        #expect(try titles(byFit).allSatisfy(\.isEmpty))
    }

    @Test func `a row is updated by what its subtitle reads of another object`() throws {
        let watched = try watch(subtitle: \.city?.name)
        _ = watched.take()
        let nice = try context.fetch(
            FetchRequest<ListModel.City>(predicate: #Predicate { $0.name == "Nice" }))
        nice[0].name = "Nizza"
        context.processPendingChanges()
        let updates = watched.take().flatMap(\.difference.itemUpdates)
        #expect(updates.map(\.newPosition.item) == [0, 1])
        #expect(updates.allSatisfy { $0.properties == ["city.name"] })
        #expect(watched.list.rows.map(\.subtitle) == ["Nizza", "Nizza", "Rome"])
    }

    @Test func `a row is updated by what its title reads of another object after another request`()
        throws
    {
        let watched = try watch(title: nil)
        try watched.list.show(
            FetchRequest<Photo>(
                sortBy: [SortDescriptor(\.city?.name), SortDescriptor(\.viewText)]))
        _ = watched.take()
        let nice = try context.fetch(
            FetchRequest<ListModel.City>(predicate: #Predicate { $0.name == "Nice" }))
        nice[0].name = "Nizza"
        context.processPendingChanges()
        let updates = watched.take().flatMap(\.difference.itemUpdates)
        #expect(updates.map(\.newPosition.item) == [0, 1])
        #expect(watched.list.rows.map(\.title) == ["Nizza", "Nizza", "Rome"])
    }

    @Test func `a small picture is read for the row that asks for it`() throws {
        let list = try ListController(ListModel.byTitle, thumbnail: \.thumbnail, in: context)
        list.objects[1].thumbnail = Data([1, 2])
        #expect(list.thumbnail(of: list.objects[0]) == nil)
        #expect(list.thumbnail(of: list.objects[1]) == Data([1, 2]))
    }

    // MARK: - Sections

    @Test func `sections, their headers and the index beside them come of what is asked`() throws {
        let watched = try watch(sectionBy: \.city?.name)
        #expect(watched.titles == "Nice: Arch Bay, Rome: Forum")
        #expect(watched.list.sectionIndexTitles == ["N", "R"])
        #expect(watched.list.section(forSectionIndexTitle: "R") == 1)
        #expect(watched.list.section(forSectionIndexTitle: "X") == nil)
        #expect(watched.list.sections.map(\.rows.count) == [2, 1])
        #expect(watched.list.row(at: ItemPosition(section: 1, item: 0))?.title == "Forum")
        #expect(watched.list.row(at: ItemPosition(section: 2, item: 0)) == nil)
    }

    @Test func `a header is shown otherwise, and the section stays what it is`() throws {
        let watched = try watch(sectionBy: \.city?.name)
        watched.list.sectionTitle = { $0.uppercased() }
        #expect(watched.list.sections.map(\.title) == ["NICE", "ROME"])
        #expect(watched.list.sections.map(\.key) == [SectionKey("Nice"), SectionKey("Rome")])
        #expect(watched.list.snapshot.sections.map(\.name) == ["Nice", "Rome"])
    }

    @Test func `a row that opens a section and one that empties another are one change`() throws {
        let watched = try watch(sectionBy: \.city?.name)
        _ = watched.take()
        let list = watched.list
        let forum = try #require(list.object(at: ItemPosition(section: 1, item: 0)))
        context.delete(forum)
        try context.photo("Dom", in: "Köln")
        context.processPendingChanges()
        let changes = watched.take()
        #expect(changes.count == 1)
        #expect(changes[0].difference.sectionInserts.map(\.name) == ["Köln"])
        #expect(changes[0].difference.sectionDeletes.map(\.name) == ["Rome"])
        #expect(changes[0].before.applying(changes[0].difference) == list.snapshot)
    }

    @Test func `sections follow the request to another property, or to none`() throws {
        let watched = try watch(sectionBy: \.city?.name)
        try watched.list.show(ListModel.byTitle, sectionBy: \.views)
        #expect(watched.titles == "1: Arch, 3: Bay, 2: Forum")
        try watched.list.show(ListModel.byTitle)
        #expect(watched.titles == "Arch Bay Forum")
    }

    // MARK: - Search

    @Test
    func `a search keeps what has the text in one of its keys, whatever its case and accents`()
        throws
    {
        let watched = try watch(searching: [\.title, \.city?.name])
        try watched.list.search("nicé")
        #expect(watched.titles == "Arch Bay" && watched.list.searchText == "nicé")
        try watched.list.search("FOR")
        #expect(watched.titles == "Forum")
        try watched.list.search("%' OR 1 == 1")
        #expect(watched.list.rows.isEmpty && watched.list.message?.contains("OR 1 == 1") == true)
    }

    @Test func `a search is about what was asked, and its end shows all of that again`() throws {
        let request = FetchRequest<Photo>(
            predicate: #Predicate { $0.views < 3 }, sortBy: [SortDescriptor(\.title)])
        let watched = try watch(request, sectionBy: \.city?.name, searching: [\.title])
        try watched.list.search("b")
        #expect(watched.list.rows.isEmpty)
        try watched.list.search("")
        #expect(watched.titles == "Nice: Arch, Rome: Forum")
    }

    @Test func `a search leaves what the list asks besides, in both languages`() throws {
        var request = try FetchRequest<Photo>(
            where: "views > 1", sortBy: [SortDescriptor(\.title)])
        request.predicate = #Predicate { $0.title != "Forum" }
        try context.photo("Bank", in: "Nice", views: 1)
        let watched = try watch(request, searching: [\.title])
        for (text, titles) in [
            ("b", "Bay"), ("forum", ""), ("BAY", "Bay"), ("bank", ""), ("", "Bay"),
        ] {
            try watched.list.search(text)
            #expect(watched.titles == titles, "\(text)")
        }
        #expect(watched.list.request?.format?.format == "views > 1")
    }

    @Test func `a search of a list without search keys finds nothing`() throws {
        let watched = try watch()
        try watched.list.search("a")
        #expect(watched.list.rows.isEmpty)
        #expect(watched.list.message == "Nothing found with “a”.")
        try watched.list.search("")
        #expect(watched.titles == "Arch Bay Forum")
    }

    @Test func `a search of what is no text is an error that names it`() throws {
        let watched = try watch(searching: [\.views])
        #expect(throws: ContextError.notText(entity: "Photo", keyPath: "views")) {
            try watched.list.search("3")
        }
        #expect(watched.list.message?.contains("views") == true && watched.list.rows.isEmpty)
        try watched.list.search("")
        #expect(watched.titles == "Arch Bay Forum" && watched.list.message == nil)
    }

    @Test func `a search goes on in another request, and follows changes`() throws {
        let watched = try watch(searching: [\.title])
        try watched.list.search("a")
        #expect(watched.titles == "Arch Bay")
        try context.photo("Cave")
        context.processPendingChanges()
        #expect(watched.titles == "Arch Bay Cave")
        try watched.list.show(
            FetchRequest(sortBy: [SortDescriptor(\.title, order: .reverse)]))
        #expect(watched.titles == "Cave Bay Arch")
    }

    @Test func `who shows the search or what is asked is told when it changes, whatever the rows`()
        throws
    {
        let watched = try watch(searching: [\.title])
        let list = watched.list
        func isTold(_ read: () -> Void, _ change: () throws -> Void) throws -> Bool {
            let count = Counter()
            withObservationTracking(read) { count.count() }
            try change()
            return count.value > 0
        }
        try list.search("zzz")
        #expect(try isTold({ _ = list.message }) { try list.search("yyy") })
        #expect(list.message?.contains("yyy") == true)
        #expect(try isTold({ _ = list.searchText }) { try list.search("xxx") })
        #expect(try !isTold({ _ = list.searchText }) { try list.search("xxx") })
        #expect(try !isTold({ _ = list.request }) { try list.search("www") })
        #expect(try isTold({ _ = list.request }) { try list.show(FetchRequest(limit: 2)) })
    }

    // MARK: - Selection

    @Test func `the selection follows its object through moves and searches`() throws {
        let watched = try watch(searching: [\.title])
        let list = watched.list
        let bay = list.objects[1]
        list.selection = bay
        bay.title = "Zoo"
        context.processPendingChanges()
        #expect(list.selectedPosition == ItemPosition(section: 0, item: 2))
        try list.search("a")
        #expect(list.selection === bay && list.selectedPosition == nil)
        try list.search("")
        #expect(list.selectedPosition?.item == 2)
        context.delete(bay)
        #expect(list.selection == nil)
    }

    // MARK: - Deleting and moving

    @Test func `no row can be deleted unless the list says so`() throws {
        let watched = try watch()
        #expect(watched.list.rows.allSatisfy { !$0.canBeDeleted })
        #expect(try !watched.list.delete(watched.list.objects[0]))
        watched.list.canDelete = { $0.views < 3 }
        #expect(watched.list.rows.map(\.canBeDeleted) == [true, false, true])
        #expect(try !watched.list.delete(watched.list.objects[1]))
        #expect(try watched.list.delete(watched.list.objects[0]))
        #expect(watched.titles == "Bay Forum")
        #expect(try context.count(Photo.self) == 2)
    }

    @Test func `to delete may mean that the object does not match any more`() throws {
        let watched = try watch(
            FetchRequest(predicate: #Predicate { !$0.isHidden }, sortBy: [SortDescriptor(\.title)]))
        let list = watched.list
        list.canDelete = { _ in true }
        list.onDelete = { $0.isHidden = true }
        let bay = list.objects[1]
        list.selection = bay
        _ = watched.take()
        #expect(try list.delete(bay))
        let changes = watched.take()
        #expect(
            changes.count == 1
                && changes[0].difference.itemDeletes.map(\.identifier) == [bay.objectID])
        #expect(!bay.isDeleted && list.selection == nil)
        #expect(try !list.delete(bay))
    }

    @Test func `the selection of a row that was deleted does not come back with its object`() throws
    {
        context.isUndoEnabled = true
        let watched = try watch()
        let list = watched.list
        list.canDelete = { _ in true }
        let bay = list.objects[1]
        list.selection = bay
        #expect(try list.delete(bay))
        #expect(bay.isDeleted && list.selection == nil)
        context.undo()
        #expect(watched.titles == "Arch Bay Forum" && list.selection == nil)
    }

    @Test func `a row that the user has moved already is not told, and what others do then is`()
        throws
    {
        let byViews = FetchRequest<Photo>(sortBy: [SortDescriptor(\.views)])
        let watched = try watch(byViews)
        _ = watched.take()
        watched.list.withoutTelling { watched.list.objects[0].views = 9 }
        #expect(watched.titles == "Forum Bay Arch" && watched.changes.isEmpty)
        context.delete(watched.list.objects[0])
        context.processPendingChanges()
        let changes = watched.take()
        #expect(changes.count == 1 && changes[0].difference.itemEventCount == 1)
        #expect(changes[0].before.applying(changes[0].difference) == changes[0].after)
    }

    @Test func `a list that is paused catches up in one change`() throws {
        let watched = try watch()
        _ = watched.take()
        watched.list.isPaused = true
        for title in ["Cave", "Dome"] {
            try context.photo(title)
            try context.save()
        }
        #expect(watched.changes.isEmpty && watched.titles == "Arch Bay Forum")
        watched.list.isPaused = false
        #expect(watched.take().map(\.difference.itemInserts.count) == [2])
        #expect(watched.titles == "Arch Bay Cave Dome Forum")
    }

    @Test func `a list that is paused stays so whatever it is asked, or refused`() throws {
        let watched = try watch(nil)
        watched.list.isPaused = true
        try watched.list.show(ListModel.byTitle)
        #expect(watched.titles == "Arch Bay Forum" && watched.list.isPaused)
        try context.photo("Cave")
        try context.save()
        #expect(watched.titles == "Arch Bay Forum")
        var refused = ListModel.byTitle
        refused.format = try PredicateFormat("nothing == 1")
        #expect(throws: ContextError.self) { try watched.list.show(refused) }
        #expect(watched.list.isPaused)
        try watched.list.show(ListModel.byTitle)
        #expect(watched.titles == "Arch Bay Cave Forum")
        try context.photo("Dome")
        try context.save()
        #expect(watched.titles == "Arch Bay Cave Forum")
        watched.list.isPaused = false
        #expect(watched.titles == "Arch Bay Cave Dome Forum" && !watched.list.isPaused)
    }

    // MARK: - Words

    @Test func `an empty list says so in words of its own`() throws {
        let watched = try watch(FetchRequest(predicate: #Predicate { $0.views > 99 }))
        #expect(watched.list.message == "Nothing here.")
        watched.list.emptyMessage = { "No photo has a hundred views yet." }
        #expect(watched.list.message == "No photo has a hundred views yet.")
    }

    @Test func `a log tells of fetches and changes, and nothing else is different`() throws {
        let (watched, quiet) = (try watch(nil), try watch())
        var lines: [String] = []
        watched.list.log = { lines.append($0) }
        try watched.list.show(
            FetchRequest(predicate: #Predicate { $0.views > 0 }, sortBy: [SortDescriptor(\.title)]))
        #expect(lines.contains { $0.contains("Photo") && $0.contains("views > 0") })
        lines = []
        try context.photo("Cave", views: 1)
        context.processPendingChanges()
        #expect(lines.count == 1 && lines[0].contains("1 inserted"))
        #expect(watched.titles == quiet.titles)
    }
}

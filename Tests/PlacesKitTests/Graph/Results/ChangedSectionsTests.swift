import Foundation
import PlacesKit
import Testing

/// A controller that is asked for other sections.
@Suite struct ChangedSectionsTests {
    private typealias Photo = ResultsModel.Photo
    private let context: ManagedObjectContext
    private let results: FetchedResultsController<Photo>

    init() throws {
        context = ManagedObjectContext(try ResultsModel.store())
        for (title, views) in [("A1", 1), ("A2", 2), ("B1", 1)] {
            let photo = Photo(context: context)
            (photo.title, photo.views) = (title, views)
        }
        results = try FetchedResultsController(
            FetchRequest<Photo>(sortBy: [SortDescriptor(\.title)]), in: context)
    }

    private var shown: [String] {
        results.sections.map { "\($0.name): \($0.objects.map(\.title).joined(separator: " "))" }
    }

    @Test func `sections come, change and go with one change each`() throws {
        var changes: [ResultsChange<ObjectID>] = []
        results.onChange = { changes.append($0) }
        #expect(shown == [": A1 A2 B1"])
        try results.setRequest(results.request, sectionBy: \.initial)
        #expect(shown == ["A: A1 A2", "B: B1"])
        try results.setRequest(
            FetchRequest(sortBy: [SortDescriptor(\.views), SortDescriptor(\.title)]),
            sectionBy: \.views)
        #expect(shown == ["1: A1 B1", "2: A2"])
        try results.setRequest(results.request) { (key: $0.views > 1, name: "many") }
        #expect(shown == ["many: A1 B1", "many: A2"])
        try results.setRequest(results.request, sectionBy: \.takenAt)
        #expect(shown == [": A1 B1 A2"])
        try results.setRequest(results.request, sectionBy: nil)
        #expect(shown == [": A1 B1 A2"])
        for change in changes {
            #expect(change.before.applying(change.difference) == change.after)
            #expect(change.difference.itemUpdates.isEmpty)
        }
        #expect(changes.count == 4)
    }

    @Test func `what comes later goes into the sections asked for last`() throws {
        try results.setRequest(results.request, sectionBy: \.initial)
        try results.setRequest(FetchRequest(sortBy: [SortDescriptor(\.views)]))
        let photo = Photo(context: context)
        (photo.title, photo.views) = ("C1", 3)
        context.processPendingChanges()
        #expect(results.sections.last?.name == "C")
    }

    @Test func `a request that is refused leaves the sections`() throws {
        var request = results.request
        request.format = try PredicateFormat("bogus == 1")
        #expect(throws: ContextError.self) {
            try results.setRequest(request, sectionBy: \.initial)
        }
        #expect(shown == [": A1 A2 B1"])
    }
}

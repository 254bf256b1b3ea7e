import Foundation
import PlacesKit
import Testing

/// Live lists in an order that computed properties make have the order of a fetch.
@Suite struct ComputedOrderTests {
    final class Clip: ManagedObject {
        @Attribute var title = ""
        @Attribute var likes = 0.0
        @Attribute var views = 0.0

        /// Computed, so that a list must ask each object.
        var ratio: Double { likes / views }
        var shownTitle: String { title }
    }

    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Clip.self]))
    }

    @discardableResult
    private func clip(_ title: String, likes: Double = 1, views: Double = 1) -> Clip {
        let clip = Clip(context: context)
        clip.title = title
        clip.likes = likes
        clip.views = views
        return clip
    }

    @Test func `what is not a number comes after every number, also in a live list`() throws {
        clip("three", likes: 3)
        clip("nothing", likes: 0, views: 0)
        let last = clip("one")
        let request = FetchRequest(sortBy: [SortDescriptor(\Clip.ratio)])
        let list = try FetchedResultsController(request, in: context)
        #expect(list.objects.map(\.title) == ["one", "three", "nothing"])
        last.likes = 5
        context.processPendingChanges()
        #expect(list.objects.map(\.title) == ["three", "one", "nothing"])
        #expect(try context.fetch(request).map(\.title) == ["three", "one", "nothing"])
    }

    @Test func `a list by relevance keeps how rare words are, whatever it is sorted by besides`()
        throws
    {
        for title in ["red 1", "green 1", "green 2", "green 3"] { clip(title) }
        let fit = SortDescriptor(relevanceTo: TextSearch<Clip>("red green", in: \.title))
        let compiled = try FetchedResultsController(
            FetchRequest(sortBy: [fit, SortDescriptor(\Clip.title)]), in: context)
        let computed = try FetchedResultsController(
            FetchRequest(sortBy: [fit, SortDescriptor(\Clip.shownTitle)]), in: context)
        for number in 2...9 { clip("red \(number)") }
        context.processPendingChanges()
        let titles = (1...9).map { "red \($0)" } + (1...3).map { "green \($0)" }
        #expect(compiled.objects.map(\.title) == titles)
        #expect(computed.objects.map(\.title) == titles)
    }
}

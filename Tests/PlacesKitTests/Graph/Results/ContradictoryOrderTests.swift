import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Live lists in an order of somebody's own that contradicts itself.
@Suite struct ContradictoryOrderTests {
    private typealias Photo = ResultsModel.Photo

    @Test(arguments: UInt64(1)...6)
    func `they show what matches, each once, and tell changes that lead from one to the next`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let context = ManagedObjectContext(try ResultsModel.store())
        let order = [SortDescriptor(\Photo.views, comparator: Nonsense())]
        func request(_ limit: Int? = nil) -> FetchRequest<Photo> {
            FetchRequest(predicate: #Predicate { $0.title != "" }, sortBy: order, limit: limit)
        }
        let lists = [
            try FetchedResultsController(request(), in: context),
            try FetchedResultsController(request(), sectionBy: \.title, in: context),
            try FetchedResultsController(request(9), in: context),
            try FetchedResultsController(request(9), sectionBy: \.title, in: context),
        ]
        var told = lists.map { Set($0.snapshot.identifiers) }
        for (index, list) in lists.enumerated() {
            list.onChange = { told[index] = Set($0.after.identifiers) }
        }
        var photos: [Photo] = []
        for round in 0..<300 {
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let photo = photos.randomElement(using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0 where photos.count < 60: photos.append(try context.insert(Photo.self))
                case 1:
                    guard let photo else { continue }
                    context.delete(photo)
                    photos.removeAll { $0 === photo }
                default: photo?.views = Int.random(in: 0..<100, using: &generator)
                }
                photo?.title = ["A", "B", "C", ""].randomElement(using: &generator) ?? ""
            }
            photos.removeAll(where: \.isDeleted)
            context.processPendingChanges()
            let matching = Set(photos.filter { !$0.title.isEmpty }.map(\.objectID))
            for (index, list) in lists.enumerated() {
                let place = "seed \(seed), round \(round), list \(index)"
                let shown = Array(list.snapshot.identifiers)
                #expect(Set(shown).count == shown.count && Set(shown) == told[index], "\(place)")
                #expect(Set(shown).isSubset(of: matching), "\(place)")
                #expect(shown.count == min(matching.count, index < 2 ? .max : 9), "\(place)")
                #expect(list.objects.map(\.objectID) == shown, "\(place)")
                #expect(
                    list.sections.flatMap { $0.objects.map(\.objectID) } == shown, "\(place)")
            }
        }
    }
}

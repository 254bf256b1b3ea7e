import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The ordered trees themselves, with many rows.
@Suite struct RankedRowsTests {
    private typealias Photo = ResultsModel.Photo

    @Test func `an index built of ascending entries is as one that was filled`() {
        for count in [0, 1, 63, 64, 65, 4_096, 4_097, 5_000] {
            let entries = (0..<count).map { (number: Int) -> OrderedEntry in
                OrderedEntry(
                    group: Int32(number / 100), row: Row(number), key: UInt64(number / 3))
            }
            var index = OrderedIndex(entries, token: 1)
            #expect(index.count == count)
            #expect(index.brokenInvariants() == [])
            #expect(Array(index.entries) == entries)
            for entry in entries where entry.row.index.isMultiple(of: 7) {
                let before = index
                let wasThere = index.remove(entry, token: UInt64(entry.row.index) + 2)
                #expect(wasThere)
                #expect(before.count == index.count + 1)
            }
            #expect(index.brokenInvariants() == [])
        }
    }

    @Test(arguments: [UInt64](1...2))
    func `thousands of rows in many sections follow large batches`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let world = try ResultsFixture()
        let context = world.context
        let places = (0..<40).map { world.place("P\($0)", in: "C\($0 % 7)") }
        var photos = (0..<1_500).map { number in
            world.photo(
                "\(number % 50)", views: Int.random(in: 0..<500, using: &generator),
                at: places[number % places.count])
        }
        try context.save()
        let requests = [
            FetchRequest<Photo>(sortBy: [SortDescriptor(\.views), SortDescriptor(\.title)]),
            FetchRequest<Photo>(
                sortBy: [SortDescriptor(\.views, order: .reverse)], limit: 300, offset: 200),
        ]
        let controllers = try requests.flatMap { request in
            [
                try FetchedResultsController(request, in: context),
                try FetchedResultsController(request, sectionBy: \.takenAt?.name, in: context),
                try FetchedResultsController(request, sectionBy: \.views, in: context),
            ]
        }
        for round in 0..<3 {
            let before = controllers.map(\.snapshot)
            for _ in 0..<200 {
                let index = Int.random(in: photos.indices, using: &generator)
                switch Int.random(in: 0..<5, using: &generator) {
                case 0: context.delete(photos.remove(at: index))
                case 1: photos.append(world.photo("new", views: 250, at: places[3]))
                case 2: photos[index].takenAt = places.randomElement(using: &generator)
                default: photos[index].views = Int.random(in: 0..<500, using: &generator)
                }
            }
            places[round].name = "P\(round + 5)"
            var changes: [ResultsChange<ObjectID>?] = controllers.map { _ in nil }
            for (number, controller) in controllers.enumerated() {
                controller.onChange = { changes[number] = $0 }
            }
            context.processPendingChanges()
            for (number, controller) in controllers.enumerated() {
                let rows = controller.tracker.rows
                #expect(rows.all.brokenInvariants() == [])
                #expect(rows.members.brokenInvariants() == [])
                let change = try #require(changes[number])
                #expect(change.before == before[number], "seed \(seed), round \(round)")
                #expect(
                    change.before.applying(change.difference) == change.after,
                    "seed \(seed), round \(round), controller \(number)")
                let fresh = try FetchedResultsController(
                    controller.request, in: context)
                if number % 3 == 0 {
                    #expect(controller.snapshot == fresh.snapshot)
                }
                #expect(
                    Set(controller.snapshot.identifiers) == Set(fresh.snapshot.identifiers))
            }
        }
    }
}

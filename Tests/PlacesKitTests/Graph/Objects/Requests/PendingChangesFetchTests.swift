import Foundation
import PlacesKit
import Testing

/// Fetches while changes are pending: what is here counts, not what was saved.
@Suite struct PendingChangesFetchTests {
    let context: ManagedObjectContext
    let older = FetchRequest<Citizen>(
        predicate: #Predicate { $0.age > 20 }, sortBy: [SortDescriptor(\.name)])

    /// Alpha of 22, bravo of 25 and charlie of 10 are saved; alpha is 5 now and charlie 21, bravo is
    /// deleted, delta of 30 and echo of 40 are new.
    init() throws {
        context = try TownModel.context()
        let people = ["alpha", "bravo", "charlie"].map(context.citizen)
        for (person, age) in zip(people, [22, 25, 10]) { person.age = age }
        try context.save()
        people[0].age = 5
        people[2].age = 21
        context.delete(people[1])
        for (name, age) in [("delta", 30), ("echo", 40)] { context.citizen(name).age = age }
    }

    @Test func `pending values decide, what is deleted is out and what is inserted in`() throws {
        let names = ["charlie", "delta", "echo"]
        #expect(try context.fetch(older).map(\.name) == names)
        #expect(try context.count(older) == 3)
        let format = try FetchRequest<Citizen>(where: "age > 20", sortBy: older.sortDescriptors)
        #expect(try context.fetch(format).map(\.name) == names)
        context.processPendingChanges()
        #expect(try context.fetch(older).map(\.name) == names)
        try context.save()
        #expect(try context.fetch(older).map(\.name) == names)
    }

    @Test func `the context of a snapshot answers as of the last save`() throws {
        let saved = context.store.snapshot().context()
        #expect(try saved.fetch(older).map(\.name) == ["alpha", "bravo"])
        #expect(try saved.fetch(older).map(\.age) == [22, 25])
        #expect(try saved.count(older) == 2)
        context.rollback()
        #expect(try context.fetch(older).map(\.name) == ["alpha", "bravo"])
    }

    @Test func `a window is cut out of what is pending`() throws {
        var window = FetchRequest<Citizen>(
            sortBy: [SortDescriptor(\.age)], limit: 2, offset: 1)
        #expect(try context.fetch(window).map(\.name) == ["charlie", "delta"])
        #expect(try context.count(window) == 2)
        let saved = context.store.snapshot().context()
        #expect(try saved.fetch(window).map(\.name) == ["alpha", "bravo"])
        window.offset = 4
        #expect(try context.fetch(window).isEmpty && saved.fetch(window).isEmpty)
        window.offset = 3
        #expect(try context.fetch(window).map(\.name) == ["echo"])
    }

    @Test func `without an order objects come as they were inserted, saved or not`() throws {
        #expect(
            try context.fetch(Citizen.self).map(\.name) == ["alpha", "charlie", "delta", "echo"])
        #expect(
            try context.fetch(FetchRequest<Citizen>(predicate: older.predicate)).map(\.name)
                == ["charlie", "delta", "echo"])
    }
}

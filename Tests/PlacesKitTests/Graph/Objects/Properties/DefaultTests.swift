import Dispatch
import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// The default of an attribute is made for each new object, however the object comes about.
@Suite struct DefaultTests {
    /// Numbers that are never the same.
    enum Serial {
        private static let last = Atomic<Int>(0)

        static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
    }

    struct Stamp: CodableAttribute, Hashable {
        var number = Serial.next()
    }

    class Ticket: ManagedObject {
        @Attribute(.unique) var id = UUID()
        @Attribute(.unique) var name: String?
        @Attribute var number = Serial.next()
        @Attribute(.indexed) var even: Int? = Serial.next() % 2 == 0 ? Serial.next() : nil
        @Attribute var text = "a default that is too long to be kept in the value itself"
        @Attribute var stamp = Stamp()
        @Attribute(.externalStorage) var seal = Data("\(Serial.next())".utf8)
    }

    final class Pass: Ticket {
        @Attribute var code = "\(Serial.next())"
    }

    final class Setting: ManagedObject {
        @Attribute var name = ""
    }

    final class Invoice: ManagedObject {
        @Attribute var currency = Currency.usual
    }

    enum Currency {
        /// Made once, for whoever asks first, by a thread that makes a store.
        static let usual: String = {
            let isMade = DispatchSemaphore(value: 0)
            DispatchQueue.global().async {
                _ = try? GraphStore(model: [Setting.self])
                isMade.signal()
            }
            return isMade.wait(timeout: .now() + 600) == .success ? "CHF" : ""
        }()
    }

    @Test func `a default may wait for another thread that makes a store`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Invoice.self]))
        #expect(Invoice(context: context).currency == "CHF")
    }

    private func context() throws -> ManagedObjectContext {
        ManagedObjectContext(try GraphStore(model: [Ticket.self, Pass.self]))
    }

    /// Checks that tickets share no value that is made anew, and are found by those that are indexed.
    private func checkAllDiffer(_ tickets: [Ticket], in context: ManagedObjectContext) throws {
        #expect(Set(tickets.map(\.id)).count == tickets.count)
        #expect(Set(tickets.map(\.number)).count == tickets.count)
        #expect(Set(tickets.map(\.stamp)).count == tickets.count)
        #expect(Set(tickets.map(\.seal)).count == tickets.count)
        #expect(Set(tickets.map(\.text)).count == 1)
        for ticket in tickets {
            #expect(try context.find(Ticket.self, \.id, ticket.id) === ticket)
            let even = ticket.even
            let same = try context.fetch(
                FetchRequest<Ticket>(predicate: #Predicate { $0.even == even }))
            #expect(same.contains(ticket))
        }
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `objects that are made one by one have values of their own`() throws {
        let context = try context()
        let tickets =
            try (0..<5).map { _ in Ticket(context: context) }
            + (0..<5).map { _ in try context.insert(Pass.self) }
        try checkAllDiffer(tickets, in: context)
        #expect(Set(tickets.compactMap { ($0 as? Pass)?.code }).count == 5)
    }

    @Test func `objects that are inserted in a batch have values of their own`() throws {
        let context = try context()
        _ = try context.insert(Pass.self, from: 0..<300) { pass, number in
            pass.name = "\(number)"
        }
        let passes = Array(try context.fetch(Pass.self))
        try checkAllDiffer(passes, in: context)
        #expect(Set(passes.map(\.code)).count == 300)
    }

    @Test func `objects that an upsert makes have values of their own, and keep them`() throws {
        let context = try context()
        func upsert(_ names: [String]) throws {
            try context.upsert(Ticket.self, by: \.name, from: names, key: \.self) { _, _ in }
            _ = try context.findOrInsert(Ticket.self, \.name, names[0])
        }
        try upsert(["a", "b", "c"])
        let first = Array(try context.fetch(Ticket.self))
        try checkAllDiffer(first, in: context)
        let (ids, numbers) = (first.map(\.id), first.map(\.number))
        try upsert(["b", "d", "a"])
        let all = Array(try context.fetch(Ticket.self))
        try checkAllDiffer(all, in: context)
        #expect(all.count == 4)
        #expect(Array(all.map(\.id).prefix(3)) == ids)
        #expect(Array(all.map(\.number).prefix(3)) == numbers)
    }

    @Test func `imported objects have values of their own where the file has none`() async throws {
        let context = try context()
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "tickets.csv")
            try Data("name,number\na,70\nb,71\nc,72\n".utf8).write(to: url)
            _ = try await context.store.importObjects(into: Ticket.self, from: url, as: .csv)
        }
        context.refreshAllObjects()
        let tickets = Array(try context.fetch(Ticket.self))
        #expect(tickets.map(\.number) == [70, 71, 72])
        try checkAllDiffer(tickets, in: context)
    }

    @Test func `what a row held that is used again is no default`() throws {
        let context = try context()
        for _ in 0..<3 {
            let tickets = (0..<200).map { _ in Ticket(context: context) }
            try checkAllDiffer(tickets, in: context)
            for ticket in tickets { context.delete(ticket) }
            try context.save()
        }
    }

    @Test func `a child context, undo, redo and merges keep the values`() throws {
        let context = try context()
        context.isUndoEnabled = true
        let child = ManagedObjectContext(parent: context)
        let ticket = Ticket(context: child)
        let (id, number, stamp) = (ticket.id, ticket.number, ticket.stamp)
        try child.save()
        try context.save()
        func check(_ context: ManagedObjectContext) throws {
            let found = try #require(try context.find(Ticket.self, \.id, id))
            #expect(found.number == number)
            #expect(found.stamp == stamp)
        }
        try check(context)
        context.undo()
        #expect(try context.count(Ticket.self) == 0)
        context.redo()
        try check(context)
        try context.save()
        try check(ManagedObjectContext(context.store))
    }

    @Test func `a document keeps the values`() async throws {
        try await withTemporaryDirectory { url in
            let types = [Ticket.self, Pass.self]
            let document = try await ManagedDocument.open(at: url, model: types)
            for _ in 0..<3 { _ = Pass(context: document.viewContext) }
            try document.viewContext.save()
            let before = Array(try document.viewContext.fetch(Pass.self))
            let (ids, codes, seals) = (before.map(\.id), before.map(\.code), before.map(\.seal))
            try await document.close()
            for _ in 0..<2 {
                let again = try await ManagedDocument.open(at: url, model: types)
                let passes = Array(try again.viewContext.fetch(Pass.self))
                #expect(passes.map(\.id) == ids)
                #expect(passes.map(\.code) == codes)
                #expect(passes.map(\.seal) == seals)
                try await again.close()
            }
        }
    }

    enum Old {
        final class Card: ManagedObject {
            @Attribute var name = ""
            @Attribute var rank: Int?
        }
    }
    enum New {
        final class Card: ManagedObject {
            @Attribute var name = ""
            @Attribute var rank = Serial.next()
            @Attribute(.unique) var id = UUID()
        }
    }

    @Test func `objects of an earlier model have values of their own`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, [Old.Card.self]) { context in
                for number in 0..<4 { Old.Card(context: context).rank = number == 0 ? 7 : nil }
            }
            var known: [UUID] = []
            try await MigrationWorld.migrate(url, to: [New.Card.self]) { context in
                let cards = Array(try context.fetch(New.Card.self))
                #expect(Set(cards.map(\.id)).count == 4)
                #expect(cards.first?.rank == 7)
                #expect(Set(cards.map(\.rank)).count == 4)
                if !known.isEmpty { #expect(cards.map(\.id) == known) }
                known = cards.map(\.id)
            }
        }
    }

    final class Coin: ManagedObject {
        @Attribute var isHead = Bool.random()
        @Attribute var flips = 0
    }

    @Test func `a default is not taken for a constant because it came twice`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Coin.self]))
        try context.insert(Coin.self, from: 0..<200) { _, _ in }
        // All alike would come once in 2¹⁹⁹ times.
        #expect(Set(try context.fetch(Coin.self).map(\.isHead)).count == 2)
    }

    /// A class of one test, which counts how often its default is made.
    final class Lone: ManagedObject {
        static let count = Atomic<Int>(0)

        @Attribute var number = count.add(1, ordering: .relaxed).newValue
    }

    @Test func `a handle of an object that is there makes no default`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Lone.self]))
        let lone = Lone(context: context)
        try context.save()
        let made = Lone.count.load(ordering: .relaxed)
        let other = ManagedObjectContext(context.store)
        #expect(try other.fetch(Lone.self).first?.number == lone.number)
        #expect(Lone.count.load(ordering: .relaxed) == made)
    }
}

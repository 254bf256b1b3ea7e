import Foundation
import PlacesKit
import Testing

/// Consumers who are slower than what they are told of lose nothing, and keep no more than what differs.
@Suite struct SlowConsumerTests {
    private let store: GraphStore
    private let context: ManagedObjectContext

    init() throws {
        store = try TownModel.store()
        context = ManagedObjectContext(store)
    }

    private func save(_ count: Int) throws {
        for _ in 0..<count {
            _ = Town(context: context)
            try context.save()
        }
    }

    // MARK: - Commits

    @Test func `commits for which there is no room are told as one, which says what was missed`()
        async throws
    {
        var commits = store.commits(waiting: 4).makeAsyncIterator()
        try save(4)
        for number in 1...4 {
            let commit = try #require(await commits.next())
            #expect(commit.number == number && commit.missed == nil)
            #expect(commit.objects.inserted.count == 1)
        }
        try save(7)
        // The fifth that waited made one of five, behind which two wait.
        let joined = try #require(await commits.next())
        #expect(joined.number == 9 && joined.missed == 5..<9)
        #expect(joined.objects.inserted.count == 5)
        for number in 10...11 {
            let commit = try #require(await commits.next())
            #expect(commit.number == number && commit.missed == nil)
        }
    }

    @Test func `what was missed grows while nobody takes anything`() async throws {
        var commits = store.commits(waiting: 2).makeAsyncIterator()
        let town = Town(context: context)
        try context.save()
        try save(20)
        context.delete(town)
        try context.save()
        try save(2)
        let commit = try #require(await commits.next())
        #expect(commit.missed?.lowerBound == 1)
        // What came and went is not told.
        var towns = Set(commit.objects.inserted)
        for _ in commit.number..<store.commitNumber {
            towns.formUnion(try #require(await commits.next()).objects.inserted)
        }
        #expect(towns == Set(try context.identifiers(of: FetchRequest<Town>())))
    }

    @Test func `a commit of many objects counts as several, and waits in any case`() async throws {
        var commits = store.commits(waiting: 4).makeAsyncIterator()
        for _ in 0..<1000 { _ = Town(context: context) }
        try context.save()
        #expect(await commits.next()?.missed == nil)
        for _ in 0..<300 { _ = Town(context: context) }
        try context.save()
        try save(1)
        #expect(await commits.next()?.missed == 2..<3)
    }

    @Test func `the default has room for a few hundred commits`() async throws {
        var commits = store.commits.makeAsyncIterator()
        try save(256)
        for _ in 0..<256 { #expect(await commits.next()?.missed == nil) }
        try save(257)
        #expect(await commits.next()?.missed == 257..<513)
    }

    @Test func `a replica follows at any pace`() async throws {
        let seed = UInt64.random(in: 0 ... .max)
        var generator = SeededGenerator(seed: seed)
        var commits = store.commits(waiting: 3).makeAsyncIterator()
        var (towns, names): (Set<ObjectID>, [ObjectID: String]) = ([], [:])
        var last = 0
        store.historyLimit = 200
        for _ in 0..<200 {
            let all = Array(try context.fetch(Town.self))
            switch Int.random(in: 0..<4, using: &generator) {
            case 0: all.randomElement(using: &generator).map(context.delete)
            case 1:
                all.randomElement(using: &generator)?.name =
                    "\(Int.random(in: 0..<3, using: &generator))"
            default: _ = Town(context: context)
            }
            try context.save()
            guard Int.random(in: 0..<5, using: &generator) == 0 else { continue }
            while last < store.commitNumber {
                let commit = try #require(await commits.next())
                #expect(commit.missed?.lowerBound ?? commit.number == last + 1, "seed \(seed)")
                last = commit.number
                towns.subtract(commit.objects.deleted)
                towns.formUnion(commit.objects.inserted)
                for id in commit.objects.deleted { names[id] = nil }
                let after = try store.snapshot(at: commit.number).context()
                for id in commit.objects.inserted + commit.objects.updated.keys {
                    names[id] = (after.object(with: id) as? Town)?.name
                }
            }
            let now = try context.fetch(Town.self).map { ($0.objectID, $0.name) }
            #expect(towns == Set(now.map(\.0)), "seed \(seed)")
            #expect(names == Dictionary(uniqueKeysWithValues: now), "seed \(seed)")
        }
    }

    @Test func `a consumer is told until the end of the store`() async throws {
        var store: GraphStore? = try TownModel.store()
        let rest = try #require(store?.commits(waiting: 1))
        if let store {
            let context = ManagedObjectContext(store)
            for _ in 0..<3 {
                _ = Town(context: context)
                try context.save()
            }
        }
        store = nil
        var numbers: [Int] = []
        for await commit in rest { numbers.append(commit.number) }
        #expect(numbers == [2, 3])
    }

    // MARK: - Contexts

    @Test func `what came to nothing while a consumer was busy is not told`() async throws {
        var changes = context.changes(waiting: 1).makeAsyncIterator()
        let town = Town(context: context)
        context.processPendingChanges()
        context.delete(town)
        context.processPendingChanges()
        let other = Town(context: context)
        context.processPendingChanges()
        let change = try #require(await changes.next())
        #expect(change.objects.inserted == [other.objectID])
        #expect(change.objects.deleted.isEmpty)
    }

    @Test func `merges alone stay a merge`() async throws {
        var changes = context.changes(waiting: 1).makeAsyncIterator()
        let other = ManagedObjectContext(store)
        for _ in 0..<3 {
            _ = Town(context: other)
            try other.save(shownTo: context)
        }
        var (count, kinds): (Int, [ContextChange.Kind]) = (0, [])
        while count < 3, let change = await changes.next() {
            kinds.append(change.kind)
            count += change.objects.inserted.count
        }
        #expect(kinds.allSatisfy { $0 == .didMerge })
        #expect(count == 3)
    }
}

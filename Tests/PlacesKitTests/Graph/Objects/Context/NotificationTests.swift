import PlacesKit
import Testing

@Suite struct NotificationTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    /// What was told, as text.
    private final class Log {
        var lines: [String] = []

        func note(_ change: ContextChange) { lines.append("\(change.kind) \(change.objects.text)") }

        func take() -> [String] {
            defer { lines = [] }
            return lines
        }
    }

    @Test func `each batch is told once, with what it inserted, updated and deleted`() throws {
        let log = Log()
        let subscription = context.onChange(log.note)
        let town = Town(context: context)
        town.name = "Ulm"
        context.processPendingChanges()
        context.processPendingChanges()
        #expect(log.take() == ["didChange +Town/0"])
        town.name = "Bonn"
        town.land = context.land("A")
        context.processPendingChanges()
        #expect(log.take() == ["didChange +Land/0 ~Town/0.land,name"])
        context.delete(town)
        context.processPendingChanges()
        #expect(log.take() == ["didChange -Town/0 ~Land/0.towns"])
        subscription.cancel()
        _ = Town(context: context)
        context.processPendingChanges()
        #expect(log.take() == [])
    }

    @Test func `a save is told with all that it saved`() throws {
        let log = Log()
        let subscription = context.onChange(log.note)
        let town = Town(context: context)
        context.processPendingChanges()
        _ = context.land("A")
        try context.save()
        #expect(
            log.take() == ["didChange +Town/0", "didChange +Land/0", "didSave +Land/0 +Town/0"])
        town.name = "Ulm"
        context.rollback()
        #expect(log.take() == [])
        town.name = "Ulm"
        context.processPendingChanges()
        context.rollback()
        #expect(log.take() == ["didChange ~Town/0.name", "didChange ~Town/0.name"])
        try context.save()
        #expect(log.take() == [])
        withExtendedLifetime(subscription) {}
    }

    @Test func `what others saved is told as merged`() throws {
        let town = Town(context: context)
        try context.save()
        let log = Log()
        let subscription = context.onChange(log.note)
        let other = ManagedObjectContext(context.store)
        try other.twin(of: town).name = "Ulm"
        try other.save(shownTo: context)
        #expect(log.take() == ["didMerge ~Town/0.name"])
        try other.twin(of: town).name = "Bonn"
        try other.save()
        _ = context.land("A")
        try context.save()
        #expect(
            log.take() == ["didChange +Land/0", "didMerge ~Town/0.name", "didSave +Land/0"])
        withExtendedLifetime(subscription) {}
    }

    @Test(arguments: [1, 3, 500])
    func `a context that is some commits behind is told of what is different, once`(
        commits: Int
    ) throws {
        let land = context.land("A")
        try context.save()
        let other = ManagedObjectContext(context.store)
        var told: [ObjectChanges] = []
        let subscription = context.onChange { told.append($0.objects) }
        defer { subscription.cancel() }
        for number in 1...commits {
            try other.twin(of: land).number = number
            let town = Town(context: other)
            town.name = "Town \(number)"
            try other.save()
        }
        context.refreshAllObjects()
        let changes = try #require(told.first)
        #expect(told.count == 1)
        #expect(changes.inserted.count == commits)
        #expect(Array(changes.updated.keys) == [land.objectID])
        #expect(land.number == commits)
    }

    @Test func `a subscription that nobody keeps ends`() {
        let log = Log()
        _ = context.onChange(log.note)
        _ = Town(context: context)
        context.processPendingChanges()
        #expect(log.take() == [])
    }

    @Test func `a subscription ends with the others that its closure alone kept`() {
        let log = Log()
        var inner: ChangeSubscription? = context.onChange(log.note)
        let outer = context.onChange { [inner] _ in withExtendedLifetime(inner) {} }
        inner = nil
        _ = Town(context: context)
        context.processPendingChanges()
        #expect(log.take() == ["didChange +Town/0"])
        outer.cancel()
        _ = Town(context: context)
        context.processPendingChanges()
        #expect(log.take() == [])
    }

    @Test func `a sequence tells all changes in order and ends with its context`() async throws {
        var context: ManagedObjectContext? = try TownModel.context()
        let changes = try #require(context?.changes)
        for number in 0..<3 {
            _ = context.map(Town.init(context:))
            if number == 1 { try context?.save() } else { context?.processPendingChanges() }
        }
        context = nil
        var lines: [String] = []
        for await change in changes { lines.append("\(change.kind) \(change.objects.text)") }
        #expect(
            lines == [
                "didChange +Town/0", "didChange +Town/1", "didSave +Town/0 +Town/1",
                "didChange +Town/2",
            ])
    }

    @Test @MainActor func `the changes of a turn are told when it ends`() async throws {
        let context = ManagedObjectContext(try TownModel.store())
        _ = Town(context: context)
        var changes = context.changes.makeAsyncIterator()
        _ = Town(context: context)
        #expect(await changes.next()?.objects.text == "+Town/0 +Town/1")
        for number in 2..<5 {
            let land = context.land("\(number)")
            land.number = number
            #expect(await changes.next()?.objects.text == "+Land/\(number - 2)")
        }
        try context.fetch(Land.self).first?.number = 7
        context.processPendingChanges()
        #expect(await changes.next()?.objects.text == "~Land/0.number")
    }

    @Test @MainActor func `waiting for the ends of turns keeps no context`() async throws {
        weak var weakContext: ManagedObjectContext?
        do {
            let context = ManagedObjectContext(try TownModel.store())
            weakContext = context
            let subscription = context.onChange { _ in }
            _ = Town(context: context)
            subscription.cancel()
        }
        await Task.yield()
        #expect(weakContext == nil)
    }

    // MARK: - Commits

    @Test func `every consumer gets every commit in order, whoever saves`() async throws {
        var store: GraphStore? = try TownModel.store()
        let streams = try #require(store.map { [$0.commits, $0.commits] })
        let saved = try await withThrowingTaskGroup(of: Int.self) { [store] group in
            for _ in 0..<4 {
                group.addTask {
                    guard let store else { return 0 }
                    let context = ManagedObjectContext(store)
                    for _ in 0..<25 {
                        _ = Town(context: context)
                        try context.save()
                    }
                    return 25
                }
            }
            return try await group.reduce(0, +)
        }
        #expect(store?.commitNumber == saved)
        store = nil
        for stream in streams {
            var numbers: [Int] = []
            var towns: Set<ObjectID> = []
            for await commit in stream {
                numbers.append(commit.number)
                #expect(commit.objects.inserted.count == 1)
                towns.formUnion(commit.objects.inserted)
            }
            #expect(numbers == Array(1...100) && towns.count == 100)
        }
    }

    @Test func `a commit tells what it changed, after later ones too`() async throws {
        var commits = context.store.commits.makeAsyncIterator()
        let town = Town(context: context)
        try context.save()
        town.name = "Ulm"
        try context.save()
        context.delete(town)
        try context.save()
        var lines: [String] = []
        for _ in 0..<3 {
            if let commit = await commits.next() {
                lines.append("\(commit.number) \(commit.objects.text)")
            }
        }
        #expect(lines == ["1 +Town/0", "2 ~Town/0.name", "3 -Town/0"])
    }

    @Test func `a commit tells its date and its author`() async throws {
        let store = context.store
        var commits = store.commits.makeAsyncIterator()
        for author in ["import", nil] {
            context.transactionAuthor = author
            _ = Town(context: context)
            try context.save()
            let commit = try #require(await commits.next()).commit
            #expect(commit == store.history.last)
            #expect(commit.author == author)
        }
    }
}

extension ObjectChanges {
    /// What was inserted, deleted and updated, in short.
    var text: String {
        let inserted = inserted.map { "+\($0)" }.sorted()
        let deleted = deleted.map { "-\($0)" }.sorted()
        let updated = updated.map { "~\($0).\($1.sorted().joined(separator: ","))" }.sorted()
        return (inserted + deleted + updated).joined(separator: " ")
    }
}

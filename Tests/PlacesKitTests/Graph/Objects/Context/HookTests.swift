import PlacesKit
import Testing

/// A class whose hooks do what a test wants.
final class Diary: ManagedObject {
    @Attribute var title = "Untitled"
    @Attribute var stamp = 0
    @Attribute(.unique) var key: String?
    @Relationship(deleteRule: .cascade, inverse: \Page.diary) var pages: ObjectSet<Page>

    override func awakeFromInsert() { Ear.heard(self, "insert \(title) \(key ?? "-")") }
    override func awakeFromFetch() { Ear.heard(self, "fetch \(title)") }
    override func willSave() { Ear.heard(self, "will \(title)") }
    override func didSave() { Ear.heard(self, "did \(title)") }
    override func prepareForDeletion() { Ear.heard(self, "delete \(title) \(pages.count)") }
}

final class Page: ManagedObject {
    @Attribute var number = 0
    @Relationship var diary: Diary?
    @Relationship var next: Page?
    /// Something of a handle's own.
    private(set) var depth = -1

    override func awakeFromInsert() { Ear.heard(self, "insert") }
    override func awakeFromFetch() {
        depth = number
        Ear.heard(self, "fetch \(number)")
    }
    override func prepareForDeletion() {
        Ear.heard(self, "delete \(number) of \(diary?.title ?? "none")")
    }
}

/// What the hooks of a test's task tell.
final class Ear {
    @TaskLocal static var current: UnsafeEar?
    var heard: [String] = []
    /// What a hook does besides.
    var reaction: (ManagedObject, String) -> Void = { _, _ in }

    /// Only the task that made it uses it.
    struct UnsafeEar: @unchecked Sendable { let ear: Ear }

    static func heard(_ object: ManagedObject, _ text: String) {
        guard let ear = current?.ear else { return }
        ear.heard.append(text)
        ear.reaction(object, text)
    }

    /// What was heard since the last call.
    func take() -> [String] {
        defer { heard = [] }
        return heard
    }
}

@Suite struct HookTests {
    let context: ManagedObjectContext
    let ear = Ear()

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Diary.self, Page.self]))
    }

    private func listening(_ body: () throws -> Void) rethrows {
        try Ear.$current.withValue(Ear.UnsafeEar(ear: ear), operation: body)
    }

    // MARK: - Saving

    @Test func `objects that a hook changes after a merge inside it are asked too`() throws {
        let (first, second) = (Diary(context: context), Diary(context: context))
        (first.title, second.title) = ("A", "B")
        try context.save()
        let other = ManagedObjectContext(context.store)
        Diary(context: other).title = "C"
        try other.save()
        try listening {
            ear.reaction = { [context] _, text in
                guard text == "will A" else { return }
                context.refreshAllObjects()
                second.stamp += 1
            }
            first.stamp = 1
            try context.save()
            #expect(ear.take().filter { $0.hasPrefix("will") } == ["will A", "will B"])
            ear.reaction = { _, _ in }
        }
        #expect(try other.count(Diary.self, where: "stamp == 1") == 0)
        other.refreshAllObjects()
        #expect(try other.count(Diary.self, where: "stamp == 1") == 2)
    }

    // MARK: - Awaking

    @Test func `an insertion awakes its object once, with its defaults`() throws {
        try listening {
            let diary = Diary(context: context)
            #expect(ear.take() == ["insert Untitled -"])
            let found = try context.findOrInsert(Diary.self, \.key, "a")
            #expect(ear.take() == ["insert Untitled a"])
            #expect(try context.findOrInsert(Diary.self, \.key, "a") === found)
            #expect(try context.insert(Diary.self) !== diary)
            #expect(ear.take() == ["insert Untitled -"])
        }
    }

    @Test func `an object of another context awakes when it is fetched there`() throws {
        let diary = Diary(context: context)
        diary.title = "Mine"
        try context.save()
        try listening {
            let other = ManagedObjectContext(context.store)
            let twin = try other.twin(of: diary)
            #expect(ear.take() == ["fetch Mine"])
            #expect(try other.fetch(Diary.self).first === twin)
            #expect(ear.take() == [])
        }
    }

    @Test func `every handle of a walk awakes, and sets up what is its own`() throws {
        for number in 0..<5 { Page(context: context).number = number }
        listening {
            #expect(context.allPages.map(\.depth) == [0, 1, 2, 3, 4])
            #expect(ear.take() == (0..<5).map { "fetch \($0)" })
        }
        for number in 0..<3 { Diary(context: context).title = "\(number)" }
        try listening {
            for diary in try context.fetch(Diary.self) { #expect(!diary.title.isEmpty) }
            #expect(ear.take() == ["fetch 0", "fetch 1", "fetch 2"])
        }
    }

    @Test func `objects that awake each other do not exhaust the stack`() throws {
        try context.insert(Page.self, from: 0..<20_000) { $0.number = $1 }
        let pages = context.allPages
        for (page, next) in zip(pages, pages.dropFirst()) { page.next = next }
        pages.last?.next = pages[9]
        try context.save()
        ear.reaction = { page, _ in _ = (page as? Page)?.next }
        try listening {
            let other = ManagedObjectContext(context.store)
            let first = try other.twin(of: pages[0])
            // Those whose handles went meanwhile awake once more.
            #expect((20_000..<21_000).contains(ear.heard.count), "\(ear.heard.count)")
            #expect(first.depth == 0)
        }
    }

    @Test func `an insertion that leads to another without end is an error at the save`() throws {
        ear.reaction = { object, text in
            if text.hasPrefix("insert") { _ = object.context.map(Page.init(context:)) }
        }
        listening {
            let page = Page(context: context)
            #expect(!page.isDeleted && ear.heard.count == 100)
        }
        let error = ContextError.thrown(by: context.save)
        guard case .endlessHook("awakeFromInsert", _) = error else { throw Unexpected(error) }
        context.rollback()
        try context.save()
    }

    // MARK: - Saving

    @Test func `each inserted and changed object hears once before and after its save`() throws {
        let (first, second) = (Diary(context: context), Diary(context: context))
        (first.title, second.title) = ("A", "B")
        try listening {
            try context.save()
            #expect(ear.take() == ["will A", "will B", "did A", "did B"])
            try context.save()
            #expect(ear.take() == [])
            second.title = "C"
            context.delete(first)
            #expect(ear.take() == ["delete A 0"])
            try context.save()
            #expect(ear.take() == ["will C", "did C"])
        }
    }

    @Test func `what an object changes before its save is part of the save`() throws {
        let diary = Diary(context: context)
        ear.reaction = { object, text in
            if text.hasPrefix("will"), let diary = object as? Diary { diary.stamp += 1 }
        }
        try listening { try context.save() }
        #expect(diary.stamp == 1 && !context.hasChanges)
        #expect(try ManagedObjectContext(context.store).twin(of: diary).stamp == 1)
    }

    @Test func `objects that are changed or inserted before a save hear of it too`() throws {
        let (first, second) = (Diary(context: context), Diary(context: context))
        (first.title, second.title) = ("A", "B")
        try context.save()
        ear.reaction = { [context] object, text in
            guard text == "will A" else { return }
            second.title = "C"
            Diary(context: context).title = "D"
            context.processPendingChanges()
        }
        first.stamp = 1
        var batches = 0
        let subscription = context.onChange { change in
            if change.kind == .didChange { batches += 1 }
        }
        try listening {
            try context.save()
            #expect(
                ear.take().filter { !$0.hasPrefix("fetch") } == [
                    "will A", "insert Untitled -", "will D", "will C", "did D", "did A", "did C",
                ])
        }
        #expect(batches == 1 && !context.hasChanges)
        subscription.cancel()
        #expect(context.store.snapshot().brokenInvariants == [])
    }

    @Test func `objects that insert others before each save without end are an error`() throws {
        ear.reaction = { [context] _, text in
            if text.hasPrefix("will") { _ = Diary(context: context) }
        }
        _ = Diary(context: context)
        try listening {
            guard case .endlessHook("willSave", _) = ContextError.thrown(by: context.save)
            else { throw Unexpected("saved") }
        }
        #expect(context.hasChanges && context.store.commitNumber == 0)
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    @Test func `what an object changes after its save waits for the next one`() throws {
        let diary = Diary(context: context)
        ear.reaction = { _, text in if text.hasPrefix("did") { diary.stamp += 1 } }
        try listening { try context.save() }
        #expect(diary.isUpdated && diary.stamp == 1)
        #expect(try ManagedObjectContext(context.store).twin(of: diary).stamp == 0)
    }

    @Test func `a save inside a save is an error`() throws {
        var errors: [ContextError?] = []
        ear.reaction = { [context] _, text in
            guard text.hasPrefix("will") || text.hasPrefix("did") else { return }
            errors.append(ContextError.thrown(by: context.save))
        }
        _ = Diary(context: context)
        try listening { try context.save() }
        #expect(errors == [.saveInsideHook, .saveInsideHook])
        #expect(context.store.commitNumber == 1)
    }

    @Test func `a rollback before a save leaves nothing to save`() throws {
        var heard: [String] = []
        let subscription = context.onChange { heard.append("+\($0.objects.inserted.count)") }
        ear.reaction = { [context] _, text in if text.hasPrefix("will") { context.rollback() } }
        for _ in 0..<3 { _ = Diary(context: context) }
        try listening { try context.save() }
        #expect(context.store.commitNumber == 0 && !context.hasChanges)
        #expect(ear.heard.filter { $0.hasPrefix("will") }.count == 1)
        #expect(heard == [])
        subscription.cancel()
        #expect(context.brokenInvariants == [])
    }

    // MARK: - Deleting

    @Test func `whatever a delete takes along hears of it while its links are there`() throws {
        let diary = Diary(context: context)
        diary.title = "A"
        for number in 0..<3 {
            let page = Page(context: context)
            page.number = number
            page.diary = diary
        }
        listening {
            context.delete(diary)
            #expect(
                Set(ear.take().filter { !$0.hasPrefix("fetch") })
                    == ["delete A 3", "delete 0 of A", "delete 1 of A", "delete 2 of A"])
            context.delete(diary)
            #expect(ear.take() == [])
        }
    }

    @Test func `what is deleted or linked while a delete is prepared goes with it`() throws {
        let (diary, other) = (Diary(context: context), Diary(context: context))
        let late = Page(context: context)
        late.number = 7
        let page = Page(context: context)
        page.diary = diary
        ear.reaction = { [context] object, _ in
            context.delete(object)
            context.delete(other)
            if object === page { late.diary = diary }
        }
        listening { context.delete(diary) }
        #expect(diary.isDeleted && other.isDeleted && page.isDeleted && late.isDeleted)
        #expect(ear.heard.contains("delete 7 of Untitled"))
        #expect(!context.hasChanges && context.brokenInvariants == [])
    }

    @Test func `a delete that is rolled back while it is prepared deletes nothing`() throws {
        let diary = Diary(context: context)
        try context.save()
        diary.stamp = 3
        ear.reaction = { [context] _, _ in context.rollback() }
        listening { context.delete(diary) }
        #expect(diary.stamp == 0)
        #expect(context.brokenInvariants == [])
    }

    @Test func `a delete that waits for a hook spares the object that has the row by then`() throws
    {
        context.keptObjectLimit = 0
        let diary = Diary(context: context)
        for number in 0..<100 { Page(context: context).number = number }
        try context.save()
        let other = ManagedObjectContext(context.store)
        other.keptObjectLimit = 0
        /// Lets others delete the pages, whose rows become those of others when nobody means the pages any more.
        let replacePages: () throws -> Void = { [context] in
            for page in context.allPages { context.delete(page) }
            try other.deleteAll(Page.self)
            for _ in 0..<3 {
                Diary(context: other).title = "Other"
                try other.save()
                context.refreshAllObjects()
            }
            for number in 100..<200 { Page(context: other).number = number }
            try other.save()
            context.refreshAllObjects()
        }
        ear.reaction = { object, text in
            guard text.hasPrefix("delete"), object === diary else { return }
            #expect(throws: Never.self) { try replacePages() }
        }
        listening { context.delete(diary) }
        #expect(diary.isDeleted)
        #expect(context.allPages.map(\.number).sorted() == Array(100..<200))
        #expect(context.brokenInvariants == [])
    }
}

extension ManagedObjectContext {
    fileprivate var allPages: [Page] { (try? Array(fetch(Page.self))) ?? [] }
}

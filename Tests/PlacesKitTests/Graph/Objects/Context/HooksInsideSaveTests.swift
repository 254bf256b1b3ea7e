import Foundation
import PlacesGraphTesting
import PlacesKit
import Testing

/// An object that is asked by each save that changes it.
final class Ledger: ManagedObject {
    @Attribute var text = ""

    override func awakeFromFetch() { Ear.heard(self, "fetch") }
    override func validate() { Ear.heard(self, "validate") }
}

/// A save makes handles of what it checks: objects that awake by it, or are asked, may try anything.
@Suite struct HooksInsideSaveTests {
    let store: GraphStore
    let context: ManagedObjectContext
    let ear = Ear()

    init() throws {
        store = try GraphStore(model: [Ledger.self, Page.self, Diary.self])
        context = ManagedObjectContext(store)
    }

    private func listening(_ body: () throws -> Void) rethrows {
        try Ear.$current.withValue(Ear.UnsafeEar(ear: ear), operation: body)
    }

    /// Saves, while the first object that awakes after so many others do something.
    private func save(when number: Int, awake act: @escaping (Ledger) -> Void) throws {
        var count = 0
        ear.reaction = { object, text in
            guard text == "fetch", let ledger = object as? Ledger else { return }
            count += 1
            if count == number { act(ledger) }
        }
        try listening { try context.save() }
        #expect(count >= number, "too few awoke for the test to say anything")
        ear.reaction = { _, _ in }
    }

    private func texts() throws -> [String] {
        try ManagedObjectContext(store).fetch(Ledger.self).map(\.text).sorted()
    }

    @Test func `an object that awakes while it is checked cannot save`() throws {
        Ledger(context: context).text = "a"
        var error: ContextError?
        try save(when: 2) { [context] ledger in
            ledger.text = "b"
            error = ContextError.thrown(by: context.save)
        }
        #expect(error == .saveInsideHook)
        #expect(try texts() == ["a"] && context.hasChanges)
        try context.save()
        #expect(try texts() == ["b"])
    }

    @Test func `an object that awakes while it is checked does not hide what others saved`() throws
    {
        let other = ManagedObjectContext(store)
        Ledger(context: context).text = "mine"
        try save(when: 2) { [context] _ in
            Ledger(context: other).text = "theirs"
            #expect(ContextError.thrown(by: other.save) == nil)
            context.refreshAllObjects()
        }
        #expect(try texts() == ["mine", "theirs"] && store.commitNumber == 2)
        #expect(ContextError.thrown(by: context.save) == .saveInsideHook)
        try store.snapshot().checkIntegrity()
    }

    @Test func `a list that is made while a merge is checked shows every object once`() throws {
        let other = ManagedObjectContext(store)
        let theirs = Ledger(context: other)
        theirs.text = "theirs"
        try other.save()
        Ledger(context: context).text = "mine"
        var list: FetchedResultsController<Ledger>?
        try save(when: 2) { [context] _ in
            list = try? FetchedResultsController(
                FetchRequest(sortBy: [SortDescriptor(\.text)]), in: context)
        }
        #expect(list?.objects.map(\.text) == ["mine", "theirs"])
        context.delete(try context.existingObject(with: theirs.objectID))
        try context.save()
        #expect(list?.objects.map(\.text) == ["mine"])
    }

    @Test func `an object that awakes while it is checked takes nothing back`() throws {
        for number in 0..<100 { Ledger(context: context).text = "\(number)" }
        try save(when: 150) { $0.context?.rollback() }
        #expect(try texts().count == 100)
        context.rollback()
        for _ in 0..<4 {
            let other = ManagedObjectContext(store)
            for _ in 0..<31 { Ledger(context: other).text = "more" }
            try other.save(shownTo: context)
        }
        #expect(try texts().count { $0 != "more" } == 100)
        try store.snapshot().checkIntegrity()
    }

    @Test(arguments: [true, false])
    func `what an object changes while a merge is checked is not lost, refused or overtaken`(
        isRefused: Bool
    ) throws {
        let other = ManagedObjectContext(store)
        Diary(context: other).key = "k"
        try other.save()
        if isRefused { Diary(context: context).key = "k" }
        let ledger = Ledger(context: context)
        ledger.text = "a"
        var count = 0
        ear.reaction = { [store] _, text in
            guard text == "validate" else { return }
            count += 1
            guard count == 1 else { return }
            ledger.text = "b"
            guard !isRefused else { return }
            let own = ManagedObjectContext(store)
            _ = Page(context: own)
            #expect(ContextError.thrown(by: own.save) == nil)
        }
        var failures: [ValidationFailure] = []
        listening { failures = context.failures() }
        ear.reaction = { _, _ in }
        #expect(failures.isEmpty != isRefused)
        #expect(isRefused || count == 2)
        #expect(ledger.text == "b" && context.hasChanges)
        #expect(try texts() == (isRefused ? [] : ["a"]))
        #expect(context.brokenInvariants == [])
        guard !isRefused else { return }
        try context.save()
        #expect(try texts() == ["b"])
    }

    @Test func `a save ends though each check commits something else`() throws {
        let ledger = Ledger(context: context)
        ear.reaction = { [store] _, text in
            guard text == "validate" else { return }
            let own = ManagedObjectContext(store)
            _ = Page(context: own)
            #expect(ContextError.thrown(by: own.save) == nil)
        }
        var error: ContextError?
        listening { error = ContextError.thrown(by: context.save) }
        #expect(error == .endlessHook("validate", ledger.objectID))
        ear.reaction = { _, _ in }
        try listening { try context.save() }
        #expect(try texts() == [""])
    }
}

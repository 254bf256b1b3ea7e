import PlacesKit
import Testing

@Suite struct ChangeTrackingTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    @Test func `a new context has no changes, and saves nothing`() throws {
        #expect(!context.hasChanges)
        try context.save()
        #expect(context.store.commitNumber == 0)
    }

    @Test func `an insert is an inserted object with its defaults until the save`() throws {
        let town = Town(context: context)
        #expect(town.name == "Nameless" && town.context === context && !town.isDeleted)
        town.name = "Ulm"
        #expect(context.insertedObjects == [town] && context.updatedObjects.isEmpty)
        context.processPendingChanges()
        town.name = "Neu-Ulm"
        #expect(context.insertedObjects == [town] && context.updatedObjects.isEmpty)
        try context.save()
        #expect(context.insertedObjects.isEmpty && !context.hasChanges)
    }

    @Test func `a change of a saved object is an update until the save`() throws {
        let town = Town(context: context)
        try context.save()
        town.name = "Ulm"
        #expect(context.updatedObjects == [town] && context.insertedObjects.isEmpty)
        try context.save()
        #expect(context.updatedObjects.isEmpty)
    }

    @Test func `a change that is taken back is no change`() throws {
        let town = Town(context: context)
        let land = context.land("A")
        try context.save()
        town.name = "Ulm"
        town.name = "Nameless"
        #expect(!context.hasChanges)
        town.land = land
        town.land = nil
        #expect(!context.hasChanges)
        #expect(context.updatedObjects.isEmpty)
        try context.save()
        #expect(context.store.commitNumber == 1)
    }

    @Test func `a change that is taken back in a later batch is no change`() throws {
        let town = Town(context: context)
        try context.save()
        town.name = "Ulm"
        context.processPendingChanges()
        #expect(context.updatedObjects == [town])
        town.name = "Nameless"
        #expect(context.updatedObjects.isEmpty)
        #expect(!context.hasChanges)
        try context.save()
        #expect(context.store.commitNumber == 1)
    }

    @Test func `linking two objects updates both`() throws {
        let town = Town(context: context)
        let land = context.land("A")
        try context.save()
        town.land = land
        #expect(context.updatedObjects == [town, land])
    }

    // MARK: - Listeners

    /// What a listener heard, as text.
    private final class Ear {
        var heard: [String] = []

        func listen(_ change: ContextChange) {
            if change.kind != .didSave { heard.append(change.objects.text) }
        }
    }

    @Test func `a batch is told once, and nothing is told of nothing`() {
        let ear = Ear()
        let subscription = context.onChange(ear.listen)
        context.processPendingChanges()
        let town = Town(context: context)
        context.processPendingChanges()
        context.processPendingChanges()
        town.name = "Ulm"
        context.processPendingChanges()
        context.delete(town)
        context.processPendingChanges()
        #expect(ear.heard == ["+Town/0", "~Town/0.name", "-Town/0"])
        subscription.cancel()
    }

    @Test func `who looks at what changed tells nobody`() throws {
        let ear = Ear()
        let subscription = context.onChange(ear.listen)
        let town = Town(context: context)
        #expect(context.insertedObjects == [town])
        town.name = "Ulm"
        #expect(context.insertedObjects == [town] && ear.heard.isEmpty)
        context.processPendingChanges()
        context.delete(town)
        #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
        try context.validate()
        #expect(ear.heard == ["+Town/0"])
        context.processPendingChanges()
        #expect(ear.heard == ["+Town/0", "-Town/0"])
        subscription.cancel()
    }

    @Test func `a listener that is removed hears no more`() {
        let ear = Ear()
        context.onChange(ear.listen).cancel()
        _ = Town(context: context)
        context.processPendingChanges()
        #expect(ear.heard.isEmpty)
    }

    @Test func `a rollback is told against what was told before`() throws {
        let town = Town(context: context)
        try context.save()
        let ear = Ear()
        let subscription = context.onChange(ear.listen)
        // Told: an update and an insert. Never told: a delete and another insert.
        town.name = "Ulm"
        _ = Town(context: context)
        context.processPendingChanges()
        context.delete(town)
        _ = Town(context: context)
        ear.heard = []
        context.rollback()
        #expect(ear.heard == ["-Town/1 ~Town/0.name"])
        subscription.cancel()
    }

    @Test func `what others saved is told when it is shown`() throws {
        let town = Town(context: context)
        try context.save()
        let ear = Ear()
        let subscription = context.onChange(ear.listen)
        let other = ManagedObjectContext(context.store)
        try other.twin(of: town).name = "Ulm"
        _ = Town(context: other)
        try other.save()
        #expect(ear.heard.isEmpty)
        context.land("own").number = 1
        context.refreshAllObjects()
        #expect(ear.heard == ["+Land/0", "+Town/1 ~Town/0.name"])
        ear.heard = []
        try context.save()
        #expect(ear.heard.isEmpty)
        subscription.cancel()
    }

    @Test func `a save tells what it merged`() throws {
        let town = Town(context: context)
        try context.save()
        let other = ManagedObjectContext(context.store)
        try other.twin(of: town).name = "Ulm"
        try other.save()
        let ear = Ear()
        let subscription = context.onChange(ear.listen)
        _ = context.land("own")
        try context.save()
        #expect(ear.heard == ["+Land/0", "~Town/0.name"])
        subscription.cancel()
        #expect(town.name == "Ulm")
    }

    @Test func `what a listener changes during a save is pending after it`() throws {
        var isDone = false
        let subscription = context.onChange { [unowned context] _ in
            guard !isDone else { return }
            isDone = true
            // Breaks a rule: it must not slip into the store unchecked.
            _ = Citizen(context: context)
        }
        _ = Town(context: context)
        try context.save()
        #expect(context.hasChanges)
        #expect(context.store.snapshot().brokenInvariants == [])
        #expect(try context.store.snapshot().count(Citizen.self) == 0)
        #expect(try context.store.snapshot().count(Town.self) == 1)
        #expect(context.failures().map(\.property) == ["name"])
        subscription.cancel()
    }

    @Test func `what a listener saves during a merging save stays saved`() throws {
        let other = ManagedObjectContext(context.store)
        _ = Town(context: other)
        try other.save()
        var rounds = 0
        let subscription = context.onChange { [unowned context] change in
            guard change.kind != .didSave else { return }
            rounds += 1
            guard rounds == 2 else { return }
            _ = context.land("from the listener")
            #expect(ContextError.thrown(by: context.save) == nil)
        }
        _ = context.land("own")
        try context.save()
        try context.save()
        #expect(try context.store.snapshot().count(Land.self) == 2)
        #expect(try context.store.snapshot().count(Town.self) == 1)
        subscription.cancel()
    }
}

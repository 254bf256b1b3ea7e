import PlacesKit
import Testing

@testable import PlacesGraph

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

        func listen(_ changes: ChangeSet) {
            for (table, rows) in changes.tables.enumerated() where !rows.isEmpty {
                let name = changes.after.schema.entities[table].name
                heard.append(
                    """
                    \(name) +\(rows.inserted.map { "\($0)" }.joined(separator: ",")) \
                    -\(rows.deleted.map { "\($0)" }.joined(separator: ",")) \
                    ~\(rows.updated.map { "\($0.row)" }.joined(separator: ","))
                    """)
            }
        }
    }

    @Test func `a batch is told once, and nothing is told of nothing`() {
        let ear = Ear()
        _ = context.addListener(ear.listen)
        context.processPendingChanges()
        let town = Town(context: context)
        context.processPendingChanges()
        context.processPendingChanges()
        town.name = "Ulm"
        context.processPendingChanges()
        context.delete(town)
        context.processPendingChanges()
        #expect(ear.heard == ["Town +0 - ~", "Town + - ~0", "Town + -0 ~"])
    }

    @Test func `a listener that is removed hears no more`() {
        let ear = Ear()
        let token = context.addListener(ear.listen)
        context.removeListener(token)
        _ = Town(context: context)
        context.processPendingChanges()
        #expect(ear.heard.isEmpty)
    }

    @Test func `a rollback is told against what was told before`() throws {
        let town = Town(context: context)
        try context.save()
        let ear = Ear()
        _ = context.addListener(ear.listen)
        // Told: an update and an insert. Never told: a delete and another insert.
        town.name = "Ulm"
        _ = Town(context: context)
        context.processPendingChanges()
        context.delete(town)
        _ = Town(context: context)
        ear.heard = []
        context.rollback()
        #expect(ear.heard == ["Town + -1 ~0"])
    }

    @Test func `what others saved is told when it is shown`() throws {
        let town = Town(context: context)
        try context.save()
        let ear = Ear()
        _ = context.addListener(ear.listen)
        let other = ManagedObjectContext(context.store)
        try other.twin(of: town).name = "Ulm"
        _ = Town(context: other)
        try other.save()
        #expect(ear.heard.isEmpty)
        context.land("own").number = 1
        context.refreshAllObjects()
        #expect(ear.heard == ["Land +0 - ~", "Town +1 - ~0"])
        ear.heard = []
        try context.save()
        #expect(ear.heard.isEmpty)
    }

    @Test func `a save tells what it merged`() throws {
        let town = Town(context: context)
        try context.save()
        let other = ManagedObjectContext(context.store)
        try other.twin(of: town).name = "Ulm"
        try other.save()
        let ear = Ear()
        _ = context.addListener(ear.listen)
        _ = context.land("own")
        try context.save()
        #expect(ear.heard == ["Land +0 - ~", "Town + - ~0"])
        #expect(town.name == "Ulm")
    }

    @Test func `what a listener changes during a save is pending after it`() throws {
        var isDone = false
        _ = context.addListener { [unowned context] _ in
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
    }

    @Test func `what a listener saves during a merging save stays saved`() throws {
        let other = ManagedObjectContext(context.store)
        _ = Town(context: other)
        try other.save()
        var rounds = 0
        _ = context.addListener { [unowned context] _ in
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
    }
}

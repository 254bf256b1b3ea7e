import Foundation
import PlacesKit
import Testing

@Suite struct RefreshTests {
    let context: ManagedObjectContext
    let other: ManagedObjectContext
    let town: Town
    let land: Land

    init() throws {
        context = try TownModel.context()
        town = Town(context: context)
        land = context.land("A")
        town.land = land
        try context.save()
        other = ManagedObjectContext(context.store)
    }

    private func saveElsewhere(_ name: String) throws {
        try other.twin(of: town).name = name
        try other.save()
    }

    @Test func `refreshing an object drops its changes and shows what was saved`() throws {
        try saveElsewhere("Ulm")
        town.name = "Bonn"
        town.land = nil
        land.number = 7
        try context.refresh(town, mergeChanges: false)
        #expect(town.name == "Ulm" && town.land === land && !town.hasChanges)
        #expect(land.towns.contains(town))
        #expect(land.number == 7 && land.isUpdated)
    }

    @Test func `refreshing an object may keep its changes`() throws {
        try saveElsewhere("Ulm")
        town.founded = .distantPast
        try context.refresh(town, mergeChanges: true)
        #expect(town.name == "Ulm" && town.founded == .distantPast)
        #expect(town.changedValues().keys.sorted() == ["founded"])
    }

    @Test func `what was changed here and elsewhere stays as it is here until the save`() throws {
        try saveElsewhere("Ulm")
        town.name = "Bonn"
        try context.refresh(town, mergeChanges: true)
        #expect(town.name == "Bonn")
        #expect(context.conflicts().map(\.property) == ["name"])
        try context.refresh(town, mergeChanges: false)
        #expect(town.name == "Ulm" && !context.hasChanges)
        try context.save()
    }

    @Test func `an insert that is refreshed keeps its values`() throws {
        let citizen = context.citizen("Ada")
        try context.refresh(citizen, mergeChanges: false)
        #expect(citizen.name == "Ada" && citizen.isInserted)
    }

    @Test func `a deleted object that is refreshed stays deleted`() throws {
        context.delete(town)
        try context.refresh(town, mergeChanges: false)
        #expect(town.isDeleted && land.towns.isEmpty)
    }

    @Test func `an object of another context is not refreshed`() throws {
        #expect(throws: ContextError.noSuchObject(town.objectID)) {
            try other.refresh(town, mergeChanges: true)
        }
    }

    private final class Note: ManagedObject {
        static let titles = Counter()

        @Attribute var text = ""
        @Derived(from: \Note.text, by: { Note.title($0) }) var title: String

        private static func title(_ text: String) -> String {
            titles.count()
            return text.uppercased()
        }
    }

    @Test func `a refresh makes no pending change again where nobody saved`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Note.self]))
        let notes = (0..<20).map { _ in Note(context: context) }
        try context.save()
        for note in notes { note.text = "new" }
        context.processPendingChanges()
        let count = Note.titles.value
        context.refreshAllObjects()
        for note in notes { try context.refresh(note, mergeChanges: true) }
        #expect(Note.titles.value == count)
        #expect(notes.allSatisfy { $0.isUpdated && $0.title == "NEW" })
        for note in notes { try context.refresh(note, mergeChanges: false) }
        #expect(Note.titles.value == count + notes.count)
        #expect(!context.hasChanges && notes.allSatisfy { $0.title == "" })
        #expect(context.brokenInvariants == [])
    }

    @Test func `pending links survive a refresh of everything`() throws {
        try saveElsewhere("Ulm")
        let other = Town(context: context)
        other.land = land
        town.land = nil
        context.refreshAllObjects()
        #expect(town.name == "Ulm" && town.land == nil && Array(land.towns) == [other])
        #expect(context.insertedObjects == [other] && context.updatedObjects == [town, land])
        #expect(context.brokenInvariants == [])
    }
}

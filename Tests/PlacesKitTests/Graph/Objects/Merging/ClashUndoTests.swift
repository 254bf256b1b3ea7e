import PlacesKit
import PlacesKitTesting
import Testing

/// The undo of a save in which a new object became one that is there.
@Suite struct ClashUndoTests {
    final class Person: ManagedObject {
        @Attribute(.unique(onClash: .update)) var key: String?
        @Attribute(.unique) var code: Int?
        @Attribute var number = 0
        @Relationship(deleteRule: .cascade) var passport: Passport?
        @Relationship(inverse: \Team.members) var team: Team?
        @Relationship(deleteRule: .cascade) var notes: OrderedObjectSet<Note>
        @Relationship(inverse: \Tag.people) var tags: ObjectSet<Tag>
    }

    final class Passport: ManagedObject {
        @Attribute var file = ""
        @Relationship(inverse: \Person.passport) var owner: Person?
    }

    final class Team: ManagedObject {
        @Attribute var name = ""
        @Relationship var members: OrderedObjectSet<Person>
    }

    final class Note: ManagedObject {
        @Relationship(minimumCount: 1, inverse: \Person.notes) var person: Person?
    }

    final class Tag: ManagedObject {
        @Attribute var name = ""
        @Relationship var people: ObjectSet<Person>
    }

    /// What can be seen of a person, and how many objects there are.
    private struct State: Equatable {
        var number: Int
        var team: String?
        var passport: String?
        var notes: Int
        var tags: Int
        var members: [Int]
        var people: Int
        var passports: Int

        init(_ person: Person, in context: ManagedObjectContext) throws {
            number = person.number
            team = person.team?.name
            passport = person.passport?.file
            notes = person.notes.count
            tags = person.tags.count
            members = try context.fetch(Team.self).map(\.members.count)
            people = try context.count(Person.self)
            passports = try context.count(Passport.self)
        }
    }

    private let store: GraphStore
    private let context: ManagedObjectContext
    private let saved: Person
    private let team: Team
    private let tag: Tag

    init() throws {
        store = try GraphStore(
            model: [Person.self, Passport.self, Team.self, Note.self, Tag.self])
        context = ManagedObjectContext(store)
        saved = Person(context: context)
        team = Team(context: context)
        tag = Tag(context: context)
        saved.key = "k"
        saved.number = 1
        saved.team = Team(context: context)
        saved.team?.name = "old"
        team.name = "new"
        saved.passport = Passport(context: context)
        saved.passport?.file = "old"
        Note(context: context).person = saved
        try context.save()
        context.isUndoEnabled = true
    }

    private func state() throws -> State { try State(saved, in: context) }

    /// What other contexts see of the person.
    private func stored() throws -> State {
        let reader = ManagedObjectContext(store)
        try reader.checkIntegrity()
        return try State(
            reader.existingObject(Person.self, with: saved.objectID), in: reader)
    }

    /// A new person with the key of the one that is there, and so much more.
    @discardableResult
    private func insertTwin(with extent: Int = 3) -> Person {
        let twin = Person(context: context)
        twin.key = "k"
        twin.number = 5
        if extent >= 1 { twin.team = team }
        if extent >= 2 {
            twin.passport = Passport(context: context)
            twin.passport?.file = "new"
        }
        if extent >= 3 {
            Note(context: context).person = twin
            twin.tags.insert(tag)
        }
        return twin
    }

    @Test(arguments: 0...3)
    func `the undo of an import gives the saved object back what it had, and redo takes it again`(
        extent: Int
    ) throws {
        let before = try state()
        let twin = insertTwin(with: extent)
        try context.save()
        let imported = try state()
        #expect(imported.number == 5 && imported.people == 1 && twin.isDeleted)
        context.undo()
        #expect(try state() == before)
        #expect(twin.isDeleted && !context.canUndo)
        try context.save()
        #expect(try stored() == before)
        context.redo()
        #expect(try state() == imported)
        try context.save()
        #expect(try stored() == imported)
        context.undo()
        #expect(try state() == before)
        try context.checkIntegrity()
    }

    @Test func `what others changed since is kept, property by property`() throws {
        insertTwin()
        try context.save()
        let others = ManagedObjectContext(store)
        try others.existingObject(Person.self, with: saved.objectID).number = 9
        try others.save(shownTo: context)
        context.undo()
        #expect(saved.number == 9 && saved.team?.name == "old")
        #expect(saved.passport?.file == "old" && saved.tags.isEmpty)
        try context.save()
        #expect(try stored() == state())
    }

    @Test func `a new object of an earlier group is there until that is undone, too`() throws {
        let before = try state()
        let twin = Person(context: context)
        twin.key = "k"
        context.processPendingChanges()
        twin.number = 5
        twin.passport = Passport(context: context)
        try context.save()
        #expect(twin.isDeleted && saved.number == 5)
        context.undo()
        #expect(!twin.isDeleted && twin.number == 0 && twin.passport == nil)
        #expect(saved.number == 1 && saved.passport?.file == "old")
        // It becomes the saved one again, and has nothing more to give.
        try context.save()
        #expect(twin.isDeleted)
        #expect(try stored() == before)
        context.undo()
        #expect(try state() == before)
        #expect(twin.isDeleted && !context.canUndo)
        try context.checkIntegrity()
    }

    @Test func `an insert that is not remembered leaves what came of it`() throws {
        context.disableUndoRegistration()
        let twin = insertTwin()
        context.enableUndoRegistration()
        tag.name = "other"
        try context.save()
        let imported = try state()
        context.undo()
        #expect(tag.name.isEmpty && twin.isDeleted)
        #expect(try state() == imported)
        try context.save()
        #expect(try stored() == imported)
    }

    @Test func `one of several whose insert is not remembered stays what it became`() throws {
        context.disableUndoRegistration()
        let second = Person(context: context)
        second.key = "l"
        try context.save()
        let forgotten = Person(context: context)
        (forgotten.key, forgotten.number, forgotten.team) = ("l", 6, team)
        forgotten.tags.insert(tag)
        Note(context: context).person = forgotten
        context.enableUndoRegistration()
        let before = try state()
        let twin = insertTwin()
        try context.save()
        let imported = try state()
        #expect(twin.isDeleted && forgotten.isDeleted && imported.number == 5)
        #expect(team.members.map(\.objectID) == [second, saved].map(\.objectID))
        context.undo()
        #expect(twin.isDeleted && forgotten.isDeleted && !context.canUndo)
        #expect(saved.number == 1 && saved.passport?.file == "old" && saved.notes.count == 1)
        #expect(second.number == 6 && second.notes.count == 1 && second.tags.contains(tag))
        #expect(team.members.map(\.objectID) == [second.objectID])
        #expect(try state().people == before.people - 1)
        try context.save()
        #expect(try stored() == state())
        context.redo()
        #expect(try state() == imported)
        #expect(second.number == 6 && second.notes.count == 1 && second.tags.contains(tag))
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `a save that is refused leaves nothing of it to be undone`() throws {
        let before = try state()
        let twin = insertTwin()
        let stray = Note(context: context)
        #expect(throws: ContextError.self) { try context.save() }
        #expect(!twin.isDeleted && saved.number == 1)
        context.undo()
        #expect(try state() == before)
        #expect(twin.isDeleted && stray.isDeleted && !context.canUndo && !context.hasChanges)
    }

    @Test func `what another context saved first gets its values back`() throws {
        context.mergePolicy = .mergeByPropertyObjectTrump
        let others = ManagedObjectContext(store)
        let theirs = Person(context: others)
        theirs.code = 1
        theirs.number = 2
        let mine = Person(context: context)
        mine.code = 1
        mine.number = 3
        mine.passport = Passport(context: context)
        try others.save()
        try context.save()
        let merged = try context.existingObject(Person.self, with: theirs.objectID)
        #expect(mine.isDeleted && merged.number == 3 && merged.passport != nil)
        context.undo()
        #expect(mine.isDeleted && merged.number == 2 && merged.passport == nil)
        #expect(try context.count(Passport.self) == 1)
        try context.save(shownTo: others)
        #expect(theirs.number == 2 && theirs.passport == nil)
        try context.checkIntegrity()
    }
}

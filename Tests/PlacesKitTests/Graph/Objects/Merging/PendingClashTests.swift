import PlacesKit
import PlacesKitTesting
import Testing

/// Children of a context in which objects clash that it has not saved yet.
@Suite struct PendingClashTests {
    final class Person: ManagedObject {
        @Attribute(.unique(onClash: .update)) var name: String?
        @Attribute(.unique) var badge: Int?
        @Attribute var hall: String?
        @Attribute var seat: Int?
        @Attribute var mail: String?
        @Relationship var teams: ObjectSet<Team>

        override class var constraints: [EntityConstraint] {
            [.unique(\Person.hall, \Person.seat, onClash: .keep)]
        }
    }

    final class Team: ManagedObject {
        @Relationship(inverse: \Person.teams) var people: ObjectSet<Person>
    }

    enum Clash: CaseIterable {
        /// The save of the parent lets the new object become the saved one.
        case updating, keeping
        /// The save of the parent is refused.
        case refused
    }

    private let parent: ManagedObjectContext
    private let child: ManagedObjectContext

    init() throws {
        parent = ManagedObjectContext(try GraphStore(model: [Person.self, Team.self]))
        child = ManagedObjectContext(parent: parent)
    }

    /// A person in the parent with what clashes.
    private func person(_ clash: Clash) -> Person {
        let person = Person(context: parent)
        switch clash {
        case .updating: person.name = "n"
        case .keeping: (person.hall, person.seat) = ("h", 1)
        case .refused: person.badge = 1
        }
        return person
    }

    /// A saved person, and a new one that clashes with it, both shown by the child.
    private func pair(_ clash: Clash) throws -> (saved: Person, new: Person) {
        let saved = person(clash)
        try parent.save()
        let new = person(clash)
        child.refreshAllObjects()
        return (saved, new)
    }

    @Test(arguments: Clash.allCases)
    func `a child changes what its parent's clash is not about`(clash: Clash) throws {
        let (saved, new) = try pair(clash)
        let (savedTwin, newTwin) = (try child.twin(of: saved), try child.twin(of: new))
        savedTwin.mail = "saved"
        try child.validate()
        #expect(savedTwin.validationFailures().isEmpty && newTwin.validationFailures().isEmpty)
        try child.save()
        newTwin.mail = "new"
        try child.save()
        savedTwin.teams.insert(Team(context: child))
        try child.save()
        #expect(saved.mail == "saved" && new.mail == "new" && saved.teams.count == 1)
        switch clash {
        case .updating, .keeping:
            try parent.save()
            #expect(try parent.count(Person.self) == 1)
            #expect(saved.mail == (clash == .updating ? "new" : "saved"))
        case .refused:
            #expect(parent.failures().map(\.object) == [new.objectID])
        }
        try parent.checkIntegrity()
        try child.checkIntegrity()
    }

    @Test func `a child is refused for a clash that it makes, be it with one of its parent's`()
        throws
    {
        let (saved, new) = try pair(.refused)
        let third = Person(context: child)
        third.badge = 1
        #expect(
            child.failures() == [
                ValidationFailure(
                    object: third.objectID, property: "badge",
                    reason: .duplicateValue(.integer(1), other: saved.objectID))
            ])
        third.badge = 2
        try child.save()
        // Both of the pair are given another value, and still have the same one.
        try child.twin(of: saved).badge = 3
        try child.twin(of: new).badge = 3
        #expect(child.failures().map(\.property) == ["badge"])
        try child.twin(of: new).badge = 4
        try child.save()
        try parent.save()
        #expect(Set(try parent.fetch(Person.self).map(\.badge)) == [2, 3, 4])
    }

    @Test func `a child's new object becomes the one that its parent has, beside a pending clash`()
        throws
    {
        let (saved, new) = try pair(.updating)
        let third = Person(context: child)
        (third.name, third.mail) = ("n", "third")
        try child.save()
        #expect(third.isDeleted && saved.mail == "third" && new.mail == nil)
        try parent.save()
        #expect(try parent.fetch(Person.self).map(\.objectID) == [saved.objectID])
        #expect(saved.mail == "third")
    }
}

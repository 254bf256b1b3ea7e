import PlacesKit
import PlacesKitTesting
import Testing

/// What a check says before a save that settles clashes: what that save says.
@Suite struct ClashValidationTests {
    enum Refusal: Error { case bad }

    final class Person: ManagedObject {
        @Attribute(.unique(onClash: .update)) var name: String?
        @Attribute(.length(...8)) var mail: String?
        @Attribute var slug: String
        @Relationship var teams: ObjectSet<Team>

        override func validate() throws { if mail == "bad" { throw Refusal.bad } }
    }

    final class Team: ManagedObject {
        @Relationship(inverse: \Person.teams) var people: ObjectSet<Person>
    }

    final class Pet: ManagedObject {
        @Attribute(.unique) var name: String?
        @Attribute var slug: String

        override func willSave() { if slug.isEmpty { slug = "s\(objectID.number)" } }
    }

    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [Person.self, Team.self, Pet.self]))
    }

    private func person(_ name: String, slug: String? = nil) -> Person {
        let person = Person(context: context)
        person.name = name
        if let slug { person.slug = slug }
        return person
    }

    private var failures: [ValidationFailure] {
        if case .invalid(let failures) = ContextError.thrown(by: context.validate) {
            failures
        } else {
            []
        }
    }

    @Test func `a clash that a constraint settles breaks no rule, and a check settles nothing`()
        throws
    {
        let saved = person("n", slug: "s")
        try context.save()
        // What it lacks the saved object has.
        let new = person("n")
        let team = Team(context: context)
        new.teams.insert(team)
        new.mail = "m"
        try context.validate()
        #expect(new.validationFailures().isEmpty && saved.validationFailures().isEmpty)
        #expect(team.validationFailures().isEmpty)
        #expect(!new.isDeleted && saved.mail == nil && Array(team.people) == [new])
        #expect(!saved.hasChanges && context.insertedObjects == [new, team])
        try context.checkIntegrity()
        try context.save()
        #expect(new.isDeleted && saved.mail == "m" && Array(team.people) == [saved])
        try context.checkIntegrity()
    }

    @Test func `two new objects that become one are checked as one`() throws {
        let (first, second) = (person("n"), person("n", slug: "s"))
        try context.validate()
        #expect(first.validationFailures().isEmpty && second.validationFailures().isEmpty)
        let third = person("other")
        #expect(failures.map(\.object) == [third.objectID])
        #expect(third.validationFailures() == failures)
        third.slug = "t"
        try context.save()
        #expect(second.isDeleted && first.slug == "s")
    }

    @Test(arguments: ["too long for it", "bad"])
    func `an object that becomes another is refused for what that would be then`(
        mail: String
    ) throws {
        let saved = person("n", slug: "s")
        try context.save()
        let new = person("n")
        new.mail = mail
        let failures = failures
        #expect(failures.map(\.object) == [saved.objectID])
        #expect(new.validationFailures() == failures && saved.validationFailures() == failures)
        #expect(context.failures() == failures)
        new.mail = "short"
        try context.validate()
        try context.save()
        #expect(saved.mail == "short")
    }

    @Test(arguments: MergePolicy.allCases)
    func `a clash with what was saved is judged by the merge policy`(policy: MergePolicy) throws {
        let saved = Pet(context: context)
        saved.name = "p"
        try context.save()
        context.mergePolicy = policy
        let new = Pet(context: context)
        (new.name, new.slug) = ("p", "s")
        let expected =
            policy == .error
            ? [
                ValidationFailure(
                    object: new.objectID, property: "name",
                    reason: .duplicateValue(.string("p"), other: saved.objectID))
            ] : []
        #expect(failures == expected && new.validationFailures() == expected)
        #expect(context.failures() == expected)
        #expect(new.isDeleted == expected.isEmpty)
    }

    @Test func `a saved object that takes another's value is refused whatever settles clashes`()
        throws
    {
        let (first, second) = (person("a", slug: "a"), person("b", slug: "b"))
        try context.save()
        second.name = "a"
        let failures = failures
        #expect(failures.map(\.object) == [second.objectID])
        #expect(second.validationFailures() == failures && first.validationFailures().isEmpty)
        #expect(context.failures() == failures)
    }

    @Test func `what willSave fills in is missing until then`() throws {
        let pet = Pet(context: context)
        let missing = [
            ValidationFailure(object: pet.objectID, property: "slug", reason: .missingValue)
        ]
        #expect(failures == missing && pet.validationFailures() == missing)
        try context.save()
        #expect(pet.slug == "s0")
    }
}

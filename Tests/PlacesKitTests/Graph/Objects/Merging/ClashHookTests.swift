import PlacesKit
import Testing

/// Which hooks are called when a new object becomes one that is there.
@Suite struct ClashHookTests {
    final class Person: ManagedObject {
        @Attribute(.unique(onClash: .update)) var key: String
        @Relationship(deleteRule: .cascade) var passport: Passport?

        override func willSave() { Ear.heard(self, "willSave of \(objectID.number)") }
        override func validate() throws { Ear.heard(self, "validate of \(objectID.number)") }
        override func didSave() { Ear.heard(self, "didSave of \(objectID.number)") }
        override func prepareForDeletion() { Ear.heard(self, "delete of \(objectID.number)") }
    }

    final class Passport: ManagedObject {
        @Relationship(inverse: \Person.passport) var owner: Person?

        override func prepareForDeletion() { Ear.heard(self, "delete of a passport") }
    }

    @Test func `no hook hears before of what a clash deletes, but the commit tells of it`()
        async throws
    {
        let store = try GraphStore(model: [Person.self, Passport.self])
        let context = ManagedObjectContext(store)
        func insert() -> Person {
            let person = Person(context: context)
            person.key = "k"
            person.passport = Passport(context: context)
            return person
        }
        let saved = insert()
        let passport = try #require(saved.passport)
        try context.save()
        var commits = store.commits.makeAsyncIterator()
        let ear = Ear()
        let new = insert()
        let passportOfNew = new.passport
        func saveListening() throws {
            try Ear.$current.withValue(Ear.UnsafeEar(ear: ear)) { try context.save() }
        }
        try saveListening()
        #expect(new.isDeleted && passport.isDeleted && saved.passport === passportOfNew)
        #expect(
            ear.heard == [
                "willSave of \(new.objectID.number)", "validate of \(saved.objectID.number)",
                "didSave of \(saved.objectID.number)",
            ])
        let commit = await commits.next()
        #expect(commit?.objects.deleted == [passport.objectID])
    }
}

import PlacesKit
import PlacesKitTesting
import Testing

/// What else happens when a new object becomes one that is there: what moves with it, and what goes with it.
@Suite struct ClashFollowUpTests {
    // MARK: - Clashes that follow from others

    final class Album: ManagedObject {
        @Attribute(.unique(onClash: .update)) var name: String
        @Relationship var photos: ObjectSet<Photo>
    }

    final class Photo: ManagedObject {
        @Attribute var number = 0
        @Attribute var title = ""
        @Relationship(inverse: \Album.photos) var album: Album?

        override class var constraints: [EntityConstraint] {
            [.unique(\Photo.album, \Photo.number, onClash: .update)]
        }
    }

    @Test(arguments: [false, true])
    func `members of a new object become those of the other, in whatever order the classes are`(
        membersFirst: Bool
    ) throws {
        let store = try GraphStore(
            model: membersFirst ? [Photo.self, Album.self] : [Album.self, Photo.self])
        let context = ManagedObjectContext(store)
        for title in ["old", "new"] {
            let (album, photo) = (Album(context: context), Photo(context: context))
            album.name = "x"
            photo.number = 1
            photo.album = album
            photo.title = title
            try context.save()
        }
        #expect(try context.fetch(Photo.self).map(\.title) == ["new"])
        #expect(try context.fetch(Album.self).map(\.photos.count) == [1])
        try context.checkIntegrity()
    }

    final class Folder: ManagedObject {
        @Attribute(.unique(onClash: .update)) var root: String?
        @Attribute var name: String?
        @Attribute var note = ""
        @Relationship(deleteRule: .cascade) var subfolders: ObjectSet<Folder>
        @Relationship(inverse: \Folder.subfolders) var parent: Folder?

        override class var constraints: [EntityConstraint] {
            [.unique(\Folder.parent, \Folder.name, onClash: .update)]
        }
    }

    @Test func `a new tree becomes the tree that is there, at every level`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Folder.self]))
        for note in ["first", "second"] {
            var parent = Folder(context: context)
            parent.root = "/"
            for name in ["a", "b", "c", "d"] {
                let folder = Folder(context: context)
                folder.name = name
                folder.note = note
                folder.parent = parent
                parent = folder
            }
            Folder(context: context).name = "alone \(note)"
            try context.save()
        }
        let folders = try context.fetch(Folder.self)
        #expect(folders.count == 7)
        #expect(
            folders.filter { $0.parent != nil }.map(\.note) == Array(repeating: "second", count: 4))
        try context.checkIntegrity()
    }

    // MARK: - Delete rules

    final class Person: ManagedObject {
        @Attribute(.unique(onClash: .keep)) var kept: String?
        @Attribute(.unique(onClash: .update)) var updated: String?
        @Relationship(deleteRule: .cascade) var passport: Passport?
        @Relationship(deleteRule: .cascade) var club: Club?
    }

    final class Passport: ManagedObject {
        @Attribute var number = 0
        @Relationship(minimumCount: 1, inverse: \Person.passport) var owner: Person?
    }

    final class Club: ManagedObject {
        @Attribute var number = 0
        @Relationship(inverse: \Person.club) var people: ObjectSet<Person>
    }

    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(
            try GraphStore(model: [Person.self, Passport.self, Club.self]))
    }

    private func person(_ passport: Int?, _ key: ReferenceWritableKeyPath<Person, String?>)
        -> Person
    {
        let person = Person(context: context)
        person[keyPath: key] = "x"
        if let passport {
            person.passport = Passport(context: context)
            person.passport?.number = passport
        }
        return person
    }

    private func passports() throws -> [Int] {
        try context.fetch(Passport.self).map(\.number).sorted()
    }

    @Test func `what a new object cascades to goes with it, where the other keeps its values`()
        throws
    {
        let saved = person(1, \.kept)
        try context.save()
        let new = person(2, \.kept)
        try context.save()
        #expect(new.isDeleted && saved.passport?.number == 1)
        #expect(try passports() == [1])
        try context.checkIntegrity()
    }

    @Test func `a partner that is replaced goes where the delete rule says so`() throws {
        let saved = person(1, \.updated)
        try context.save()
        let new = person(2, \.updated)
        try context.save()
        #expect(new.isDeleted && saved.passport?.number == 2)
        #expect(try passports() == [2])
        try context.checkIntegrity()
    }

    @Test func `a partner stays where the new object was given none`() throws {
        let saved = person(1, \.updated)
        try context.save()
        let new = person(nil, \.updated)
        try context.save()
        #expect(new.isDeleted && saved.passport?.number == 1)
        #expect(try passports() == [1])
    }

    @Test func `what both objects lead to stays, whatever the delete rule`() throws {
        let club = Club(context: context)
        let saved = person(nil, \.kept)
        saved.club = club
        try context.save()
        let new = person(nil, \.kept)
        new.club = club
        try context.save()
        #expect(new.isDeleted && !club.isDeleted && saved.club === club)
        #expect(club.people.count == 1)
        try context.checkIntegrity()
    }

    // MARK: - Partners that clash themselves

    final class Traveller: ManagedObject {
        @Attribute(.unique(onClash: .keep)) var kept: String?
        @Attribute(.unique(onClash: .update)) var updated: String?
        @Relationship(deleteRule: .cascade) var document: TravelDocument?
    }

    final class TravelDocument: ManagedObject {
        @Attribute(.unique(onClash: .update)) var number: Int
        @Attribute var note = ""
        @Relationship(inverse: \Traveller.document) var owner: Traveller?
        @Relationship(deleteRule: .cascade) var stamps: ObjectSet<Stamp>
    }

    final class Stamp: ManagedObject {
        @Relationship(inverse: \TravelDocument.stamps) var document: TravelDocument?
    }

    @Test(arguments: [false, true], [false, true])
    func `a partner that another one becomes stays, with all that it has`(
        partnersFirst: Bool, isKept: Bool
    ) throws {
        let types: [ManagedObject.Type] = [Traveller.self, TravelDocument.self]
        let store = try GraphStore(model: (partnersFirst ? types.reversed() : types) + [Stamp.self])
        let context = ManagedObjectContext(store)
        func save(_ note: String) throws -> TravelDocument {
            let (traveller, document) = (
                Traveller(context: context), TravelDocument(context: context)
            )
            if isKept { traveller.kept = "x" } else { traveller.updated = "x" }
            document.number = 1
            document.note = note
            traveller.document = document
            if note == "old" { Stamp(context: context).document = document }
            try context.save()
            return document
        }
        let document = try save("old")
        _ = try save("new")
        #expect(try context.fetch(TravelDocument.self).map(\.objectID) == [document.objectID])
        #expect(document.note == "new" && document.stamps.count == 1)
        #expect(document.owner != nil)
        try context.checkIntegrity()
    }
}

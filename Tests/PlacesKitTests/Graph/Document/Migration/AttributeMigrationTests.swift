import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Attributes that were added, removed, renamed or retyped.
@Suite struct AttributeMigrationTests {
    enum Old {
        enum Mood: String, CaseIterable, AttributeValue { case calm, wild }
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute var label = ""
            @Attribute var stars = 0
            @Attribute var text = ""
            @Attribute var ratio = 0.0
            @Attribute var isGood = false
            @Attribute var note: String?
            @Attribute var gone = 7
            @Attribute var mood = Mood.calm
            @Relationship(inverse: \Place.photos) var place: Place?
        }
        final class Place: ManagedObject {
            @Relationship var photos: ObjectSet<Photo>
            @Derived(count: \Place.photos) var photoCount: Int
        }
        static let types: [ManagedObject.Type] = [Photo.self, Place.self]

        static func fill(_ context: ManagedObjectContext) {
            let place = Place(context: context)
            for number in 0..<3 {
                let photo = Photo(context: context)
                (photo.name, photo.label) = ("n\(number)", "l\(number)")
                (photo.stars, photo.text) = (number * 100, "\(number)")
                (photo.ratio, photo.isGood) = (Double(number), number == 1)
                photo.note = number == 1 ? nil : "note"
                photo.mood = number == 2 ? .wild : .calm
                photo.place = place
            }
        }
    }
    enum New {
        enum Mood: String, CaseIterable, AttributeValue { case calm, wild, loud }
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute(.originalName("label")) var title = ""
            @Attribute var stars: Int16 = 0
            @Attribute var text = 0
            @Attribute var ratio = Decimal()
            @Attribute var isGood = 0
            @Attribute var note = "none"
            @Attribute var mood: String?
            @Attribute var rating: Double = 2.5
            @Attribute var remark: String? = "new"
            @Attribute var seen: Date?
            @Relationship(inverse: \Place.photos) var place: Place?
        }
        final class Place: ManagedObject {
            @Relationship var photos: ObjectSet<Photo>
            @Attribute var photoCount = 0
        }
        static let types: [ManagedObject.Type] = [Photo.self, Place.self]
    }

    @Test func `attributes are added, removed, renamed and retyped by themselves`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            try await MigrationWorld.migrate(url, to: New.types) { context in
                let photos = Array(try context.fetch(New.Photo.self))
                #expect(photos.map(\.objectID.number) == [0, 1, 2])
                #expect(photos.map(\.name) == ["n0", "n1", "n2"])
                #expect(photos.map(\.title) == ["l0", "l1", "l2"])
                #expect(photos.map(\.stars) == [0, 100, 200])
                #expect(photos.map(\.text) == [0, 1, 2])
                #expect(photos.map(\.ratio) == [0, 1, 2])
                #expect(photos.map(\.isGood) == [0, 1, 0])
                #expect(photos.map(\.note) == ["note", "none", "note"])
                #expect(photos.map(\.mood) == ["calm", "calm", "wild"])
                #expect(photos.allSatisfy { $0.rating == 2.5 && $0.remark == "new" })
                #expect(photos.allSatisfy { $0.seen == nil && $0.place != nil })
                #expect(photos.first?.place?.photoCount == 3)
                #expect(photos.first?.place.map { Array($0.photos) } == photos)
            }
        }
    }

    enum Narrow {
        enum Mood: String, CaseIterable, AttributeValue { case calm }
        final class Photo: ManagedObject {
            @Attribute(.unique) var code: String
            @Attribute var name: Int
            @Attribute var stars: Int8 = 0
            @Attribute var note: String
            @Attribute var mood = Mood.calm
        }
    }

    @Test func `values that would be lost are counted, and one is shown`() async throws {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let errors = try await MigrationWorld.refusal(url, of: [Narrow.Photo.self])
            func id(_ number: Int64) -> ObjectID { ObjectID(entity: "Photo", number: number) }
            #expect(
                errors == [
                    .valuesMissing(entity: "Photo", attribute: "code", count: 3, object: id(0)),
                    .valuesLost(
                        entity: "Photo", attribute: "name", from: .string, to: .int64, count: 3,
                        example: .string("n0"), object: id(0)),
                    .valuesLost(
                        entity: "Photo", attribute: "stars", from: .int64, to: .int8, count: 1,
                        example: .integer(200), object: id(2)),
                    .valuesMissing(entity: "Photo", attribute: "note", count: 1, object: id(1)),
                    .valuesLost(
                        entity: "Photo", attribute: "mood", from: .string, to: .string, count: 1,
                        example: .string("wild"), object: id(2)),
                ])
            #expect(
                errors.dropFirst(2).first?.description == """
                    Photo.stars was int64 and is int8: 1 value would be lost, such as 200 of Photo/2. Change \
                    them in a MigrationStage.
                    """)
        }
    }

    enum Unique {
        final class Photo: ManagedObject {
            @Attribute(.unique) var note: String?
            @Attribute var mood = ""
            @Attribute var isGood = false
            override class var constraints: [EntityConstraint] {
                [.unique(\Photo.mood, \Photo.isGood)]
            }
        }
    }

    @Test func `what is not unique, and has to be by now, is counted`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, Old.types) { context in
                for number in 0..<4 {
                    let photo = Old.Photo(context: context)
                    photo.note = number < 3 ? "twice" : "once"
                    photo.isGood = number == 1
                    photo.mood = number == 3 ? .wild : .calm
                }
            }
            let id = ObjectID(entity: "Photo", number: 1)
            let errors = try await MigrationWorld.refusal(url, of: [Unique.Photo.self])
            #expect(
                errors.first
                    == .notUnique(
                        entity: "Photo", properties: ["note"], count: 2,
                        example: [.string("twice")], object: id))
            #expect(
                errors.last?.description.hasPrefix(
                    "Photo.mood, isGood must be unique, and 1 object would have") == true)
        }
    }

    enum Dated {
        final class Photo: ManagedObject {
            @Attribute var taken: Date
        }
    }
    enum DatedByText {
        final class Photo: ManagedObject {
            @Attribute var taken = ""
        }
    }

    @Test(arguments: [
        (Double.infinity, "inf"), (.nan, "nan"), (-1e12, "-1000000000000.0"), (-0.1, "-0.1"),
    ])
    func `a date that the calendar does not have is told in seconds`(
        seconds: Double, text: String
    ) async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, [Dated.Photo.self]) { context in
                Dated.Photo(context: context).taken = Date(timeIntervalSinceReferenceDate: seconds)
            }
            let errors = try await MigrationWorld.refusal(url, of: [DatedByText.Photo.self])
            #expect(
                errors.first?.description.contains(", such as \(text) seconds since 2001 of ")
                    == true,
                "\(errors)")
        }
    }

    enum Inherited {
        class Work: ManagedObject {}
        final class Photo: Work {
            @Attribute var code = 1
        }
    }
    enum InheritedUnique {
        class Work: ManagedObject {}
        final class Photo: Work {
            @Attribute(.unique) var code = 1
        }
    }

    @Test func `what is not unique is told as a property of the class that declares it`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let types: [ManagedObject.Type] = [Inherited.Work.self, Inherited.Photo.self]
            try await MigrationWorld.make(url, types) { context in
                for _ in 0..<2 { _ = Inherited.Photo(context: context) }
            }
            let errors = try await MigrationWorld.refusal(
                url, of: [InheritedUnique.Work.self, InheritedUnique.Photo.self])
            let id = ObjectID(entity: "Photo", number: 1)
            #expect(
                errors.first
                    == .notUnique(
                        entity: "Photo", properties: ["code"], count: 1, example: [.integer(1)],
                        object: id))
        }
    }

    enum Defaulted {
        final class Photo: ManagedObject {
            @Attribute var note: String? = "new default"
            @Attribute var size: Int? = 9
        }
    }
    enum Undefaulted {
        final class Photo: ManagedObject {
            @Attribute var note: String?
            @Attribute var size: Int?
        }
    }

    @Test func `a default that came later does not replace a value that there was not`()
        async throws
    {
        for limit in [0, 1 << 20] {
            try await withTemporaryDirectory { url in
                let options = ManagedDocument.Options.savedByHand {
                    $0.journalLimit = .init(minimum: limit)
                }
                let document = try await ManagedDocument.open(
                    at: url, model: [Undefaulted.Photo.self], options: options)
                // One lies in the snapshot, one in the journal.
                for _ in 0..<2 {
                    let photo = Undefaulted.Photo(context: document.viewContext)
                    photo.size = 3
                    try await document.save()
                }
                try await document.close()
                let reopened = try await ManagedDocument.open(
                    at: url, model: [Defaulted.Photo.self], options: options)
                let photos = try reopened.viewContext.fetch(Defaulted.Photo.self)
                #expect(photos.map(\.note) == [nil, nil])
                #expect(photos.map(\.size) == [3, 3])
                #expect(Defaulted.Photo(context: reopened.viewContext).note == "new default")
            }
        }
    }

    @Test func `an attribute that is derived by now follows from what there is`() async throws {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, New.types) { context in
                let place = New.Place(context: context)
                place.photoCount = 99
                New.Photo(context: context).place = place
            }
            let options = ManagedDocument.Options.savedByHand()
            let document = try await ManagedDocument.open(
                at: url, model: Old.types, options: options)
            #expect(try document.viewContext.fetch(Old.Place.self).map(\.photoCount) == [1])
            try document.viewContext.checkIntegrity()
            try await document.close()
        }
    }

    enum Typed {
        final class Page: ManagedObject {
            @Attribute var link: URL?
            @Attribute var numbers: [Int]?
        }
    }
    enum Raw {
        final class Page: ManagedObject {
            @Attribute var link: Data?
            @Attribute var numbers: Data?
        }
    }

    @Test func `a URL and a Codable value become their bytes, and come back from them`()
        async throws
    {
        try await withTemporaryDirectory { url in
            let link = URL(string: "https://www.example.com/a%20b")
            try await MigrationWorld.make(url, [Typed.Page.self]) { context in
                let page = Typed.Page(context: context)
                (page.link, page.numbers) = (link, [1, 2])
            }
            try await MigrationWorld.migrate(url, to: [Raw.Page.self]) { context in
                let page = try #require(try context.fetch(Raw.Page.self).first)
                #expect(page.link == Data("https://www.example.com/a%20b".utf8))
                #expect(page.numbers == Data("[1,2]".utf8))
            }
            try await MigrationWorld.migrate(url, to: [Typed.Page.self]) { context in
                let page = try #require(try context.fetch(Typed.Page.self).first)
                #expect(page.link == link && page.numbers == [1, 2])
            }
        }
    }

    enum Boxed {
        struct Size: CodableAttribute, Hashable { var width = 0 }
        final class Box: ManagedObject {
            @Attribute var size = Size()
        }
    }
    enum Reboxed {
        struct Size: CodableAttribute, Hashable { var width: Int? = 0, height: Int? }
        final class Box: ManagedObject {
            @Attribute var size = Size()
        }
    }
    enum Unboxed {
        struct Size: CodableAttribute, Hashable { var height = 1 }
        final class Box: ManagedObject {
            @Attribute var size = Size()
        }
    }

    @Test func `Codable values stay where they can be decoded, and are counted where not`()
        async throws
    {
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, [Boxed.Box.self]) { context in
                for width in 1...2 { Boxed.Box(context: context).size.width = width }
            }
            let errors = try await MigrationWorld.refusal(url, of: [Unboxed.Box.self])
            #expect(
                errors.dropLast() == [
                    .valuesLost(
                        entity: "Box", attribute: "size", from: .json, to: .json, count: 2,
                        example: .string(#"{"width":1}"#),
                        object: ObjectID(entity: "Box", number: 0))
                ])
            #expect(
                errors.first?.description == """
                    The type of Box.size cannot read 2 values of the document, such as \
                    \(Datum.string(#"{"width":1}"#)) of \(ObjectID(entity: "Box", number: 0)). Let it read \
                    them, or change them in a MigrationStage.
                    """)
            try await MigrationWorld.migrate(url, to: [Reboxed.Box.self]) { context in
                let boxes = try context.fetch(Reboxed.Box.self)
                #expect(boxes.map(\.size.width) == [1, 2])
            }
        }
    }

    @Test func `the schema tells the cases of an enum, and a file with others is damaged`()
        async throws
    {
        try await MigrationWorld.with(Old.types, Old.fill) { url in
            let file = try DocumentFolder(url: url).snapshot
            let text = try DocumentFolder(url: url).text
            #expect(text.contains(#"{"name":"mood","type":"string","values":["calm","wild"]}"#))
            let edited = text.replacing(#""mood":"wild","#, with: #""mood":"tame","#)
            try Data(edited.utf8).write(to: file)
            for types in [Old.types, New.types] {
                let error = await #expect(throws: DocumentError.self) {
                    try await ManagedDocument.open(at: url, model: types)
                }
                #expect(error?.description.contains(#"one of "calm", "wild""#) == true)
            }
            #expect(try await !ManagedDocument.verify(at: url).canBeOpened)
        }
    }

    enum Measured {
        final class Reading: ManagedObject {
            @Attribute var value = 0.0
            @Attribute var small: Float = 0
        }
    }
    enum Written {
        final class Reading: ManagedObject {
            @Attribute var value = ""
            @Attribute var small = ""
        }
    }

    @Test func `what is no finite number becomes text as files have it, and comes back`()
        async throws
    {
        let numbers = [Double.nan, .infinity, -.infinity, 0.5]
        let texts = ["NaN", "Infinity", "-Infinity", "0.5"]
        try await withTemporaryDirectory { url in
            try await MigrationWorld.make(url, [Measured.Reading.self]) { context in
                for number in numbers {
                    let reading = Measured.Reading(context: context)
                    (reading.value, reading.small) = (number, Float(number))
                }
            }
            try await MigrationWorld.migrate(url, to: [Written.Reading.self]) { context in
                let readings = Array(try context.fetch(Written.Reading.self))
                #expect(readings.map(\.value) == texts)
                #expect(readings.map(\.small) == texts)
            }
            try await MigrationWorld.migrate(url, to: [Measured.Reading.self]) { context in
                let readings = Array(try context.fetch(Measured.Reading.self))
                #expect(readings.map { "\($0.value)" } == numbers.map { "\($0)" })
                #expect(readings.map { "\($0.small)" } == numbers.map { "\($0)" })
            }
        }
    }
}

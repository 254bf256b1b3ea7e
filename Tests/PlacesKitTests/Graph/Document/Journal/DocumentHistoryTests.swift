import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// What the history of a document keeps, and for how long.
@Suite struct DocumentHistoryTests {
    class Picture: ManagedObject {
        @Attribute(.unique, .preserveValueOnDeletion) var code: String
        @Attribute(.userInfo("unit", "metres"), .userInfo("source", "GPS")) var altitude = 0.0
        @Attribute(.preserveValueOnDeletion) var rating: Int?
        @Relationship(inverse: \Roll.pictures) var roll: Roll?

        override class var userInfo: [String: String] { ["owner": "Ann"] }
    }

    final class Film: Picture {
        @Attribute(.preserveValueOnDeletion) var seconds = 1
    }

    final class Roll: ManagedObject {
        @Attribute var name = ""
        @Relationship(deleteRule: .cascade) var pictures: ObjectSet<Picture>
    }

    private let url = URL(filePath: "/Photos", directoryHint: .notDirectory)
    private let files = CrashingFiles()

    private func open(
        _ change: (inout ManagedDocument.Options) -> Void = { _ in }
    ) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: url, model: [Picture.self, Film.self, Roll.self], options: .savedByHand(change),
            files: files)
    }

    private func commit(_ author: String, _ document: ManagedDocument, _ change: () -> Void)
        async throws
    {
        document.viewContext.transactionAuthor = author
        change()
        try await document.save()
    }

    @Test func `of deleted objects the values are kept that ask for it`() async throws {
        let document = try await open { $0.keepsHistory = true }
        let context = document.viewContext
        let (roll, picture, film) = (
            Roll(context: context), Picture(context: context), Film(context: context)
        )
        try await commit("Ann", document) {
            (picture.code, film.code, film.rating, film.seconds) = ("a", "b", 4, 60)
            (picture.roll, film.roll) = (roll, roll)
        }
        let ids = (roll.objectID, picture.objectID, film.objectID)
        try await commit("Bob", document) { context.delete(roll) }
        try await commit("Ann", document) { _ = Roll(context: context) }
        try await document.close()

        var records: [ChangeRecord] = []
        for try await record in document.changes(since: 0) { records.append(record) }
        let record = try #require(records.first { $0.author == "Bob" })
        #expect(Set(record.deleted) == [ids.0, ids.1, ids.2])
        #expect(record.tombstones.map(\.id) == [ids.2, ids.1])
        #expect(
            record.tombstones.map(\.values) == [
                ["code": .string("b"), "rating": .integer(4), "seconds": .integer(60)],
                ["code": .string("a")],
            ])
        let decoded = try JSONDecoder().decode(
            ChangeRecord.self, from: try JSONEncoder().encode(record))
        #expect(decoded == record && decoded.tombstones == record.tombstones)

        // Who makes the commits again passes them over.
        let again = try await open()
        #expect(try again.viewContext.count(Picture.self) == 0)
        #expect(try again.viewContext.count(Roll.self) == 1)
        let entries = try await again.history()
        #expect(entries.filter { $0.commit.author == "Bob" }.map(\.deletedCount) == [3])
        #expect(
            entries.filter { $0.entities.contains("Film") }.map(\.commit.author) == ["Ann", "Bob"])
        try await again.close()
    }

    private class Animal: ManagedObject {
        @Attribute var name = ""
        @Relationship(inverse: \Club.members) var clubs: ObjectSet<Club>
    }
    private final class Dog: Animal {}
    private final class Club: ManagedObject {
        @Relationship var members: OrderedObjectSet<Animal>
        @Relationship var rooms: OrderedObjectSet<Room>
    }
    private final class Room: ManagedObject {
        @Relationship(inverse: \Club.rooms) var club: Club?
    }

    @Test func `a commit has updated the objects that it only linked, parted or put in order`()
        async throws
    {
        let document = try await ManagedDocument.open(
            at: url, model: [Animal.self, Dog.self, Club.self, Room.self],
            options: .savedByHand { $0.keepsHistory = true },
            files: files)
        let context = document.viewContext
        let (club, dog) = (Club(context: context), Dog(context: context))
        for _ in 0..<2 { club.rooms.append(Room(context: context)) }
        try await document.save()
        let changes: [() -> Void] = [
            { club.members.append(dog) }, { club.rooms.move(from: 0, to: 1) },
            {
                club.members.remove(dog)
                dog.name = "Rex"
            },
            // What is new is not updated, too.
            { Animal(context: context).clubs.insert(club) },
        ]
        for change in changes {
            change()
            try await document.save()
        }
        let history = try await document.history().dropFirst()
        #expect(history.map(\.insertedCount) == [4, 0, 0, 0, 1])
        #expect(history.map(\.updatedCount) == [0, 2, 1, 2, 1])
        #expect(
            history.map { $0.entities.sorted() } == [
                ["Club", "Dog", "Room"], ["Animal", "Club"], ["Club"], ["Club", "Dog"],
                ["Animal", "Club"],
            ])
        try await document.close()
    }

    @Test func `a document that is written anew has the same format`() async throws {
        try await withTemporaryDirectory { directory in
            let document = try await ManagedDocument.open(
                at: directory.appending(path: "Photos"),
                model: [Picture.self, Film.self, Roll.self])
            let film = Film(context: document.viewContext)
            film.code = "a"
            try await document.save()
            document.viewContext.delete(film)
            try await document.close()
            try await checkDocumentFormat(at: document.url)
        }
    }

    @Test func `notes stand in the files, and are no other model`() async throws {
        for format in ManagedDocument.Format.allCases {
            let url = URL(filePath: "/\(format)", directoryHint: .notDirectory)
            let document = try await ManagedDocument.open(
                at: url, model: [Picture.self, Film.self, Roll.self],
                options: .init { $0.format = format },
                files: files)
            try await document.save()
            try await document.close()
            let entities = try await DocumentReader.open(at: url, files: files).schema.entities
            #expect(entities.map(\.userInfo) == [["owner": "Ann"], [:], [:]])
            #expect(
                entities[0].attributes.map(\.userInfo)
                    == [[:], ["unit": "metres", "source": "GPS"], [:]])
        }
    }

    private func commits(_ count: Int, to document: ManagedDocument) async throws {
        for _ in 0..<count {
            try await commit("Ann", document) {
                Roll(context: document.viewContext).name = String(repeating: "long ", count: 200)
            }
            try await document.compact()
        }
    }

    @Test func `commits to which no file snapshot leads are not kept`() async throws {
        let document = try await open { $0.keepsHistory = true }
        try await commits(4, to: document)
        for generation in 1...3 {
            try files.remove(FilePath("/Photos/snapshot-\(generation).json"))
        }
        #expect(try await document.history().map(\.id) == [3, 4])
        #expect(try await document.snapshot(at: 3).count(Roll.self) == 3)
        await #expect(throws: HistoryError.notKept(2, kept: 3...4)) {
            try await document.snapshot(at: 2)
        }
        let reader = try await DocumentReader.open(at: url, files: files)
        #expect(try await reader.history().map(\.id) == [3, 4])
        await #expect(throws: HistoryError.notKept(2, kept: 3...4)) {
            try await DocumentReader.open(at: url, commit: 2, files: files)
        }
        try await document.close()
    }

    @Test func `a document that is only read reads each commit that it lists`() async throws {
        let writer = try await open()
        try await commit("Ann", writer) { _ = Roll(context: writer.viewContext) }
        let reader = try await open { $0.isReadOnly = true }
        for _ in 2...3 {
            try await commit("Ann", writer) { _ = Roll(context: writer.viewContext) }
        }
        #expect(try await reader.history().map(\.id) == [1, 2, 3])
        for number in 1...3 {
            #expect(try await reader.snapshot(at: number).count(Roll.self) == number)
        }
        await #expect(throws: HistoryError.notCommitted(4, latest: 3)) {
            try await reader.snapshot(at: 4)
        }
        #expect(reader.store.commitNumber == 1)
        try await writer.close()
    }

    @Test func `a reader lists the commits of the folder that it opened, wherever that is by now`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "Photos")
            func make(_ count: Int) async throws {
                let document = try await ManagedDocument.open(
                    at: url, model: [Picture.self, Film.self, Roll.self],
                    options: .savedByHand { $0.keepsHistory = true })
                for _ in 0..<count {
                    try await commit("Ann", document) { _ = Roll(context: document.viewContext) }
                }
                try await document.close()
            }
            try await make(2)
            let reader = try await DocumentReader.open(at: url)
            try FileManager.default.moveItem(at: url, to: directory.appending(path: "Moved"))
            try await make(5)
            #expect(try await reader.history().map(\.id) == [0, 1, 2])
        }
    }

    @Test func `a history is there while the disk takes nothing`() async throws {
        let document = try await open { $0.keepsHistory = true }
        try await commits(2, to: document)
        files.fail { _ in 28 }
        _ = Roll(context: document.viewContext)
        try document.viewContext.save()
        #expect(try await document.history().map(\.id) == [0, 1, 2])
        #expect(try await document.snapshot(at: 1).count(Roll.self) == 1)
        await #expect(throws: DocumentError.self) { try await document.snapshot(at: 3) }
        if case .savingError = document.state {} else { Issue.record("\(document.state)") }
        files.mend()
        #expect(try await document.history().map(\.id) == [0, 1, 2, 3])
        try await document.close()
    }

    @Test func `a history ends at an age`() async throws {
        let now = Mutex(Date(timeIntervalSinceReferenceDate: 0))
        let document = try await open {
            $0.keepsHistory = true
            $0.historyLimit = .init(age: .seconds(100))
            $0.now = { now.withLock { $0 } }
        }
        for _ in 0..<10 {
            try await commits(1, to: document)
            now.withLock { $0 += 30 }
        }
        // The commits are of 0, 30 … 270; what ended before 170 is gone, but that what follows goes on from.
        let numbers = try await document.history().map(\.id)
        #expect(numbers == Array(6...10))
        #expect(try await document.snapshot(at: 6).count(Roll.self) == 6)
        now.withLock { $0 += 1_000 }
        try await commits(1, to: document)
        #expect(try await document.history().map(\.id) == [10, 11])
        try await document.close()
    }

    @Test func `a history ends at a size, and takes the files of its values along`() async throws {
        let document = try await open {
            $0.keepsHistory = true
            $0.historyLimit = .init(byteCount: 20_000)
        }
        try await commits(20, to: document)
        let kept = try await document.history().map(\.id)
        #expect(kept.last == 20 && kept.count >= 2 && kept.count < 10)
        let size = try files.list(FilePath("/Photos")).reduce(0) {
            $0 + (try files.status(of: FilePath("/Photos/\($1)"))?.size ?? 0)
        }
        #expect(size < 60_000)
        try await document.close()
        let again = try await open { $0.keepsHistory = true }
        #expect(try await again.history().map(\.id) == kept)
        #expect(try again.viewContext.count(Roll.self) == 20)
    }
}

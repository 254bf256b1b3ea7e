import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// The tags of a library's photos.
@MainActor @Suite(.endsWaiting) struct TagTests {

    private func record(_ identifier: String, tags: [String]) -> PhotoRecord {
        var record = PlacesKitTests.record(identifier)
        record.tags = tags
        return record
    }

    private func rows(_ list: ListController<PhotoTag>) -> [String] {
        list.rows.map { "\($0.title): \($0.subtitle ?? "")" }
    }

    @Test func `tags are counted, those of one name are one, and all photos come first`()
        async throws
    {
        let source = TestSource([
            record("1", tags: ["sea", "Île de la  Cité", "SEA", " "]),
            record("2", tags: ["Sea", "boat"]), record("3", tags: []),
        ])
        try await LibraryFixture.with(source) { library, fixture in
            let byName = try library.tags()
            let byCount = try library.tags(by: .photoCount)
            #expect(byName.message == "No tags yet; fetch some photos.")
            try await library.fetchRecentPhotos()
            #expect(
                rows(byName) == [
                    "All: 3 photos", "Boat: 1 photo", "Île de la Cité: 1 photo", "Sea: 2 photos",
                ])
            #expect(
                byCount.objects.map(\.name) == ["", "sea", "boat", "île de la cité"])
            #expect(byName.objects.map(\.isAll) == [true, false, false, false])
            let photo = try #require(try library.context.find(Photo.self, \.uniqueID, "1"))
            #expect(photo.tagNames == ["sea", "Île de la  Cité", "SEA", " "])
            #expect(Set(photo.tags.map(\.name)) == ["", "sea", "île de la cité"])
            try byName.search("SE")
            #expect(byName.objects.map(\.name) == ["sea"])

            try library.view(record("4", tags: ["boat", "boat"]))
            try library.view(record("5", tags: ["boat"]))
            #expect(byCount.objects.map(\.name) == ["", "boat", "sea", "île de la cité"])
            try await library.close()
            let reopened = try await fixture.open(source)
            #expect(try reopened.tags(by: .photoCount).objects.map(\.photoCount) == [5, 3, 2, 1])
        }
    }

    @Test func `the photos of a tag, and all photos, are listed by title under its first letter`()
        async throws
    {
        let titles = ["beach", "Abbey", "apple", "Émile", "42", "🌊", "Beach"]
        let source = TestSource(
            titles.enumerated().map { number, title in
                var record = record("\(number)", tags: number < 3 ? ["sea"] : [])
                record.title = title
                return record
            })
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            let tags = try library.tags().objects
            let all = try library.photos(tagged: tags[0])
            #expect(all.sectionIndexTitles == ["#", "A", "B", "E"])
            #expect(all.sections.map { $0.rows.count } == [2, 2, 2, 1])
            let sea = try library.photos(tagged: tags[1])
            #expect(sea.objects.map(\.title) == ["Abbey", "apple", "beach"])
            try library.view(record("6", tags: ["sea"]))
            #expect(sea.sections.map(\.title) == ["#", "A", "B"])
            #expect(all.objects.count == titles.count)
        }
    }

    @Test func `a tag goes with its last photo, whatever deletes that, and with its last mention`()
        async throws
    {
        let source = TestSource([record("1", tags: ["a"]), record("2", tags: ["b"])])
        try await LibraryFixture.with(source) { library, fixture in
            func names() throws -> [String] {
                let names = try library.context.fetch(PhotoTag.self).map(\.name).sorted()
                #expect(try library.tags().objects.map(\.name) == names)
                return names
            }
            try await library.fetchRecentPhotos()
            let photo = try #require(try library.context.find(Photo.self, \.uniqueID, "1"))
            try await library.delete(photo)
            #expect(try names() == ["", "b"])
            fixture.clock.advance(by: .seconds(8 * 86_400))
            try await library.prune()
            #expect(try names() == [])

            source.with { $0.photos = [self.record("3", tags: ["c"]), self.record("4", tags: [])] }
            let pin = try library.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            try await library.loadAlbum(of: pin)
            #expect(try names() == ["", "c"])
            try library.remove(try #require(pin.photos.first { $0.uniqueID == "3" }), from: pin)
            #expect(try names() == [""])
            try library.delete(pin)
            #expect(try names() == [])

            try library.view(record("5", tags: ["d", "e"]))
            try library.view(record("5", tags: ["e", "f"]))
            #expect(try names() == ["", "e", "f"])
            source.with { $0.photos = [self.record("5", tags: ["g"])] }
            try await library.fetchRecentPhotos()
            #expect(try names() == ["", "g"])
            try library.context.checkIntegrity()
        }
    }

    @Test func `tags that the options name are ignored, except as words of the photo`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            fixture.options.ignoredTags = ["Portrait", "cs193pspot"]
            let library = try await fixture.open(TestSource())
            let photo = try library.view(record("1", tags: ["portrait", "CS193pSpot", "sea"]))
            #expect(try library.tags().objects.map(\.name) == ["", "sea"])
            #expect(photo.tagNames.count == 3)
        }
    }

    @Test func `a tag that the options name later goes from the photos that have it`() async throws
    {
        try await LibraryFixture.with { fixture in
            do {
                let library = try await fixture.open(TestSource())
                try library.view(record("1", tags: ["sea", "sky"]))
                try await library.close()
            }
            fixture.options.ignoredTags = ["Sea", " "]
            let library = try await fixture.open(TestSource())
            #expect(rows(try library.tags()) == ["All: 1 photo", "Sky: 1 photo"])
            let photo = try library.view(record("1", tags: ["sea", "sky"]))
            try library.view(record("2", tags: ["sea", "sky"]))
            #expect(rows(try library.tags()) == ["All: 2 photos", "Sky: 2 photos"])
            #expect(photo.tagNames == ["sea", "sky"] && photo.tags.count == 2)
            #expect(try library.context.count(PhotoTag.self) == 2)
            try library.context.checkIntegrity()
        }
    }

    @Test func `a tag that gets a photo in the background while it loses its last one stays`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let source = TestSource([record("2", tags: ["a"])])
            let library = try await fixture.open(source)
            let photo = try library.view(record("1", tags: ["a", "b"]))
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            let deleting = Task { try await library.delete(photo) }
            await OverlappingWorkTests.give { photo.isDeleted }
            #expect(try library.tags().objects.isEmpty)
            pause.release()
            _ = try await (fetching.value, deleting.value)
            #expect(try library.tags().objects.map(\.name) == ["", "a"])
            #expect(try library.context.count(PhotoTag.self) == 2)
            try library.context.checkIntegrity()
        }
    }

    @Test(arguments: [[], ["a"]])
    func `a photo that is viewed while a fetch adds it has the tags that it names, and no others`(
        tags: [String]
    ) async throws {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let source = TestSource([record("1", tags: ["a", "b"])])
            let library = try await fixture.open(source)
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            let photo = try library.view(record("1", tags: tags + ["c"]))
            #expect(try library.tags().objects.map(\.name) == [""] + tags + ["c"])
            pause.release()
            _ = try await fetching.value
            #expect(photo.tagNames == ["a", "b"] && photo.tagCount == 3)
            #expect(Set(photo.tags.map(\.name)) == ["", "a", "b"])
            #expect(
                rows(try library.tags()) == ["All: 1 photo", "A: 1 photo", "B: 1 photo"])
            #expect(try library.context.count(PhotoTag.self) == 3)
            try library.context.checkIntegrity()
        }
    }

    @Test func `a photo that a fetch adds while it is viewed has the tags that it names`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let (pause, interruption) = (fixture.pausedClock(), Interruption())
            let now = fixture.options.now
            fixture.options.now = {
                interruption.pass()
                return now()
            }
            let library = try await fixture.open(TestSource([record("1", tags: ["a"])]))
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            // The fetch commits when the viewing asks for the time, and has changed but not saved the photo.
            let store = library.document.store
            let number = store.commitNumber
            interruption.arm {
                pause.release()
                while store.commitNumber == number { sched_yield() }
            }
            let photo = try library.view(record("1", tags: ["b"]))
            _ = try await fetching.value
            #expect(try library.context.fetch(Photo.self).map(\.objectID) == [photo.objectID])
            #expect(!photo.isDeleted && photo.lastViewed != nil && photo.fetched != nil)
            #expect(photo.tagNames == ["b"] && Set(photo.tags.map(\.name)) == ["", "b"])
            #expect(rows(try library.tags()) == ["All: 1 photo", "B: 1 photo"])
            try library.context.checkIntegrity()
        }
    }

    @Test func `what is taken back brings its tags, even those that went meanwhile`() async throws {
        try await LibraryFixture.with(TestSource([record("1", tags: ["a", "b"])])) { library, _ in
            let pin = try library.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            try await library.loadAlbum(of: pin)
            try library.view(record("2", tags: ["a"]))
            let view = library.makeView()
            try view.delete(try view.context.existingObject(Pin.self, with: pin.objectID))
            library.context.refreshAllObjects()
            let tags = try library.tags()
            #expect(rows(tags) == ["All: 1 photo", "A: 1 photo"])
            try await view.undo()
            library.context.refreshAllObjects()
            #expect(rows(tags) == ["All: 2 photos", "A: 2 photos", "B: 1 photo"])
            try await view.redo()
            library.context.refreshAllObjects()
            #expect(rows(tags) == ["All: 1 photo", "A: 1 photo"])
            #expect(try library.context.count(PhotoTag.self) == 2)
        }
    }

    /// The photos of a library before it had tags.
    private enum Former {
        final class Photo: ManagedObject {
            @Attribute(.unique) var uniqueID: String
            @Attribute var title = ""
            @Attribute var tagLines = ""
        }
    }

    @Test func `photos of an earlier library get their tags when it is opened`() async throws {
        try await LibraryFixture.with { fixture in
            let url = fixture.folder.appending(path: "Library")
            let document = try await ManagedDocument.open(at: url, model: [Former.Photo.self])
            for (number, lines) in ["sea\nÎle de la Cité", "", "Sea"].enumerated() {
                let photo = try document.viewContext.findOrInsert(
                    Former.Photo.self, \.uniqueID, "\(number)")
                (photo.title, photo.tagLines) = ("photo \(number)", lines)
            }
            try await document.save()
            try await document.close()

            fixture.options.document.isReadOnly = true
            #expect(try await fixture.open(TestSource()).tags().objects.isEmpty)
            fixture.options.document.isReadOnly = false
            for _ in 0..<2 {
                let library = try await fixture.open(TestSource())
                let tags = try library.tags()
                #expect(
                    rows(tags) == ["All: 3 photos", "Île de la Cité: 1 photo", "Sea: 2 photos"])
                let all = try library.photos(tagged: tags.objects[0])
                #expect(all.sections.map(\.title) == ["P"] && all.objects.count == 3)
                try await library.close()
            }
        }
    }

    @Test func `lists of tags are compiled, and known photos do not touch them`() async throws {
        let source = TestSource((0..<9).map { self.record("\($0)", tags: ["a", "\($0)"]) })
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            let tags = try library.tags(by: .photoCount)
            var told = 0
            tags.onChange = { _ in told += 1 }
            try await library.fetchRecentPhotos()
            #expect(told == 0 && tags.objects.count == 11)
            try library.view(record("9", tags: ["a"]))
            #expect(told == 1 && tags.objects[1].photoCount == 10)

            let photos = try #require(try library.photos(tagged: tags.objects[1]).request)
            let unlinked = FetchRequest<Photo>(
                predicate: #Predicate { $0.tagCount != $0.tags.count })
            for request in [photos, unlinked] {
                #expect(try request.explain(in: library.context).notCompiled.isEmpty)
            }
            #expect(try library.context.count(unlinked) == 0)
        }
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Photos that a person deleted, and what may bring them back.
@MainActor @Suite(.endsWaiting) struct DeletedPhotoTests {
    private let point = Coordinate(latitude: 1, longitude: 2)

    private func photo(_ identifier: String, in library: PlacesLibrary) throws -> Photo? {
        try library.context.find(Photo.self, \.uniqueID, identifier)
    }

    private func identifiers(_ library: PlacesLibrary) throws -> [String] {
        try library.context.fetch(Photo.self).map(\.uniqueID).sorted()
    }

    @Test func `a deleted photo comes back with no fetch, place or album, also after a relaunch`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let source = TestSource([record("1"), record("2"), record("3")])
            do {
                let library = try await fixture.open(source)
                try await library.fetchRecentPhotos()
                try await library.delete(try #require(try photo("2", in: library)))
                #expect(try library.deletedPhotos().rows.map(\.title) == ["2"])
                try await library.close()
            }
            let library = try await fixture.open(source)
            let fetch = try await library.fetchRecentPhotos()
            #expect(!fetch.hasNewData && fetch.knownPhotos == 2)
            let place = try #require(try library.context.fetch(Place.self).first)
            #expect(try await library.loadPhotos(of: place).map(\.uniqueID) == ["1", "3"])
            let pin = try library.dropPin(at: point)
            try await library.loadAlbum(of: pin)
            #expect(pin.photos.map(\.uniqueID).sorted() == ["1", "3"] && pin.albumState == .ready)
            #expect(try identifiers(library) == ["1", "3"])
        }
    }

    @Test func `a deleted photo's picture leaves the disk`() async throws {
        try await LibraryFixture.with(TestSource([record("1"), record("2")])) { library, fixture in
            let pin = try library.dropPin(at: point)
            try await library.loadAlbum(of: pin)
            try await library.delete(try #require(try photo("1", in: library)))
            try await library.close()
            let folder = fixture.folder.appending(path: "Library/blobs")
            let files = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
            #expect(try files.map { try Data(contentsOf: $0) } == [.picture("2-large")])
        }
    }

    @Test func `a photo is deleted also where its picture can't leave the disk`() async throws {
        try await LibraryFixture.with { fixture in
            let source = TestSource([record("1"), record("2")])
            do {
                let library = try await fixture.open(source)
                let pin = try library.dropPin(at: point)
                try await library.loadAlbum(of: pin)
                try await library.close()
            }
            // After a snapshot of the highest number there is none.
            let folder = fixture.folder.appending(path: "Library")
            let snapshot = try #require(
                try FileManager.default.contentsOfDirectory(
                    at: folder, includingPropertiesForKeys: nil
                ).first { $0.lastPathComponent.hasPrefix("snapshot-") })
            let last = "snapshot-\(Int64.max / 2).\(snapshot.pathExtension)"
            try FileManager.default.copyItem(at: snapshot, to: folder.appending(path: last))
            do {
                let library = try await fixture.open(source)
                try await library.delete(try #require(try photo("1", in: library)))
                try await library.close()
            }
            let library = try await fixture.open(source)
            #expect(try identifiers(library) == ["2"])
        }
    }

    @Test func `a photo that is forgotten, viewed or taken back may be there again`() async throws {
        let source = TestSource((0..<4).map { record("\($0)") })
        try await LibraryFixture.with(source) { library, fixture in
            try await library.fetchRecentPhotos()
            let view = library.makeView()
            for identifier in ["0", "1", "2", "3"] {
                fixture.clock.advance(by: .seconds(1))
                try await view.delete(try #require(try photo(identifier, in: view)))
            }
            library.context.refreshAllObjects()
            let deleted = try library.deletedPhotos()
            #expect(deleted.objects.map(\.uniqueID) == ["3", "2", "1", "0"])
            #expect(deleted.objects.map(\.date).max() == fixture.now)

            try await view.undo()
            library.context.refreshAllObjects()
            #expect(try identifiers(library) == ["3"])
            #expect(deleted.objects.map(\.uniqueID) == ["2", "1", "0"])
            try library.view(record("0"))
            #expect(deleted.objects.map(\.uniqueID) == ["2", "1"])
            #expect(try deleted.delete(deleted.objects[0]))
            try await library.fetchRecentPhotos()
            #expect(try identifiers(library) == ["0", "2", "3"])
            #expect(try library.forgetDeletions(of: ["1", "1", "unknown"]) == 1)
            #expect(try library.forgetDeletions() == 0 && deleted.objects.isEmpty)
            #expect(deleted.message == "No photo was deleted.")
            try await library.fetchRecentPhotos()
            #expect(try identifiers(library) == ["0", "1", "2", "3"])
        }
    }

    @Test func `what is removed from its last album stays away from the next collection`()
        async throws
    {
        let source = TestSource((0..<3).map { record("\($0)") })
        try await LibraryFixture.with(source) { library, _ in
            let (first, second) = (try library.dropPin(at: point), try library.dropPin(at: point))
            try await library.loadAlbum(of: first)
            try await library.loadAlbum(of: second)
            let (one, other) = (
                try #require(try photo("0", in: library)), try #require(try photo("1", in: library))
            )
            try library.remove(one, from: first)
            #expect(try library.deletedPhotos().objects.isEmpty && !one.isDeleted)
            try library.remove(one, from: second)
            #expect(one.isDeleted)
            try library.view(other)
            try library.remove(other, from: first)
            try library.remove(other, from: second)
            #expect(try library.deletedPhotos().objects.map(\.uniqueID) == ["0"])
            try await library.newCollection(of: first)
            #expect(first.photos.map(\.uniqueID).sorted() == ["1", "2"])

            for photo in Array(first.photos) { try await library.delete(photo) }
            try await library.newCollection(of: first)
            #expect(first.photos.isEmpty && first.albumState == .ready)
        }
    }

    @Test func `what is pruned, or goes with a pin or an old collection, may come back`()
        async throws
    {
        let source = TestSource((0..<30).map { record("\($0)") })
        try await LibraryFixture.with(source) { library, fixture in
            let pin = try library.dropPin(at: point)
            try await library.loadAlbum(of: pin)
            try await library.newCollection(of: pin)
            try library.move(pin, to: Coordinate(latitude: 3, longitude: 4))
            try await library.loadAlbum(of: pin)
            try library.delete(pin)
            try await library.fetchRecentPhotos()
            fixture.clock.advance(by: .seconds(8 * 86_400))
            #expect(try await library.prune().photos == 30)
            #expect(try library.deletedPhotos().objects.isEmpty)
            #expect(try await library.fetchRecentPhotos().newPhotos == 30)
        }
    }

    @Test func `a deletion is remembered for a year`() async throws {
        let source = TestSource((0..<3).map { record("\($0)") })
        try await LibraryFixture.with(source) { library, fixture in
            try await library.fetchRecentPhotos()
            let deleted = try library.deletedPhotos()
            for identifier in ["0", "1"] {
                try await library.delete(try #require(try photo(identifier, in: library)))
                fixture.clock.advance(by: .seconds(PlacesLibrary.deletionMemory / 2 + 1))
            }
            #expect(deleted.objects.map(\.uniqueID) == ["1", "0"])
            try await library.delete(try #require(try photo("2", in: library)))
            #expect(deleted.objects.map(\.uniqueID) == ["2", "1"])
            fixture.clock.advance(by: .seconds(PlacesLibrary.deletionMemory + 1))
            try await library.prune()
            #expect(deleted.objects.isEmpty)
        }
    }

    @Test func `the photo that was deleted last comes first, whatever the clock says`()
        async throws
    {
        let source = TestSource((0..<3).map { record("\($0)") })
        try await LibraryFixture.with(source) { library, fixture in
            try await library.fetchRecentPhotos()
            for identifier in ["2", "0", "1"] {
                try await library.delete(try #require(try photo(identifier, in: library)))
                fixture.clock.advance(by: .seconds(-60))
            }
            #expect(try library.deletedPhotos().objects.map(\.uniqueID) == ["1", "0", "2"])
        }
    }

    @Test func `a photo that is deleted while a fetch finds it again stays deleted`() async throws {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let source = TestSource([record("1")])
            let library = try await fixture.open(source)
            let pin = try library.dropPin(at: point)
            try await library.loadAlbum(of: pin)
            source.with { $0.photos = [record("1", title: "new")] }
            let album = try #require(pin.photos.first)
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            try library.remove(album, from: pin)
            pause.release()
            _ = try await fetching.value
            #expect(try identifiers(library).isEmpty)
            #expect(try library.deletedPhotos().objects.map(\.uniqueID) == ["1"])
            try library.context.checkIntegrity()
        }
    }

    @Test func `a photo that is deleted during a fetch stays away though the clock went back`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let source = TestSource([record("1"), record("2")])
            let library = try await fixture.open(source)
            try await library.fetchRecentPhotos()
            source.with { $0.photos = [record("1", title: "new"), record("2", title: "new")] }
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            fixture.clock.advance(by: .seconds(-60))
            try await library.delete(try #require(try photo("1", in: library)))
            pause.release()
            _ = try await fetching.value
            #expect(try identifiers(library) == ["2"])
            #expect(try library.deletedPhotos().objects.map(\.uniqueID) == ["1"])
            try library.context.checkIntegrity()
        }
    }

    @Test func `a deletion that comes back by an undo counts for the fetch under way`() async throws
    {
        try await LibraryFixture.with { fixture in
            let pause = fixture.pausedClock()
            let library = try await fixture.open(TestSource([record("1"), record("2")]))
            try await library.fetchRecentPhotos()
            try await library.delete(try #require(try photo("1", in: library)))
            fixture.clock.advance(by: .seconds(60))
            let desk = library.makeView()
            #expect(try desk.forgetDeletions() == 1)
            pause.arm()
            let fetching = Task { try await library.fetchRecentPhotos() }
            try await wait { pause.isHolding }
            try await desk.undo()
            pause.release()
            _ = try await fetching.value
            #expect(try identifiers(library) == ["2"])
            #expect(try library.deletedPhotos().objects.map(\.uniqueID) == ["1"])
            try library.context.checkIntegrity()
        }
    }

    @Test func `nothing is forgotten in a library that is only read`() async throws {
        try await LibraryFixture.with { fixture in
            try await fixture.open(TestSource()).close()
            fixture.options.document.isReadOnly = true
            let library = try await fixture.open(TestSource())
            #expect(try library.deletedPhotos().objects.isEmpty)
            #expect(throws: DocumentError.self) { try library.forgetDeletions() }
        }
    }

    @Test func `a photo that others brought back is not deleted after an undo`() async throws {
        let source = TestSource([record("1", title: "new")])
        try await LibraryFixture.with(source) { library, _ in
            let view = library.makeView()
            try await library.delete(try library.view(record("1")))
            view.context.refreshAllObjects()
            try view.view(record("1"))
            library.context.refreshAllObjects()
            try await library.delete(try #require(try photo("1", in: library)))
            try library.view(record("1"))
            try await view.undo()
            library.context.refreshAllObjects()
            #expect(try identifiers(library) == ["1"])
            #expect(try library.deletedPhotos().objects.isEmpty)
            try await library.fetchRecentPhotos()
            #expect(try photo("1", in: library)?.title == "new")
        }
    }

    @Test func `an undo remembers no deletion that was forgotten as too old`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            try await library.delete(try library.view(record("old")))
            fixture.clock.advance(by: .seconds(PlacesLibrary.deletionMemory + 1))
            try library.view(record("new"))
            let view = library.makeView()
            try await view.delete(try #require(try photo("new", in: view)))
            try await view.undo()
            library.context.refreshAllObjects()
            #expect(try identifiers(library) == ["new"])
            #expect(try library.deletedPhotos().objects.isEmpty)
        }
    }
}

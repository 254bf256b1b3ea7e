import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Several views of one library, each of which takes back what it did itself.
@MainActor @Suite(.endsWaiting) struct LibraryViewTests {
    private let paris = Coordinate(latitude: 48.85, longitude: 2.35)
    private let rome = Coordinate(latitude: 41.9, longitude: 12.5)

    @Test func `what one view saves shows in the others, and only it takes it back`() async throws {
        try await LibraryFixture.with(TestSource([record("1")])) { library, _ in
            let (first, second) = (library.makeView(), library.makeView())
            let pin = try first.dropPin(at: paris, named: "Home")
            first.context.processPendingChanges()
            #expect(try same(pin, in: second).name == "Home")
            #expect(!second.context.canUndo && !library.context.canUndo && first.context.canUndo)

            try second.move(try same(pin, in: second), to: rome)
            try await second.undo()
            #expect(try same(pin, in: library).coordinate == paris)
            try await first.undo()
            second.context.refreshAllObjects()
            #expect(pin.isDeleted && second.context.object(with: pin.objectID) == nil)
            try await first.redo()
            #expect(try same(pin, in: second).name == "Home")
        }
    }

    @Test func `a deleted pin comes back with its album and its pictures, also after a relaunch`()
        async throws
    {
        try await LibraryFixture.with(TestSource((0..<3).map { record("\($0)") })) {
            library, fixture in
            let pin = try library.dropPin(at: paris, named: "Home")
            try await library.loadAlbum(of: pin)
            let view = library.makeView()
            try view.delete(try same(pin, in: view))
            library.context.refreshAllObjects()
            #expect(pin.isDeleted)
            #expect(try library.context.count(Photo.self) == 0)
            try await view.undo()
            #expect(try same(pin, in: library).photos.count == 3)
            try await library.close()

            let reopened = try await fixture.open(TestSource())
            let album = try #require(try reopened.pins().objects.first).photos
            #expect(album.count == 3 && album.allSatisfy { $0.picture != nil })
        }
    }

    @Test func `a view acts on what others have just saved, whether it was told or not`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let source = TestSource((0..<30).map { record("\($0)") })
            let library = try await fixture.open(source)
            let view = library.makeView()
            let pin = try library.dropPin(at: paris)
            #expect(try await view.resumeAlbums().isEmpty)
            #expect(pin.albumState == .ready)

            let other = try same(pin, in: view)
            try library.move(pin, to: rome)
            // Of the new point nobody knows a second page.
            try await view.newCollection(of: other)
            #expect(source.with { $0.pagesAsked } == [1, 1])

            library.context.refreshAllObjects()
            try library.remove(try #require(pin.photos.first), from: pin)
            #expect(try view.forgetDeletions() == 1)
        }
    }

    @Test func `a list deletes its rows also where nobody else keeps its view`() async throws {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource())
            let pin = try library.dropPin(at: paris)
            let pins = try library.makeView().pins()
            #expect(try pins.delete(try #require(pins.objects.first)))
            library.context.refreshAllObjects()
            #expect(pins.objects.isEmpty && pin.isDeleted)
        }
    }

    @Test func `closing a view saves what was changed in it`() async throws {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource())
            let view = library.makeView()
            try same(try library.dropPin(at: paris, named: "Home"), in: view).name = "Office"
            try await view.close()
            try await view.close()
            let reopened = try await fixture.open(TestSource())
            #expect(try reopened.pins().rows.map(\.title) == ["Office"])
        }
    }

    @Test func `the pictures on disk follow what is taken back`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let photo = try library.view(record("1"))
            let view = library.makeView()
            try await view.setFavorite(true, for: try same(photo, in: view))
            #expect(fixture.imageFiles.count == 1)
            try await view.undo()
            #expect(fixture.imageFiles.isEmpty)
            library.context.refreshAllObjects()
            #expect(!photo.isFavorite)
            try await view.redo()
            #expect(fixture.imageFiles.count == 1)
        }
    }

    @Test func `what others did since stays when something is taken back`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let pin = try library.dropPin(at: paris, named: "Home")
            let view = library.makeView()
            try view.move(try same(pin, in: view), to: rome)
            library.context.refreshAllObjects()
            pin.name = "Office"
            try library.context.save()
            try await view.undo()
            #expect(try same(pin, in: library).name == "Office")
            #expect(pin.coordinate == paris)
        }
    }

    @Test func `an album is loaded once, whichever view asks`() async throws {
        let source = TestSource([record("1")])
        source.with { $0.picturesBeforeGate = 0 }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris, named: "Home")
            let view = library.makeView()
            let loading = Task { try await library.loadAlbum(of: pin) }
            while !library.isLoadingAlbum(of: pin) { await Task.yield() }
            let other = try same(pin, in: view)
            #expect(view.isLoadingAlbum(of: other))
            await #expect(throws: PlacesError.self) { try await view.loadAlbum(of: other) }
            loading.cancel()
            _ = await loading.result
        }
    }

    @Test func `nothing is taken back in a library that is only read`() async throws {
        try await LibraryFixture.with { fixture in
            try await fixture.open(TestSource()).close()
            fixture.options.document.isReadOnly = true
            let view = try await fixture.open(TestSource()).makeView()
            await #expect(throws: DocumentError.self) { try await view.undo() }
            await #expect(throws: DocumentError.self) { try await view.redo() }
        }
    }

    @Test func `an undo takes back what the user did, not what the library brought`() async throws {
        let source = TestSource((0..<30).map { record("\($0)", in: "place \($0 % 3)") })
        source.with { $0.regions = ["place 0": "A", "place 1": "B", "place 2": "C"] }
        try await LibraryFixture.with(source) { library, _ in
            let view = library.makeView()
            let pin = try view.dropPin(at: paris)
            try await view.loadAlbum(of: pin)
            try await view.newCollection(of: pin)
            try await view.fetchRecentPhotos()
            try view.setMapRegion(
                MapRegion(center: rome, latitudeDelta: 1, longitudeDelta: 1))
            #expect(!pin.photos.isEmpty && pin.albumState == .ready)
            try await view.undo()
            #expect(pin.isDeleted && !view.context.canUndo)
            #expect(try view.topRegions().objects.map(\.name) == ["A", "B", "C"])
            #expect(try view.mapRegion()?.center == rome)
        }
    }

    @Test func `an album whose pin an undo takes away leaves no photo that nothing else keeps`()
        async throws
    {
        try await LibraryFixture.with(TestSource((0..<9).map { record("\($0)") })) { library, _ in
            let view = library.makeView()
            let pin = try view.dropPin(at: paris)
            view.context.processPendingChanges()
            try await library.loadAlbum(of: try same(pin, in: library))
            let kept = try #require(try library.context.fetch(Photo.self).first)
            try library.view(kept)
            view.context.refreshAllObjects()
            try await view.undo()
            library.context.refreshAllObjects()
            #expect(try library.context.fetch(Photo.self).map(\.uniqueID) == [kept.uniqueID])
            #expect(kept.picture == nil && kept.pictureState == .unwanted)
            try await view.redo()
            library.context.refreshAllObjects()
            let again = try #require(try library.pins().objects.first)
            try await library.loadAlbum(of: again)
            #expect(again.photos.count == 9 && again.albumState == .ready)
        }
    }

    @Test func `a photo that comes back is in the region that its place has by now`() async throws {
        try await LibraryFixture.with { fixture in
            let source = TestSource([record("2", in: "place")])
            source.with { $0.regions = ["place": "Region"] }
            let library = try await fixture.open(source)
            let view = library.makeView()
            let photo = try view.view(record("1", in: "place"))
            try await view.delete(photo)
            try await library.fetchRecentPhotos()
            try await view.undo()
            #expect(photo.region?.name == "Region")
            #expect(try view.topRegions().rows.map(\.subtitle) == ["1 photographer, 2 photos"])
        }
    }

    @Test func `an undo of a viewing leaves what a fetch found in the same place since`()
        async throws
    {
        let source = TestSource((0..<3).map { record("\($0)", in: "place") })
        source.with { $0.regions = ["place": "Region"] }
        try await LibraryFixture.with(source) { library, _ in
            let view = library.makeView()
            try view.view(record("0", in: "place"))
            try await library.fetchRecentPhotos()
            try await view.undo()
            library.context.refreshAllObjects()
            let photos = try library.context.fetch(Photo.self)
            #expect(photos.map(\.uniqueID).sorted() == ["0", "1", "2"])
            for photo in photos {
                #expect(photo.lastViewed == nil && photo.fetched != nil)
                #expect(photo.takenAt?.identifier == "place" && photo.region?.name == "Region")
                #expect(photo.takenBy?.name == "ada" && photo.tags.count == photo.tagCount)
            }
            #expect(
                try library.topRegions().rows.map(\.subtitle) == ["1 photographer, 3 photos"])
        }
    }

    @Test func `a photo that came by viewing it goes by an undo, unless others view or mark it`()
        async throws
    {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let view = library.makeView()
            let (alone, viewed, marked) = (
                try view.view(record("alone")), try view.view(record("viewed")),
                try view.view(record("marked"))
            )
            fixture.clock.advance(by: .seconds(1))
            try library.view(try same(viewed, in: library))
            try await library.setFavorite(true, for: try same(marked, in: library))
            for _ in 0..<3 { try await view.undo() }
            library.context.refreshAllObjects()
            let photos = try library.context.fetch(Photo.self)
            #expect(photos.map(\.uniqueID).sorted() == ["marked", "viewed"])
            #expect(try library.history().objects.map(\.uniqueID) == ["viewed"])
            #expect(viewed.lastViewed == fixture.now && viewed.lastViewedSection != "")
            #expect(marked.isFavorite && alone.isDeleted && fixture.imageFiles.count == 1)
            for _ in 0..<3 { try await view.redo() }
            #expect(!alone.isDeleted && alone.takenAt != nil && alone.lastViewed != nil)
        }
    }

    @Test func `a photo that others viewed since stays when its album is deleted again`()
        async throws
    {
        try await LibraryFixture.with(TestSource((0..<3).map { record("\($0)") })) { library, _ in
            let view = library.makeView()
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            try view.delete(try same(pin, in: view))
            try await view.undo()
            let photo = try #require(try same(pin, in: library).photos.first)
            try library.view(photo)
            try await view.redo()
            library.context.refreshAllObjects()
            #expect(try library.context.fetch(Photo.self).map(\.uniqueID) == [photo.uniqueID])
            #expect(photo.picture == nil && photo.pictureState == .unwanted)
            #expect(try library.tags().rows.map(\.subtitle) == ["1 photo"])
        }
    }

    @Test func `an undo leaves the day of a viewing by others`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let photo = try library.view(record("1"))
            fixture.clock.advance(by: .seconds(86_400))
            let view = library.makeView()
            try view.view(try same(photo, in: view))
            fixture.clock.advance(by: .seconds(1))
            library.context.refreshAllObjects()
            try library.view(photo)
            try await view.undo()
            library.context.refreshAllObjects()
            #expect(photo.lastViewed == fixture.now)
            #expect(library.title(ofDay: photo.lastViewedSection) == "Today")
        }
    }

    @Test func `pruning is no step that an undo takes back or a redo makes again`() async throws {
        let source = TestSource((0..<3).map { record("\($0)", by: "\($0)", in: "place") })
        source.with { $0.regions = ["place": "Region"] }
        try await LibraryFixture.with(source) { library, fixture in
            try await library.fetchRecentPhotos()
            fixture.clock.advance(by: .seconds(8 * 86_400))
            let view = library.makeView()
            let pin = try view.dropPin(at: paris)
            #expect(try await view.prune().regions == 1)
            try await view.undo()
            #expect(pin.isDeleted && !view.context.canUndo)
            #expect(try view.context.count(Place.self) == 0)
            #expect(try view.context.count(Photographer.self) == 0)

            try await library.fetchRecentPhotos()
            try await view.redo()
            library.context.refreshAllObjects()
            for photo in try library.context.fetch(Photo.self) {
                #expect(photo.takenAt != nil && photo.region != nil && photo.takenBy != nil)
            }
            #expect(
                try library.topRegions().rows.map(\.subtitle) == ["3 photographers, 3 photos"])
        }
    }
}

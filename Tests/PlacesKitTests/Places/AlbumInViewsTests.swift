import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Albums that one view loads while another one deletes, moves or empties them.
@MainActor @Suite(.endsWaiting) struct AlbumInViewsTests {
    enum Change: CaseIterable {
        case delete, move, deleteAndCancel
    }

    private let paris = Coordinate(latitude: 48.85, longitude: 2.35)
    private let rome = Coordinate(latitude: 41.9, longitude: 12.5)

    /// Another view, which shows what others save only when it begins or saves something itself.
    private func slowView(of library: PlacesLibrary) -> PlacesLibrary {
        let view = library.makeView()
        view.context.automaticallyMergesChangesFromParent = false
        return view
    }

    /// An album of the photos 0 to 2 that a slow view loads, with all pictures on their way; the first photo is also
    /// kept as viewed.
    @MainActor private struct Loading {
        let fixture: LibraryFixture
        let source: TestSource
        let library: PlacesLibrary
        let pin: Pin
        let desk: PlacesLibrary
        let task: Task<Void, any Error>

        /// Lets the pictures come, and waits until the load has ended.
        func finish() async {
            source.with { $0.picturesBeforeGate = .max }
            _ = await task.result
        }
    }

    private func loading(_ body: @MainActor (Loading) async throws -> Void) async throws {
        let source = TestSource((0..<3).map { record("\($0)") })
        source.with { $0.picturesBeforeGate = 0 }
        try await LibraryFixture.with(source) { library, fixture in
            try library.view(record("0"))
            let pin = try library.dropPin(at: paris)
            let desk = slowView(of: library)
            let ofDesk = try same(pin, in: desk)
            let task = Task { try await desk.loadAlbum(of: ofDesk) }
            try await wait {
                source.with { $0.picturesAsked.count } == 3
                    && ofDesk.photos.allSatisfy { $0.pictureState == .loading }
            }
            try await body(
                Loading(
                    fixture: fixture, source: source, library: library, pin: pin, desk: desk,
                    task: task))
        }
    }

    /// Checks that photos without an album have nothing of one, and that those alone stay that are kept besides.
    private func checkPhotosWithoutAlbum(_ library: PlacesLibrary) throws {
        library.context.refreshAllObjects()
        let photos = try library.context.fetch(Photo.self).filter { $0.pins.isEmpty }
        #expect(photos.map(\.uniqueID) == ["0"])
        #expect(photos.allSatisfy { $0.picture == nil && $0.pictureState == .unwanted })
    }

    @Test(arguments: Change.allCases)
    func `a pin that another view deletes or moves while its album loads keeps nothing of it`(
        change: Change
    ) async throws {
        try await loading { loading in
            let (library, pin) = (loading.library, loading.pin)
            loading.source.with { $0.photos = [record("rome")] }
            switch change {
            case .delete: try library.delete(pin)
            case .move: try library.move(pin, to: rome)
            case .deleteAndCancel:
                try library.delete(pin)
                loading.task.cancel()
            }
            await loading.finish()
            // This saves whatever the view has not saved yet.
            try loading.desk.dropPin(at: rome)
            try checkPhotosWithoutAlbum(library)
            #expect(pin.isDeleted == (change != .move))
            if change == .move { #expect(pin.photos.map(\.uniqueID) == ["rome"]) }
        }
    }

    @Test func `who deletes a pin ends what came into its album since they last looked`()
        async throws
    {
        try await loading { loading in
            let reader = slowView(of: loading.library)
            let pin = try same(loading.pin, in: reader)
            await loading.finish()
            #expect(!pin.photos.contains { $0.picture != nil })
            try reader.delete(pin)
            try checkPhotosWithoutAlbum(loading.library)
        }
    }

    @Test func `a photo that goes with another view's pin does not come back when it is viewed`()
        async throws
    {
        try await loading { loading in
            await loading.finish()
            let desk = loading.desk
            let photos = try desk.context.fetch(Photo.self)
            try loading.library.delete(loading.pin)
            for photo in photos where photo.uniqueID != "0" {
                try desk.view(photo)
                try await desk.setFavorite(true, for: photo)
            }
            try checkPhotosWithoutAlbum(loading.library)
            #expect(loading.fixture.imageFiles.isEmpty)
        }
    }

    @Test func `a pin that another view deletes while its photos are searched stays deleted`()
        async throws
    {
        let (source, gate) = (FakePhotoSource(), Gate())
        source.answerPhotosInArea(
            .run {
                await gate.wait()
                return PhotoPage(page: 1, usablePages: 1, photos: [record("1")])
            })
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let desk = slowView(of: library)
            let ofDesk = try same(pin, in: desk)
            let loading = Task { try await desk.loadAlbum(of: ofDesk) }
            try await wait { !source.calls.isEmpty }
            try library.delete(pin)
            gate.open()
            try await loading.value
            library.context.refreshAllObjects()
            #expect(try library.context.count(Pin.self) == 0)
            #expect(try library.context.count(Photo.self) == 0)
        }
    }

    @Test func `a view refuses the objects of another one, and goes on as if nothing was`()
        async throws
    {
        try await LibraryFixture.with(TestSource([record("1")])) { library, fixture in
            try await library.loadTopPlaces()
            try await library.fetchRecentPhotos()
            let photo = try library.view(record("1"))
            let pin = try library.dropPin(at: paris)
            let place = try #require(photo.takenAt)
            let tag = try #require(photo.tags.first { _ in true })
            let view = library.makeView()
            let calls: [(String, ManagedObject, @MainActor () async throws -> Void)] = [
                ("view", photo, { try view.view(photo) }),
                ("removeFromRecents", photo, { try view.removeFromRecents(photo) }),
                ("setFavorite", photo, { try await view.setFavorite(true, for: photo) }),
                ("toggleFavorite", photo, { try await view.toggleFavorite(photo) }),
                ("delete a photo", photo, { try await view.delete(photo) }),
                ("picture", photo, { _ = try await view.picture(of: photo) }),
                ("thumbnail", photo, { _ = try await view.thumbnail(of: photo) }),
                ("move", pin, { try view.move(pin, to: rome) }),
                ("delete a pin", pin, { try view.delete(pin) }),
                ("loadAlbum", pin, { try await view.loadAlbum(of: pin) }),
                ("newCollection", pin, { try await view.newCollection(of: pin) }),
                ("album", pin, { _ = try view.album(of: pin) }),
                ("remove", photo, { try view.remove(photo, from: pin) }),
                ("loadPhotos", place, { try await view.loadPhotos(of: place) }),
                ("photos of a place", place, { _ = try view.photos(of: place) }),
                ("favorites of a place", place, { _ = try view.photos(.favorites, of: place) }),
                ("photos of a tag", tag, { _ = try view.photos(tagged: tag) }),
            ]
            for (name, object, call) in calls {
                let refusal = PlacesError.objectOfAnotherView(object.objectID)
                await #expect(throws: refusal, "\(name)") { try await call() }
                #expect(!view.context.hasChanges && !library.context.hasChanges, "\(name)")
            }
            #expect(!photo.isFavorite && fixture.imageFiles.isEmpty)
            try view.delete(try same(pin, in: view))
            try await view.fetchRecentPhotos()
        }
    }
}

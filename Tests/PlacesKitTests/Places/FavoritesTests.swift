import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@MainActor @Suite(.endsWaiting) struct FavoritesTests {
    private let offline = PhotoSourceError.notConnected(reason: "no network")

    @Test func `marking a favorite stores its picture on disk, unmarking deletes it`() async throws
    {
        let source = TestSource()
        try await LibraryFixture.with(source) { library, fixture in
            let photo = try library.view(record("1"))
            try await library.toggleFavorite(photo)
            #expect(fixture.imageFiles.count == 1)
            try await library.setFavorite(true, for: photo)
            #expect(source.with { $0.picturesAsked } == ["1-large"])
            try await library.toggleFavorite(photo)
            #expect(fixture.imageFiles.isEmpty && !photo.isFavorite)
            try await library.setFavorite(false, for: photo)
        }
    }

    @Test func `a favorite is shown from disk without a network`() async throws {
        try await LibraryFixture.with { fixture in
            fixture.options.images.memoryByteLimit = 0
            let source = TestSource()
            let library = try await fixture.open(source)
            let photo = try library.view(record("1"))
            let other = try library.view(record("2"))
            try await library.setFavorite(true, for: photo)
            source.with { $0.failure = offline }
            #expect(try await library.picture(of: photo) == .picture("1-large"))
            await #expect(throws: PhotoSourceError.self) { try await library.picture(of: other) }
        }
    }

    @Test func `a place has favorites exactly when one of its photos is one`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let (a, b) = (try library.view(record("a")), try library.view(record("b")))
            let place = try #require(a.takenAt)
            let list = try library.places(.favorites)
            #expect(!place.hasFavorites && list.objects.isEmpty)
            try await library.setFavorite(true, for: a)
            try await library.setFavorite(true, for: b)
            #expect(place.hasFavorites && list.objects.count == 1)
            try await library.setFavorite(false, for: a)
            #expect(place.hasFavorites)
            try await library.delete(b)
            #expect(!place.hasFavorites && list.objects.isEmpty && fixture.imageFiles.isEmpty)
        }
    }

    @Test func `a photo that is deleted while it becomes a favorite leaves no picture on disk`()
        async throws
    {
        let source = TestSource()
        try await LibraryFixture.with(source) { library, fixture in
            for turns in [0, 1, 2, 4, 8, 16, 32, 64] {
                let photo = try library.view(record("\(turns)"))
                let marking = Task { try await library.setFavorite(true, for: photo) }
                for _ in 0..<turns { await Task.yield() }
                try await library.delete(photo)
                _ = await marking.result
                #expect(photo.isDeleted && fixture.imageFiles.isEmpty, "after \(turns) turns")
            }
        }
    }

    @Test func `favorite places by name lead to their favorite photos, live`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let places = ["Rome, Italy", "Paris, France", "Oslo, Norway"]
            var photos: [Photo] = []
            for (number, name) in (places + places).enumerated() {
                let place = PlaceRecord(identifier: name, name: name)
                photos.append(try library.view(record("\(number)", in: name), in: place))
            }
            let list = try library.places(.favorites)
            for photo in photos[0...1] { try await library.setFavorite(true, for: photo) }
            #expect(list.objects.map(\.title) == ["Paris", "Rome"])
            let rome = try library.photos(.favorites, of: photos[0].takenAt)
            #expect(rome.objects.map(\.title) == ["0"])
            try await library.setFavorite(true, for: photos[3])
            #expect(rome.objects.map(\.title) == ["0", "3"])
            #expect(try library.photos(.favorites).objects.count == 3)
            #expect(try library.places(.viewed).objects.count == 3)
            #expect(try library.photos(.viewed, of: photos[2].takenAt).objects.count == 2)
            // Removing a favorite keeps the photo.
            try await library.setFavorite(false, for: photos[1])
            #expect(list.objects.map(\.title) == ["Rome"] && !photos[1].isDeleted)
            try list.search("rom")
            #expect(list.objects.count == 1)
            try list.search("par")
            #expect(list.objects.isEmpty)
        }
    }

    @Test func `after any marks, crashes and failures the files are those of the favorites`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            var generator = SeededGenerator(seed: 42)
            let source = TestSource()
            var wanted: Set<String> = []
            for round in 0..<8 {
                let library = try await fixture.open(source)
                let photos = try (0..<6).map { try library.view(record("\($0)")) }
                for _ in 0..<10 {
                    let photo = photos[Int.random(in: 0..<6, using: &generator)]
                    source.with { $0.failure = Bool.random(using: &generator) ? offline : nil }
                    try? await library.toggleFavorite(photo)
                    if !wanted.insert(photo.uniqueID).inserted { wanted.remove(photo.uniqueID) }
                    #expect(photo.isFavorite == wanted.contains(photo.uniqueID))
                }
                source.with { $0.failure = nil }
                // Half of the rounds end without being put in order, as by a crash.
                if round.isMultiple(of: 2) { continue }
                try await library.restoreFavoriteImages()
                let files = Set(
                    fixture.imageFiles.map { String($0.split(separator: ".")[1]) })
                #expect(files == wanted, "seed 42, round \(round)")
            }
        }
    }

    @Test func `favorites and their files survive a relaunch`() async throws {
        try await LibraryFixture.with { fixture in
            let source = TestSource()
            do {
                let library = try await fixture.open(source)
                let photo = try library.view(record("1"))
                try await library.setFavorite(true, for: photo)
            }
            source.with { $0.failure = offline }
            let library = try await fixture.open(source)
            let photo = try #require(try library.photos(.favorites).objects.first)
            #expect(try await library.picture(of: photo) == .picture("1-large"))
            let report = try await library.restoreFavoriteImages()
            #expect(report.fetched.isEmpty && report.failures.isEmpty)
        }
    }

    @Test func `a favorite whose picture cannot be fetched is one all the same, and gets it later`()
        async throws
    {
        let source = TestSource()
        try await LibraryFixture.with(source) { library, fixture in
            let photo = try library.view(record("1"))
            source.with { $0.failure = offline }
            await #expect(throws: PhotoSourceError.self) {
                try await library.setFavorite(true, for: photo)
            }
            #expect(photo.isFavorite && fixture.imageFiles.isEmpty)
            source.with { $0.failure = nil }
            #expect(try await library.restoreFavoriteImages().fetched == ["1"])
            #expect(fixture.imageFiles.count == 1)
        }
    }

    @Test func `a favorite keeps its picture when a later reply lacks its address`() async throws {
        let source = TestSource()
        try await LibraryFixture.with(source) { library, fixture in
            let photo = try library.view(record("1"))
            try await library.setFavorite(true, for: photo)
            var bare = record("1")
            bare.variants = []
            source.with { $0.photos = [bare] }
            try await library.fetchRecentPhotos()
            #expect(try await library.picture(of: photo) == .picture("1-large"))
            #expect(try await library.restoreFavoriteImages().gone.isEmpty)
            #expect(fixture.imageFiles.count == 1)
        }
    }

    /// A library with a favorite whose picture is older than pictures may be.
    private func withOldFavorite(
        _ body: @MainActor (TestSource, PlacesLibrary) async throws -> Void
    ) async throws {
        try await LibraryFixture.with { fixture in
            fixture.options.images.maximumAge = .seconds(3_600)
            let source = TestSource()
            let library = try await fixture.open(source)
            try await library.setFavorite(true, for: try library.view(record("1")))
            fixture.clock.advance(by: .seconds(7_200))
            try await body(source, library)
        }
    }

    @Test func `an undo fetches no pictures of favorites that are there, however old`() async throws
    {
        try await withOldFavorite { source, library in
            let view = library.makeView()
            try view.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            try await view.undo()
            #expect(source.with { $0.picturesAsked } == ["1-large"])
            #expect(try await library.restoreFavoriteImages().fetched == ["1"])
        }
    }

    @Test func `a favorite whose address is dead keeps its picture until its photo is gone`()
        async throws
    {
        try await withOldFavorite { source, library in
            source.with { state in
                state.failingPictures["1-large"] = 9
                state.pictureFailure = PhotoSourceError.gone(what: "The picture")
            }
            let kept = try await library.restoreFavoriteImages()
            #expect(kept.gone.isEmpty && Array(kept.failures.keys) == ["1"])
            let photo = try #require(try library.photos(.favorites).objects.first)
            #expect(try await library.picture(of: photo) == .picture("1-large"))
            source.with { $0.gonePhotos = ["1"] }
            let removed = try await library.restoreFavoriteImages()
            #expect(removed.gone == ["1"] && removed.failures.isEmpty)
            #expect(library.images.disk?.count == 0)
        }
    }

    /// The record of a photo whose large picture has another address than ``record``'s.
    private func moved(_ identifier: String) throws -> PhotoRecord {
        var record = record(identifier)
        record.variants[1].url = try #require(URL(string: "test://pictures/\(identifier)-replaced"))
        return record
    }

    @Test func `a favorite whose address is dead gets the picture at its photo's present address`()
        async throws
    {
        try await withOldFavorite { source, library in
            let moved = try moved("1")
            source.with { state in
                state.photos = [moved]
                state.failingPictures["1-large"] = 9
                state.pictureFailure = PhotoSourceError.gone(what: "The picture")
            }
            #expect(try await library.restoreFavoriteImages().fetched == ["1"])
            let photo = try #require(try library.photos(.favorites).objects.first)
            #expect(photo.dataURL == moved.variants[1].url && !library.context.hasChanges)
            #expect(try await library.picture(of: photo) == .picture("1-replaced"))
            #expect(try await library.restoreFavoriteImages().fetched.isEmpty)
            #expect(library.images.disk?.count == 1)
        }
    }

    @Test func `a favorite's picture follows an address that a fetch brings`() async throws {
        let source = TestSource([try moved("1")])
        try await LibraryFixture.with(source) { library, fixture in
            let photo = try library.view(record("1"))
            try await library.setFavorite(true, for: photo)
            try await library.fetchRecentPhotos()
            #expect(
                try await library.picture(of: photo) == .picture("1-large"), "until it is there")
            #expect(try await library.restoreFavoriteImages().fetched == ["1"])
            #expect(try await library.picture(of: photo) == .picture("1-replaced"))
            #expect(fixture.imageFiles.count == 1)
        }
    }

    @Test func `an undo waits for no pictures but those that it brings back`() async throws {
        let source = TestSource()
        try await LibraryFixture.with(source) { library, fixture in
            source.with { $0.failingPictures["late-large"] = 9 }
            let late = try library.view(record("late"))
            await #expect(throws: PhotoSourceError.self) {
                try await library.setFavorite(true, for: late)
            }
            let view = library.makeView()
            try await view.setFavorite(true, for: try view.view(record("1")))
            let asked = source.with { $0.picturesAsked }
            try await view.undo()
            #expect(source.with { $0.picturesAsked } == asked && fixture.imageFiles.isEmpty)
            try await view.redo()
            #expect(fixture.imageFiles.count == 1)
            #expect(source.with { !$0.picturesAsked.dropFirst(asked.count).contains("late-large") })
            source.with { $0.failingPictures = [:] }
            #expect(try await library.restoreFavoriteImages().fetched == ["late"])
        }
    }

    @Test func `favorites that are fetched again count as requests`() async throws {
        try await withOldFavorite { source, library in
            source.with { $0.picturesBeforeGate = 0 }
            let restoring = Task { try await library.restoreFavoriteImages() }
            while source.with({ $0.picturesAsked.count < 2 }) { await Task.yield() }
            #expect(library.activity.isWaiting)
            source.with { $0.picturesBeforeGate = .max }
            let restored = try await restoring.value
            #expect(restored.fetched == ["1"])
            #expect(!library.activity.isWaiting)
        }
    }

    @Test func `a library that is closed leaves pictures to whoever opened it since`() async throws
    {
        try await LibraryFixture.with { fixture in
            let closed = try await fixture.open(TestSource())
            let (photo, pin) = (
                try closed.view(record("1")),
                try closed.dropPin(at: Coordinate(latitude: 1, longitude: 2))
            )
            try await closed.close()
            let library = try await fixture.open(TestSource())
            try await library.setFavorite(
                true, for: try #require(try library.history().objects.first))
            let changes: [@MainActor () async throws -> Void] = [
                { try await closed.restoreFavoriteImages() },
                { try await closed.setFavorite(true, for: photo) }, { try closed.delete(pin) },
            ]
            for change in changes {
                let error = await #expect(throws: DocumentError.self) { try await change() }
                guard case .closed? = error else { throw Unexpected(error) }
                #expect(!closed.context.hasChanges)
            }
            #expect(fixture.imageFiles.count == 1)
        }
    }

    @Test func `pictures lie beside the document, also where its path ends in a dot`() async throws
    {
        try await LibraryFixture.with { fixture in
            try await fixture.open(TestSource()).close()
            let path = fixture.folder.path(percentEncoded: false) + "/Library/."
            let library = try await PlacesLibrary.open(
                at: URL(filePath: path), source: TestSource(), options: fixture.options)
            try await library.setFavorite(true, for: try library.view(record("1")))
            #expect(fixture.imageFiles.count == 1)
        }
    }

    @Test func `files are put in order by what all views have saved`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let photo = try library.view(record("1"))
            let view = library.makeView()
            view.context.automaticallyMergesChangesFromParent = false
            try await library.setFavorite(true, for: photo)
            try await view.restoreFavoriteImages()
            #expect(fixture.imageFiles.count == 1)
        }
    }

    @Test func `a photo that is marked while files are put in order has its picture on disk`()
        async throws
    {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            for turns in 0..<24 {
                let photo = try library.view(record("\(turns)"))
                let restoring = Task { try await library.restoreFavoriteImages() }
                for _ in 0..<turns { await Task.yield() }
                try await library.setFavorite(true, for: photo)
                #expect(fixture.imageFiles.count == turns + 1, "after \(turns) turns")
                _ = try await restoring.value
                #expect(fixture.imageFiles.count == turns + 1, "in the end, after \(turns) turns")
            }
        }
    }
}

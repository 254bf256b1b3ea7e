import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@MainActor @Suite(.endsWaiting) struct AlbumTests {
    private let paris = Coordinate(latitude: 48.85, longitude: 2.35)
    private let rome = Coordinate(latitude: 41.9, longitude: 12.5)

    private func source(_ count: Int) -> TestSource {
        TestSource((0..<count).map { record("\($0)") })
    }

    // MARK: - Pins

    @Test func `a pin is called as its place until the user gives it a name`() async throws {
        try await LibraryFixture.with(source(5)) { library, _ in
            let pin = try library.dropPin(at: paris, in: "Paris")
            #expect(pin.name == "Paris")
            try library.move(pin, to: rome, in: "Rome")
            #expect(pin.name == "Rome")
            pin.name = "Home"
            try library.move(pin, to: paris, in: "Paris")
            #expect(pin.name == "Home")
            let other = try library.dropPin(at: rome, named: "Work", in: "Rome")
            try library.move(other, to: paris)
            #expect(other.name == "Work")
        }
    }

    @Test func `pins are dropped, moved, deleted, and all back after a relaunch`() async throws {
        try await LibraryFixture.with(source(5)) { library, fixture in
            let pins = try library.pins()
            let first = try library.dropPin(at: paris, named: "Paris")
            fixture.clock.advance(by: .seconds(1))
            let second = try library.dropPin(at: rome)
            #expect(pins.objects.map(\.name) == ["Paris", "41.9, 12.5"])
            try library.move(second, to: Coordinate(latitude: 1, longitude: 2))
            #expect(second.name == "1, 2")
            try await library.loadAlbum(of: first)
            try await library.close()

            let reopened = try await fixture.open(source(5))
            let found = try reopened.pins().objects
            #expect(found.map(\.name) == ["Paris", "1, 2"])
            #expect(found.map(\.photos.count) == [5, 0])
            try reopened.delete(found[1])
            #expect(try reopened.pins().objects.count == 1)
            #expect(throws: PlacesError.self) {
                try reopened.dropPin(at: Coordinate(latitude: 91, longitude: 0))
            }
        }
    }

    @Test func `pins are in the order in which they were dropped, whatever the clock says`()
        async throws
    {
        try await LibraryFixture.with(source(0)) { library, fixture in
            let pins = try library.pins()
            let steps: [(name: String, days: Double)] = [("a", -0.1), ("b", 0), ("c", 400)]
            for (name, days) in steps {
                try library.dropPin(at: paris, named: name)
                fixture.clock.advance(by: .seconds(days * 86_400))
            }
            #expect(pins.objects.map(\.name) == ["a", "b", "c"])
            // A clock that was wrong once does not date what is dropped later.
            try library.dropPin(at: paris, named: "ahead")
            fixture.clock.advance(by: .seconds(-400 * 86_400))
            let last = try library.dropPin(at: paris, named: "d")
            #expect(pins.objects.map(\.name) == ["a", "b", "c", "d", "ahead"])
            #expect(abs(last.created.timeIntervalSince(fixture.now)) < 86_400)
        }
    }

    @Test func `the map's last region is kept`() async throws {
        try await LibraryFixture.with { fixture in
            let region = MapRegion(center: paris, latitudeDelta: 2, longitudeDelta: 3)
            do {
                let library = try await fixture.open(source(0))
                #expect(try library.mapRegion() == nil)
                try library.setMapRegion(
                    MapRegion(center: rome, latitudeDelta: 1, longitudeDelta: 1))
                try library.setMapRegion(region)
                try await library.close()
            }
            let library = try await fixture.open(source(0))
            #expect(try library.mapRegion() == region)
        }
    }

    // MARK: - Albums

    @Test func `an album is page 1 of 21 photos, and the number of usable pages is remembered`()
        async throws
    {
        let source = source(50)
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            #expect(pin.albumState == .notSearched)
            try await library.loadAlbum(of: pin)
            #expect(pin.photos.count == 21 && pin.page == 1 && pin.usablePages == 3)
            #expect(pin.albumState == .ready)
            #expect(try library.album(of: pin).objects.allSatisfy { $0.picture != nil })
            // A pin with an album makes no call.
            try await library.loadAlbum(of: pin)
            #expect(source.with { $0.pagesAsked } == [1])
            #expect(source.with { $0.picturesAsked }.count == 21)
        }
    }

    @Test func `the list of pins tells each picture that comes or fails`() async throws {
        let source = source(3)
        source.with { $0.failingPictures["2-large"] = 9 }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let pins = try library.pins()
            var told: [String] = []
            pins.onChange = { [unowned pins] _ in told.append(pins.rows.first?.subtitle ?? "") }
            try await library.loadAlbum(of: pin)
            try await wait { told.last == "2 of 3 pictures, 1 failed" }
            #expect(told.contains("0 of 3 pictures"))
            try library.remove(try #require(pin.photos.first { $0.picture == nil }), from: pin)
            try await wait { told.last == "2 pictures" }
        }
    }

    @Test func `no photos is a state of its own`() async throws {
        let source = source(0)
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .empty)
            try await library.loadAlbum(of: pin)
            try await library.newCollection(of: pin)
            #expect(pin.albumState == .empty)
            #expect(source.with { $0.pagesAsked } == [1, 1])
        }
    }

    @Test func `pictures arrive one by one into photos that are there, and the album updates`()
        async throws
    {
        let source = source(10)
        source.with { $0.picturesBeforeGate = 4 }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let album = try library.album(of: pin)
            var states: Set<PictureState> = []
            album.onChange = { [unowned album] _ in
                states.formUnion(album.objects.map(\.pictureState))
            }
            let loading = Task { try await library.loadAlbum(of: pin) }
            try await wait { pin.albumState == .downloading(missing: 6) }
            #expect(album.objects.count == 10)
            #expect(album.objects.filter { $0.picture != nil }.count == 4)
            source.with { $0.picturesBeforeGate = .max }
            try await loading.value
            #expect(pin.albumState == .ready)
            #expect(states.isSuperset(of: [.waiting, .loading, .ready]))
        }
    }

    @Test func `a picture that fails is tried again, and then has failed until the next load`()
        async throws
    {
        let source = source(3)
        source.with { $0.failingPictures = ["0-large": 1, "1-large": 2] }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let album = try library.album(of: pin)
            var states: Set<PictureState> = []
            album.onChange = { [unowned album] _ in
                states.formUnion(album.objects.map(\.pictureState))
            }
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .incomplete(failed: 1))
            #expect(states.isSuperset(of: [.failed, .retrying, .ready]))
            let failed = PictureState.failed
            let missing = FetchRequest<Photo>(predicate: #Predicate { $0.pictureState == failed })
            #expect(try library.context.fetch(missing).map(\.pictureState) == [.failed])
            #expect(source.with { $0.picturesAsked }.count == 5)
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .ready)
            #expect(source.with { $0.picturesAsked }.count == 6)
        }
    }

    @Test func `while an album loads, a picture that has failed is none that is here`()
        async throws
    {
        let source = source(3)
        source.with { ($0.failingPictures["0-large"], $0.picturesBeforeGate) = (9, 1) }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let loading = Task { try await library.loadAlbum(of: pin) }
            try await wait {
                pin.photos.contains { $0.pictureState == .failed }
                    && pin.photos.contains { $0.pictureState == .ready }
            }
            #expect(pin.albumState == .downloading(missing: 2))
            #expect(pin.subtitle == "1 of 3 pictures")
            source.with { $0.picturesBeforeGate = .max }
            try await loading.value
            #expect(pin.albumState == .incomplete(failed: 1))
            #expect(pin.subtitle == "2 of 3 pictures, 1 failed")
        }
    }

    @Test
    func `a photo that its source has removed leaves the album, which is finished without it`()
        async throws
    {
        let source = source(3)
        source.with {
            ($0.failingPictures, $0.gonePhotos) = (["1-large": 9, "2-large": 9], ["1", "2"])
            $0.pictureFailure = PhotoSourceError.http(status: 404, retryAfter: nil)
        }
        try await LibraryFixture.with(source) { library, _ in
            let viewed = try library.view(record("2"))
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .ready && pin.photos.map(\.uniqueID) == ["0"])
            #expect(!viewed.isDeleted && viewed.pictureState == .unwanted)
            #expect(try library.context.count(Photo.self) == 2)
            #expect(try library.deletedPhotos().objects.isEmpty)
            let asked = source.with { $0.picturesAsked }
            try await library.loadAlbum(of: pin)
            #expect(source.with { $0.picturesAsked } == asked)
        }
    }

    @Test func `a picture whose address is dead comes from its photo's present one`() async throws {
        let source = source(2)
        source.with { $0.failingPictures = ["1-large": 9] }
        try await LibraryFixture.with(source) { library, fixture in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .incomplete(failed: 1))
            // As long as its source tells no other address, it may be there again.
            source.with { $0.pictureFailure = PhotoSourceError.gone(what: "The picture") }
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .incomplete(failed: 1))
            var moved = record("1")
            moved.variants[1].url = try #require(URL(string: "test://pictures/1-replaced"))
            source.with { [moved] in $0.photos = [moved] }
            fixture.clock.advance(by: .seconds(601))
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .ready && pin.photos.count == 2)
            let photo = try #require(pin.photos.first { $0.uniqueID == "1" })
            #expect(photo.picture == .picture("1-replaced"))
            #expect(photo.dataURL == moved.variants[1].url)
        }
    }

    @Test func `a picture that fails as if somebody had cancelled it has failed`() async throws {
        let source = source(3)
        source.with {
            ($0.failingPictures, $0.pictureFailure) = (["0-large": 1], CancellationError())
        }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .incomplete(failed: 1))
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .ready)
        }
    }

    @Test func `a new collection replaces the album by a random page that the source can serve`()
        async throws
    {
        let source = source(100)
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            var pages: Set<Int> = []
            for _ in 0..<20 {
                let (old, page) = (Set(pin.photos.map(\.uniqueID)), pin.page)
                try await library.newCollection(of: pin)
                #expect(pin.page != page && (1...5).contains(pin.page))
                #expect(old.isDisjoint(with: pin.photos.map(\.uniqueID)))
                #expect(try library.context.count(Photo.self) == pin.photos.count)
                pages.insert(pin.page)
            }
            #expect(pages == [1, 2, 3, 4, 5])
        }
    }

    @Test func `numbers of pages that are huge, one or wrong do no harm`() async throws {
        let source = source(30)
        try await LibraryFixture.with(source) { library, _ in
            for pages in [Int.max, 100_000, 2, 1, 0] {
                source.with { $0.usablePages = pages }
                let pin = try library.dropPin(at: paris)
                try await library.loadAlbum(of: pin)
                try await library.newCollection(of: pin)
                #expect((1...2).contains(pin.page) && !pin.photos.isEmpty, "\(pages) pages")
                try library.delete(pin)
            }
        }
    }

    @Test func `no second download begins while one runs`() async throws {
        let source = source(5)
        source.with { $0.picturesBeforeGate = 2 }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let loading = Task { try await library.loadAlbum(of: pin) }
            try await wait { pin.albumState == .downloading(missing: 3) }
            await #expect(throws: PlacesError.albumIsLoading(pin: pin.name)) {
                try await library.newCollection(of: pin)
            }
            await #expect(throws: PlacesError.albumIsLoading(pin: pin.name)) {
                try await library.loadAlbum(of: pin)
            }
            #expect(library.isLoadingAlbum(of: pin))
            source.with { $0.picturesBeforeGate = .max }
            try await loading.value
            #expect(!library.isLoadingAlbum(of: pin))
            #expect(source.with { $0.picturesAsked }.count == 5)
            #expect(source.with { $0.pagesAsked } == [1])
        }
    }

    @Test func `interrupted downloads resume on the next launch, with missing pictures only`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let source = source(9)
            source.with { $0.picturesBeforeGate = 4 }
            do {
                let library = try await fixture.open(source)
                let pin = try library.dropPin(at: paris)
                try library.dropPin(at: rome)
                let loading = Task { try await library.loadAlbum(of: pin) }
                try await wait { pin.albumState == .downloading(missing: 5) }
                loading.cancel()
                await #expect(throws: CancellationError.self) { try await loading.value }
                #expect(!pin.photos.contains { $0.pictureState == .loading })
            }
            source.with {
                $0.picturesBeforeGate = .max
                $0.picturesAsked = []
            }
            let library = try await fixture.open(source)
            let pins = try library.pins().objects
            #expect(pins[0].albumState == .downloading(missing: 5))
            #expect(try await library.resumeAlbums().isEmpty)
            #expect(pins.map(\.albumState) == [.ready, .ready])
            #expect(source.with { $0.picturesAsked }.count == 5)
            #expect(source.with { $0.pagesAsked } == [1, 1])
            #expect(try library.context.count(Photo.self) == 9)
        }
    }

    @Test func `a new collection that a crash cuts short is what the next launch loads`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let source = source(50)
            var page = 0
            do {
                let library = try await fixture.open(source)
                let pin = try library.dropPin(at: paris)
                try await library.loadAlbum(of: pin)
                source.with { $0.failure = PhotoSourceError.notConnected(reason: "offline") }
                await #expect(throws: PhotoSourceError.self) {
                    try await library.newCollection(of: pin)
                }
                // The old album is shown as long as there is no other.
                #expect(pin.photos.count == 21)
                page = try #require(pin.wantedPage)
            }
            source.with { $0.failure = nil }
            let library = try await fixture.open(source)
            try await library.resumeAlbums()
            #expect(try library.pins().objects.map(\.page) == [page])
        }
    }

    @Test func `deleting one photo removes it with its bytes, and the change stays`() async throws {
        try await LibraryFixture.with { fixture in
            let source = source(5)
            do {
                let library = try await fixture.open(source)
                let pin = try library.dropPin(at: paris)
                try await library.loadAlbum(of: pin)
                let album = try library.album(of: pin)
                let photo = try #require(album.objects.first)
                try library.remove(photo, from: pin)
                #expect(photo.isDeleted && album.objects.count == 4)
                try await library.close()
            }
            let library = try await fixture.open(source)
            try await library.resumeAlbums()
            #expect(try library.pins().objects.map(\.photos.count) == [4])
            #expect(try library.context.count(Photo.self) == 4)
        }
    }

    @Test func `a photo of two albums stays until neither has it, viewed ones longer`()
        async throws
    {
        try await LibraryFixture.with(source(3)) { library, _ in
            let (one, two) = (try library.dropPin(at: paris), try library.dropPin(at: paris))
            try await library.loadAlbum(of: one)
            try await library.loadAlbum(of: two)
            #expect(try library.context.count(Photo.self) == 3)
            let photos = Array(one.photos)
            try library.view(photos[0])
            try library.delete(one)
            #expect(two.photos.count == 3 && two.albumState == .ready)
            try library.delete(two)
            #expect(try library.context.fetch(Photo.self).map(\.uniqueID) == [photos[0].uniqueID])
            #expect(photos[0].picture == nil && photos[0].pictureState == .unwanted)
        }
    }

    @Test func `a pin that is moved or deleted while its album loads keeps nothing of it`()
        async throws
    {
        let source = source(6)
        source.with { $0.picturesBeforeGate = 2 }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let loading = Task { try await library.loadAlbum(of: pin) }
            try await wait { pin.albumState == .downloading(missing: 4) }
            try library.delete(pin)
            source.with { $0.picturesBeforeGate = .max }
            try await loading.value
            #expect(try library.context.count(Photo.self) == 0)

            source.with { $0.picturesBeforeGate = 2 }
            let moved = try library.dropPin(at: paris)
            let other = Task { try await library.loadAlbum(of: moved) }
            try await wait { moved.albumState == .downloading(missing: 4) }
            try library.move(moved, to: rome)
            #expect(moved.photos.isEmpty && moved.albumState == .notSearched)
            source.with { $0.picturesBeforeGate = .max }
            try await other.value
            try await library.loadAlbum(of: moved)
            #expect(moved.albumState == .ready && moved.photos.count == 6)
        }
    }

    @Test func `a pin that is moved while its pictures load gets the album of its new point`()
        async throws
    {
        let source = source(6)
        source.with { $0.picturesBeforeGate = 2 }
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            let loading = Task { try await library.loadAlbum(of: pin) }
            try await wait { pin.albumState == .downloading(missing: 4) }
            try library.move(pin, to: rome)
            source.with {
                $0.photos = (0..<5).map { record("rome \($0)") }
                $0.picturesBeforeGate = .max
            }
            try await loading.value
            #expect(pin.albumState == .ready && pin.photos.count == 5)
            #expect(try library.context.count(Photo.self) == 5)
            #expect(source.with { $0.pagesAsked } == [1, 1])
        }
    }

    @Test func `a photo that is not of an album stays when it is taken out of that`() async throws {
        let source = source(3)
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let place = try #require(try library.topPlaces().objects.first)
            let photo = try #require(try await library.loadPhotos(of: place).first)
            let (pin, other) = (try library.dropPin(at: paris), try library.dropPin(at: rome))
            try library.remove(photo, from: pin)
            #expect(!photo.isDeleted && place.photos.count == 3)
            source.with { $0.photos = [record("x")] }
            try await library.loadAlbum(of: other)
            let ofOther = try #require(other.photos.first)
            try library.remove(ofOther, from: pin)
            #expect(!ofOther.isDeleted && other.albumState == .ready)
        }
    }

    @Test func `the photos of a place's list outlive a pin, and are pruned when they are old`()
        async throws
    {
        try await LibraryFixture.with(source(3)) { library, fixture in
            try await library.loadTopPlaces()
            let place = try #require(try library.topPlaces().objects.first)
            try await library.loadPhotos(of: place)
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            try library.delete(pin)
            #expect(place.photos.count == 3)
            #expect(place.photos.allSatisfy { $0.picture == nil })
            fixture.clock.advance(by: .seconds(8 * 86_400))
            #expect(try await library.prune().photos == 3)
            #expect(place.photos.isEmpty && !place.isDeleted)
        }
    }

    @Test func `what is asked for a pin or a photo that is gone already does nothing`()
        async throws
    {
        try await LibraryFixture.with(source(3)) { library, fixture in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            let photo = try #require(pin.photos.first)
            let asking = Task {
                try await library.newCollection(of: pin)
                try await library.loadAlbum(of: pin)
                try await library.setFavorite(true, for: photo)
                try library.move(pin, to: rome)
                try library.remove(photo, from: pin)
                try library.view(photo)
                try library.removeFromRecents(photo)
            }
            try library.delete(pin)
            try await asking.value
            #expect(photo.isDeleted && fixture.imageFiles.isEmpty)
            try await library.close()
        }
    }

    @Test func `an album whose new collection was not found is the old one until it is loaded`()
        async throws
    {
        let source = source(4)
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            source.with { $0.failure = PhotoSourceError.notConnected(reason: "offline") }
            await #expect(throws: PhotoSourceError.self) {
                try await library.newCollection(of: pin)
            }
            #expect(pin.photos.count == 4 && pin.albumState == .ready)
            #expect(pin.subtitle == "4 pictures")
            source.with { $0.failure = nil }
            try await library.loadAlbum(of: pin)
            #expect(source.with { $0.pagesAsked } == [1, 1] && pin.albumState == .ready)
        }
    }

    @Test func `offline, albums that are here are shown, and a new search keeps the pin`()
        async throws
    {
        let source = source(4)
        try await LibraryFixture.with(source) { library, _ in
            let pin = try library.dropPin(at: paris)
            try await library.loadAlbum(of: pin)
            source.with { $0.failure = PhotoSourceError.notConnected(reason: "offline") }
            let photo = try #require(pin.photos.first)
            #expect(try await library.picture(of: photo) == photo.picture)
            try await library.loadAlbum(of: pin)
            let other = try library.dropPin(at: rome)
            await #expect(throws: PhotoSourceError.self) {
                try await library.loadAlbum(of: other)
            }
            #expect(try library.pins().objects.count == 2)
            #expect(other.albumState == .notSearched)
        }
    }
}

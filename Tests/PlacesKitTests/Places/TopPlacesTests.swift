import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

private func place(_ name: String) -> PlaceRecord { PlaceRecord(identifier: name, name: name) }

private func photo(_ identifier: String, title: String = "", owner: String = "ada") -> PhotoRecord {
    PhotoRecord(
        identifier: identifier, title: title, owner: PhotoOwner(identifier: owner, name: owner))
}

@MainActor
struct TopPlacesTests {
    @Test func `top places are in sections by country, alphabetical in each`() async throws {
        let source = FakePhotoSource()
        source.answerPlaces(
            .value([
                place("Paris, Île-de-France, France"), place("London, England, United Kingdom"),
                place("Bath, England, United Kingdom"), place("Lyon, France"),
                place("Singapore"), place(""), place("東京, 日本"),
            ]))
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let places = try library.topPlaces()
            #expect(
                places.snapshot.sections.map(\.name) == [
                    "France", "Singapore", "United Kingdom", "Unknown", "日本",
                ])
            #expect(
                places.objects.map(\.title) == [
                    "Lyon", "Paris", "Singapore", "Bath", "London", "Unknown", "東京",
                ])
            #expect(places.objects[1].subtitle == "Île-de-France")
        }
    }

    @Test func `neither case nor accents count in the alphabet, and shorter names come first`()
        async throws
    {
        let places = [
            "Zürich, X", "Paris, X", "aachen, X", "Évry, X", "Bath Spa, X", "Bath, Y, X",
            "Bath, A, X",
            "Wien, Österreich", "Oslo, Norway", "Lima, peru",
        ].map(place)
        let source = FakePhotoSource()
        for _ in 0..<2 { source.answerPlaces(.value(places)) }
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let list = try library.topPlaces()
            #expect(
                list.snapshot.sections.map(\.name) == ["Norway", "Österreich", "peru", "X"])
            let names = [
                "Oslo, Norway", "Wien, Österreich", "Lima, peru", "aachen, X", "Bath, A, X",
                "Bath, Y, X",
                "Bath Spa, X", "Évry, X", "Paris, X", "Zürich, X",
            ]
            #expect(list.objects.map(\.name) == names)
            #expect(try await library.browsePlaces().map(\.name) == names)
        }
    }

    @Test func `a load replaces the list and is told to an open one`() async throws {
        let source = FakePhotoSource()
        source.answerPlaces(.value([place("Paris, France"), place("Rome, Italy")]))
        source.answerPlaces(.value([place("Rome, Italy"), place("Oslo, Norway")]))
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let places = try library.topPlaces()
            var recorder = ResultsRecorder(places.snapshot)
            var mismatch: (any Error)?
            places.onChange = { change in
                do { try recorder.replay(change) } catch { mismatch = error }
            }
            try await library.loadTopPlaces()
            #expect(places.objects.map(\.title) == ["Rome", "Oslo"])
            #expect(mismatch == nil)
            #expect(recorder.changes.count == 1)
        }
    }

    @Test func `a failed load leaves the list as it was and says why`() async throws {
        let source = FakePhotoSource()
        source.answerPlaces(.value([place("Paris, France")]))
        source.answerPlaces(.failure(PhotoSourceError.notConnected(reason: "no network")))
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            await #expect(throws: PhotoSourceError.self) { try await library.loadTopPlaces() }
            #expect(try library.topPlaces().objects.map(\.title) == ["Paris"])
        }
    }

    @Test func `a source whose top places are dead says so, instead of an empty list`()
        async throws
    {
        let dead = PhotoSourceError.unavailable(
            reason: .methodReturnsNothing(provider: "Flickr", method: "getTopPlacesList"))
        let source = FakePhotoSource()
        source.answerPlaces(.failure(dead))
        try await LibraryFixture.with(source) { library, _ in
            await #expect(throws: dead) { try await library.loadTopPlaces() }
            await #expect(throws: dead) { try await library.browsePlaces() }
        }
    }

    @Test func `a cancelled load changes nothing`() async throws {
        let source = FakePhotoSource()
        source.answerPlaces(.value([place("Paris, France")]))
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(source)
            let load = Task { try await library.loadTopPlaces() }
            load.cancel()
            await #expect(throws: CancellationError.self) { try await load.value }
            #expect(try library.topPlaces().objects.isEmpty)
        }
    }

    @Test func `a place has an identifier, its full name and a coordinate`() async throws {
        let source = SamplePhotoSource()
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let records = try await source.places()
            let places = try library.topPlaces().objects
            #expect(Set(places.map(\.record.name)) == Set(records.map(\.name)))
            #expect(places.allSatisfy { $0.coordinate?.isValid == true })
        }
    }

    @Test func `an older load cannot overwrite a newer one`() async throws {
        let source = FakePhotoSource()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (started, starter) = AsyncStream<Void>.makeStream()
        source.answerPlaces(
            .run {
                starter.finish()
                for await _ in gate {}
                return [place("Old Town, Past")]
            })
        source.answerPlaces(.value([place("New Town, Present")]))
        try await LibraryFixture.with(source) { library, _ in
            let older = Task { try await library.loadTopPlaces() }
            for await _ in started {}
            try await library.loadTopPlaces()
            opener.finish()
            try await older.value
            #expect(try library.topPlaces().objects.map(\.title) == ["New Town"])
        }
    }

    @Test func `loading the photos of a place twice makes each once, with its photographer`()
        async throws
    {
        let source = FakePhotoSource()
        source.answerPlaces(.value([place("Paris, France")]))
        source.answerPhotosInPlace(
            .value([photo("1", title: "Dawn"), photo("2"), photo("3", owner: "bob")]))
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let paris = try #require(try library.topPlaces().objects.first)
            _ = try await library.loadPhotos(of: paris)
            let photos = try await library.loadPhotos(of: paris)
            #expect(photos.map(\.title) == ["Dawn", "Unknown", "Unknown"])
            #expect(paris.photos.count == 3)
            #expect(try library.context.count(Photo.self) == 3)
            #expect(try library.context.count(Photographer.self) == 2)
            #expect(photos[0].takenBy === photos[1].takenBy)
            #expect(
                source.calls.last == .photosInPlace(identifier: "Paris, France", limit: 50))
        }
    }

    @Test func `the history has the 20 photos viewed last, each once, the most recent first`()
        async throws
    {
        let source = FakePhotoSource()
        source.answerPlaces(.value([place("Paris, France")]))
        source.answerPhotosInPlace(.value((0..<30).map { photo("\($0)", title: "\($0)") }))
        try await LibraryFixture.with(source) { library, fixture in
            try await library.loadTopPlaces()
            let paris = try #require(try library.topPlaces().objects.first)
            let photos = try await library.loadPhotos(of: paris)
            let history = try library.history()
            var expected: [String] = []
            for index in (0..<30).map({ $0 * 7 % 30 }) + [3, 3, 5] {
                fixture.clock.advance(by: .seconds(60))
                try library.view(photos[index])
                expected.removeAll { $0 == "\(index)" }
                expected.insert("\(index)", at: 0)
                #expect(history.objects.map(\.title) == Array(expected.prefix(20)))
            }
            try await library.close()

            let reopened = try await fixture.open(source)
            #expect(
                try reopened.history().objects.map(\.title) == Array(expected.prefix(20)))
        }
    }

    @Test func `names of one to five parts, empty or not Latin still get a title and a section`()
        async throws
    {
        let names = [
            "Singapore", "Reykjavík, Iceland", "London, England, United Kingdom",
            "Hunters Point, New York, NY, United States", "A, B, C, D, E", "", " , ,",
            "القاهرة، مصر", "東京、日本", "Москва, Россия",
        ]
        let source = FakePhotoSource()
        source.answerPlaces(.value(names.map(place)))
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let places = try library.topPlaces()
            #expect(places.objects.count == names.count)
            #expect(places.objects.allSatisfy { !$0.title.isEmpty && !$0.country.isEmpty })
            let long = try #require(places.objects.first { $0.title == "A" })
            #expect(long.subtitle == "B, C, D" && long.country == "E")
            let sections = places.snapshot.sections.map(\.name)
            #expect(Set(sections).isSuperset(of: ["مصر", "日本", "Россия", "Singapore", "Unknown"]))
        }
    }

    @Test func `the photos of a place are 50 at most, newest first, live`() async throws {
        let source = TestSource(
            (0..<80).map { record("\($0)", uploaded: Double($0 * 7 % 80)) })
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let paris = try #require(try library.topPlaces().objects.first)
            let list = try library.photos(of: paris)
            try await library.loadPhotos(of: paris)
            #expect(list.objects.count == 50)
            let dates = list.objects.map { $0.dateUploaded ?? .distantPast }
            #expect(dates == dates.sorted(by: >))
            #expect(source.with { $0.picturesAsked }.isEmpty)
        }
    }

    @Test func `a photo's title is the title, else the description, else Unknown`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let rows: [(title: String, caption: String, shown: String, below: String)] = [
                ("Dusk", "The <b>Seine</b>", "Dusk", "The Seine"), ("Dusk", "", "Dusk", ""),
                ("", "The Seine", "The Seine", ""), ("  ", "", "Unknown", ""),
            ]
            for (number, row) in rows.enumerated() {
                let photo = try library.view(
                    PhotoRecord(
                        identifier: "\(number)", title: row.title, caption: row.caption))
                #expect(photo.title == row.shown && photo.subtitle == row.below)
            }
        }
    }

    @Test func `a photo is framed to show as much as possible without unused space`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let photo = try library.view(record("1"))
            let framing = photo.framing(on: CGSize(width: 390, height: 844))
            #expect(framing.zoom == framing.fillingZoom)
            #expect(framing.visibleRect.height == 768)
            let unknown = try library.view(PhotoRecord(identifier: "2"))
            #expect(unknown.framing(on: CGSize(width: 10, height: 10)).isEmpty)
        }
    }

    @Test func `every list can be searched, and shows all again when the search ends`()
        async throws
    {
        let source = FakePhotoSource()
        source.answerPlaces(
            .value([
                place("Zürich, Switzerland"), place("Paris, France"), place("Lyon, France"),
            ]))
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let places = try library.topPlaces()
            var changes = 0
            places.onChange = { _ in changes += 1 }
            try places.search("zurich")
            #expect(places.objects.map(\.title) == ["Zürich"])
            try places.search("FRANCE")
            #expect(places.objects.map(\.title) == ["Lyon", "Paris"])
            try places.search("yo")
            #expect(places.objects.map(\.title) == ["Lyon"])
            try places.search("")
            #expect(places.objects.count == 3 && changes == 4)

            let photo = try library.view(
                PhotoRecord(
                    identifier: "1", title: "Dusk", caption: "The Seine", tags: ["Pont Neuf"]))
            for list in [
                try library.history(), try library.recents(), try library.photos(.viewed),
            ] {
                try list.search("seine")
                #expect(list.objects.map(\.title) == [photo.title])
                try list.search("pont")
                #expect(list.objects.map(\.title) == [photo.title])
                try list.search("%' OR 1 == 1")
                #expect(list.objects.isEmpty)
            }
            try library.dropPin(at: Coordinate(latitude: 1, longitude: 2), named: "Île")
            let pins = try library.pins()
            try pins.search("ile")
            #expect(pins.objects.count == 1)
        }
    }

    @Test func `a place keeps its name when a later reply has none`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let named = PlaceRecord(identifier: "p", name: "Rome, Italy")
            let photo = try library.view(record("1", in: nil), in: named)
            try library.view(record("2", in: nil), in: PlaceRecord(identifier: "p", name: ""))
            #expect(photo.takenAt?.title == "Rome" && photo.takenAt?.country == "Italy")
        }
    }

    @Test func `a photo that a source lists twice is one photo`() async throws {
        let source = TestSource([record("1", in: "p"), record("1", in: "p")])
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let place = try #require(try library.topPlaces().objects.first)
            #expect(try await library.loadPhotos(of: place).map(\.uniqueID) == ["1"])
        }
    }
}

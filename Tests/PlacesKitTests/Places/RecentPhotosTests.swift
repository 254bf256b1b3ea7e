import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@MainActor @Suite(.endsWaiting) struct RecentPhotosTests {
    private func world() -> TestSource {
        let source = TestSource(
            (0..<30).map {
                record("\($0)", by: "owner \($0 % 7)", in: "place \($0 % 5)")
            })
        source.with {
            for place in 0..<5 { $0.regions["place \(place)"] = "Region \(place / 2)" }
        }
        return source
    }

    @Test func `fetching twice makes each photo, place, region and photographer once`()
        async throws
    {
        let source = world()
        try await LibraryFixture.with(source) { library, _ in
            let first = try await library.fetchRecentPhotos()
            #expect(first.newPhotos == 30 && first.knownPhotos == 0 && first.namedPlaces == 5)
            let second = try await library.fetchRecentPhotos()
            #expect(!second.hasNewData && second.knownPhotos == 30)
            #expect(try library.context.count(Photo.self) == 30)
            #expect(try library.context.count(Place.self) == 5)
            #expect(try library.context.count(Region.self) == 3)
            #expect(try library.context.count(Photographer.self) == 7)
        }
    }

    @Test func `loading is incremental, old photos stay`() async throws {
        let source = world()
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            source.with { $0.photos = [record("new", in: "place 0"), $0.photos[0]] }
            let fetch = try await library.fetchRecentPhotos()
            #expect(fetch.newPhotos == 1 && fetch.knownPhotos == 1)
            #expect(try library.context.count(Photo.self) == 31)
        }
    }

    @Test func `a photo that was viewed is none that was not known before`() async throws {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource([record("1")]))
            try library.view(record("1"))
            let fetch = try await library.fetchRecentPhotos()
            #expect(fetch.newPhotos == 0 && fetch.knownPhotos == 1 && !fetch.hasNewData)
            #expect(try library.history().objects.map(\.fetched) == [fixture.now])
        }
    }

    @Test func `a photo that a reply lists twice counts once`() async throws {
        try await LibraryFixture.with(TestSource([record("1"), record("1")])) { library, _ in
            let first = try await library.fetchRecentPhotos()
            #expect(first.newPhotos == 1 && first.knownPhotos == 0)
            let second = try await library.fetchRecentPhotos()
            #expect(second.newPhotos == 0 && second.knownPhotos == 1)
        }
    }

    @Test func `what a region is called is asked once for each place or area`() async throws {
        let source = world()
        source.with {
            for index in 0..<6 {
                let point = Coordinate(latitude: 10 + Double(index % 2), longitude: 20.01)
                $0.photos.append(record("free \(index)", in: index < 3 ? "" : nil, at: point))
            }
        }
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            try await library.fetchRecentPhotos()
            #expect(source.with { $0.namesAsked }.count == 7)
            #expect(try library.context.count(Place.self) == 7)
        }
    }

    @Test func `a photo whose region is unknown yet is kept, and found out by the next fetch`()
        async throws
    {
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value((0..<3).map { record("\($0)") }))
        source.answerPlaceNames(.failure(PhotoSourceError.timedOut(after: .seconds(1))))
        source.answerPlaceNames(.value(PlaceNames(locality: "Paris", region: "Île-de-France")))
        try await LibraryFixture.with(source) { library, _ in
            let fetch = try await library.fetchRecentPhotos()
            #expect(fetch.newPhotos == 3 && fetch.namedPlaces == 0)
            #expect(fetch.namingFailure == .timedOut(after: .seconds(1)))
            #expect(try library.context.count(Photo.self) == 3)
            #expect(try library.topRegions().objects.isEmpty)
            let next = try await library.fetchRecentPhotos()
            #expect(next.namedPlaces == 1 && next.namingFailure == nil)
            #expect(try library.topRegions().objects.map(\.photoCount) == [3])
        }
    }

    @Test func `a source that gets out of reach while it names places is asked about no others`()
        async throws
    {
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value((0..<9).map { record("\($0)", in: "place \($0)") }))
        for _ in 0..<4 {
            source.answerPlaceNames(.failure(PhotoSourceError.notConnected(reason: "offline")))
        }
        // Without a network each answer takes long.
        let isConnected = Counter()
        source.answerPlaceNames(
            .run {
                try await wait { isConnected.value > 0 }
                return PlaceNames(locality: "City", region: "Region")
            })
        try await LibraryFixture.with(source) { library, _ in
            let fetch = try await library.fetchRecentPhotos()
            #expect(fetch.newPhotos == 9 && fetch.namedPlaces == 0)
            #expect(fetch.namingFailure == .notConnected(reason: "offline"))
            isConnected.count()
            let next = try await library.fetchRecentPhotos()
            #expect(next.namedPlaces == 9 && next.namingFailure == nil)
        }
    }

    @Test func `a photo stays in its named place when a source says only where it was taken`()
        async throws
    {
        func photo(_ identifier: String, _ latitude: Double) -> PhotoRecord {
            record(
                identifier, in: nil, at: Coordinate(latitude: latitude, longitude: 2.35))
        }
        let source = FakePhotoSource()
        source.answerPlaces(.value([PlaceRecord(identifier: "Paris", name: "Paris, France")]))
        source.answerPhotosInPlace(.value([photo("1", 48.85)]))
        source.answerRecentPhotos(.value([photo("1", 48.85), photo("2", 48.85)]))
        source.answerRecentPhotos(.value([photo("1", 48.85), photo("2", 50.05)]))
        source.answerRecentPhotos(.value([record("1", in: "Lyon"), photo("2", 50.05)]))
        source.answerPlaceNames(.value(nil))
        try await LibraryFixture.with(source) { library, _ in
            try await library.loadTopPlaces()
            let paris = try #require(try library.topPlaces().objects.first)
            try await library.loadPhotos(of: paris)
            try await library.fetchRecentPhotos()
            let places = { (identifier: String) in
                try library.context.find(Photo.self, \.uniqueID, identifier)?.takenAt?.identifier
            }
            #expect(try places("1") == "Paris")
            #expect(try places("2") == "area 48.8 2.3")
            // An area follows the point.
            try await library.fetchRecentPhotos()
            #expect(try places("1") == "Paris")
            #expect(try places("2") == "area 50 2.3")
            // A place that a record names counts.
            try await library.fetchRecentPhotos()
            #expect(try places("1") == "Lyon")
        }
    }

    @Test func `a photo follows its point also after a record without a position`() async throws {
        let source = FakePhotoSource()
        for latitude in [48.85, nil, 40.05] {
            let point = latitude.map { Coordinate(latitude: $0, longitude: 2.35) }
            source.answerRecentPhotos(.value([record("1", in: nil, at: point)]))
        }
        source.answerPlaceNames(.value(PlaceNames(region: "Île-de-France")))
        source.answerPlaceNames(.value(PlaceNames(region: "Cuenca")))
        try await LibraryFixture.with(source) { library, _ in
            var found: [String] = []
            for _ in 0..<3 {
                try await library.fetchRecentPhotos()
                let photo = try #require(try library.context.fetch(Photo.self).first)
                found.append("\(photo.takenAt?.identifier ?? ""): \(photo.region?.name ?? "")")
            }
            #expect(
                found == [
                    "area 48.8 2.3: Île-de-France", "area 48.8 2.3: Île-de-France",
                    "area 40 2.3: Cuenca",
                ])
            #expect(try library.topRegions().objects.map(\.name) == ["Cuenca"])
        }
    }

    @Test func `a source that cannot name places leaves its photos, and says so`() async throws {
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value([record("1")]))
        try await LibraryFixture.with(source) { library, _ in
            let fetch = try await library.fetchRecentPhotos()
            #expect(fetch.newPhotos == 1 && fetch.namingFailure != nil)
        }
    }

    @Test func `a stop between two fetches loses nothing and repeats nothing`() async throws {
        try await LibraryFixture.with { fixture in
            let source = world()
            for _ in 0..<3 {
                // The library is dropped without a word, as by a crash.
                let library = try await fixture.open(source)
                try await library.fetchRecentPhotos()
                #expect(try library.context.count(Photo.self) == 30)
            }
            #expect(source.with { $0.namesAsked }.count == 5)
        }
    }

    @Test func `photos are fetched again when the interval is over, also after failures`()
        async throws
    {
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value([]))
        source.answerRecentPhotos(.failure(PhotoSourceError.notConnected(reason: "offline")))
        source.answerRecentPhotos(.value([record("1")]))
        source.answerPlaceNames(.value(nil))
        try await LibraryFixture.with(source) { library, fixture in
            var reports: [String] = []
            let fetching = Task {
                try await library.fetchRecentPhotos(every: .seconds(600)) { result in
                    switch result {
                    case .success(let fetch): reports.append("\(fetch.newPhotos)")
                    case .failure: reports.append("failed")
                    }
                }
            }
            for expected in [["0"], ["0", "failed"], ["0", "failed", "1"]] {
                try await wait { reports == expected }
                await fixture.clock.waitForSleepers()
                fixture.clock.advance(by: .seconds(600))
            }
            fetching.cancel()
            await #expect(throws: CancellationError.self) { try await fetching.value }
            #expect(try library.context.count(Photo.self) == 1)
        }
    }

    @Test func `fetches go on after a source threw a cancellation that is nobody's`() async throws {
        let source = FakePhotoSource()
        source.answerRecentPhotos(.failure(CancellationError()))
        source.answerRecentPhotos(.value([]))
        try await LibraryFixture.with(source) { library, fixture in
            var reports: [String] = []
            let fetching = Task {
                try await library.fetchRecentPhotos(every: .seconds(600)) { result in
                    switch result {
                    case .success(let fetch): reports.append("\(fetch.newPhotos)")
                    case .failure(let error): reports.append("\(type(of: error))")
                    }
                }
            }
            try await wait { reports == ["CancellationError"] }
            await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .seconds(600))
            try await wait { reports == ["CancellationError", "0"] }
            fetching.cancel()
            _ = await fetching.result
        }
    }

    @Test func `after a restart the next fetch waits for the rest of the interval`() async throws {
        try await LibraryFixture.with { fixture in
            let source = world()
            do {
                let library = try await fixture.open(source)
                try await library.fetchRecentPhotos()
            }
            fixture.clock.advance(by: .seconds(100))
            let library = try await fixture.open(source)
            let fetching = Task {
                try await library.fetchRecentPhotos(every: .seconds(600)) { _ in }
            }
            try await wait { fixture.clock.sleeps.last == .seconds(500) }
            fetching.cancel()
            _ = await fetching.result
        }
    }

    @Test func `fetches end when who is told of them can tell nobody any more`() async throws {
        struct NoSpace: Error {}
        try await LibraryFixture.with(world()) { library, fixture in
            var count = 0
            await #expect(throws: NoSpace.self) {
                try await library.fetchRecentPhotos(every: .seconds(600)) { result in
                    count += 1
                    _ = try result.get()
                    throw NoSpace()
                }
            }
            #expect(count == 1 && fixture.clock.sleeps.isEmpty)
        }
    }

    @Test func `an interval without an end is slept through`() async throws {
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value([]))
        try await LibraryFixture.with(source) { library, fixture in
            let fetching = Task {
                try await library.fetchRecentPhotos(every: .seconds(Int64.max))
            }
            // No clock counts as far as the interval.
            try await wait { fixture.clock.sleeps.contains(.seconds(1_000_000_000)) }
            #expect(source.calls == [.recentPhotos(limit: 250)])
            fetching.cancel()
            await #expect(throws: CancellationError.self) { try await fetching.value }
        }
    }

    @Test func `a photo keeps its date when a later reply lacks it, and loses its position`()
        async throws
    {
        let source = TestSource([record("1", uploaded: 5)])
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            let photo = try #require(try library.context.fetch(Photo.self).first)
            let section = photo.dateUploadedSection
            var bare = record("1", title: "New", at: nil)
            bare.uploaded = nil
            source.with { $0.photos = [bare] }
            try await library.fetchRecentPhotos()
            #expect(photo.title == "New" && photo.dateUploaded == LibraryFixture.start + 5)
            #expect(photo.coordinate == nil, "its owner took it away")
            #expect(photo.dateUploadedSection == section && !section.isEmpty)
        }
    }

    @Test func `a failed or cancelled fetch leaves everything as it was`() async throws {
        let source = world()
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(source)
            source.with { $0.failure = PhotoSourceError.notConnected(reason: "offline") }
            await #expect(throws: PhotoSourceError.self) { try await library.fetchRecentPhotos() }
            source.with { $0.failure = nil }
            let task = Task { try await library.fetchRecentPhotos() }
            task.cancel()
            await #expect(throws: CancellationError.self) { try await task.value }
            #expect(try library.context.count(Photo.self) == 0)
        }
    }

    @Test func `waiting for the network is observable`() async throws {
        let source = FakePhotoSource()
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (started, starter) = AsyncStream<Void>.makeStream()
        source.answerRecentPhotos(
            .run {
                starter.finish()
                for await _ in gate {}
                return []
            })
        try await LibraryFixture.with(source) { library, _ in
            #expect(!library.activity.isWaiting)
            let task = Task { try await library.fetchRecentPhotos() }
            for await _ in started {}
            #expect(library.activity.isWaiting)
            opener.finish()
            _ = try await task.value
            #expect(!library.activity.isWaiting)
        }
    }
}

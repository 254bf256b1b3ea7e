import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@MainActor @Suite(.endsWaiting) struct RegionsTests {
    /// A world in which region n has as many photographers as `popularity[n]` says.
    private func source(_ popularity: [Int]) -> TestSource {
        let source = TestSource()
        source.with { $0.photos = photos(popularity, &$0) }
        return source
    }

    private func photos(_ popularity: [Int], _ state: inout TestSource.State) -> [PhotoRecord] {
        var photos: [PhotoRecord] = []
        for (region, count) in popularity.enumerated() {
            state.regions["place \(region)"] = name(region)
            for owner in 0..<count {
                // Everybody takes two photos, which counts once.
                for number in 0..<2 {
                    photos.append(
                        record(
                            "\(region)-\(owner)-\(number)", by: "owner \(owner)",
                            in: "place \(region)"))
                }
            }
        }
        return photos
    }

    private func name(_ region: Int) -> String { "Region \(region / 10)\(region % 10)" }

    @Test func `popularity is the number of different photographers, not of photos`() async throws {
        try await LibraryFixture.with(source([1, 3, 2])) { library, _ in
            try await library.fetchRecentPhotos()
            let regions = try library.topRegions()
            #expect(regions.objects.map(\.name) == [name(1), name(2), name(0)])
            #expect(regions.objects.map(\.photographerCount) == [3, 2, 1])
            #expect(regions.objects.map(\.photoCount) == [6, 4, 2])
        }
    }

    @Test func `exactly the 50 most popular regions are listed, then by name, live`() async throws {
        let source = source((0..<55).map { $0 < 48 ? 3 : 1 })
        try await LibraryFixture.with(source) { library, _ in
            let regions = try library.topRegions()
            try await library.fetchRecentPhotos(limit: .max)
            #expect(regions.objects.map(\.name) == (0..<50).map(name))
            var recorder = ResultsRecorder(regions.snapshot)
            regions.onChange = { change in
                do { try recorder.replay(change) } catch { Issue.record(error) }
            }
            // An outsider overtakes the last one; the rest is stored and can rise.
            source.with { $0.photos = [record("x", by: "somebody else", in: "place 54")] }
            try await library.fetchRecentPhotos()
            #expect(regions.objects.map(\.name) == (0..<48).map(name) + [name(54), name(48)])
            #expect(recorder.changes.count == 1)
            #expect(try library.context.count(Region.self) == 55)
        }
    }

    @Test func `two places whose region has one name are one region, counts right`() async throws {
        let source = source([2, 3])
        source.with { $0.regions["place 1"] = name(0) }
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            let regions = try library.topRegions()
            #expect(regions.objects.map(\.photographerCount) == [3])
            #expect(regions.objects.first?.photoCount == 10)
            #expect(regions.objects.first?.places.count == 2)
        }
    }

    @Test func `photos without a region are kept and their region is not listed`() async throws {
        let source = source([1, 1])
        source.with { $0.regions["place 1"] = nil }
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            #expect(try library.topRegions().objects.map(\.name) == [name(0)])
            #expect(try library.context.count(Photo.self) == 4)
            try await library.fetchRecentPhotos()
            #expect(source.with { $0.namesAsked }.count == 2)
        }
    }

    @Test func `popularity equals the distinct photographers after any inserts and deletes`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            var generator = SeededGenerator(seed: 3)
            let source = TestSource()
            source.with { for place in 0..<6 { $0.regions["place \(place)"] = name(place / 2) } }
            let library = try await fixture.open(source)
            let regions = try library.topRegions()
            for round in 0..<12 {
                source.with { state in
                    state.photos = (0..<20).map { _ in
                        let number = Int.random(in: 0..<200, using: &generator)
                        return record(
                            "\(number)", by: "owner \(number % 9)", in: "place \(number % 6)")
                    }
                }
                try await library.fetchRecentPhotos()
                for photo in Array(try library.context.fetch(Photo.self))
                where Int.random(in: 0..<4, using: &generator) == 0 {
                    try await library.delete(photo)
                }
                var expected: [String: Set<String>] = [:]
                for photo in try library.context.fetch(Photo.self) {
                    let owner = photo.takenBy?.identifier ?? ""
                    expected[photo.region?.name ?? "none", default: []].insert(owner)
                }
                let listed = regions.objects.map { ($0.name, $0.photographerCount) }
                #expect(
                    Dictionary(uniqueKeysWithValues: listed) == expected.mapValues(\.count),
                    "seed 3, round \(round)")
                let order = listed.sorted { ($1.1, $0.0) < ($0.1, $1.0) }.map(\.0)
                #expect(listed.map(\.0) == order)
            }
        }
    }

    @Test func `choosing a region lists all its photos by title, live`() async throws {
        try await LibraryFixture.with(source([2, 1])) { library, _ in
            try await library.fetchRecentPhotos()
            let regions = try library.topRegions()
            try regions.search("REGION 01")
            #expect(regions.objects.map(\.name) == [name(1)])
            try regions.search("")
            let region = try #require(regions.objects.first)
            let photos = try library.photos(in: region)
            #expect(photos.objects.map(\.title) == ["0-0-0", "0-0-1", "0-1-0", "0-1-1"])
            try photos.search("0-1-")
            #expect(photos.objects.count == 2)
        }
    }

    @Test func `regions with as many photographers, and their photos, are in alphabetical order`()
        async throws
    {
        let names = ["Zug", "Ötztal", "appenzell", "Örebro"]
        let source = TestSource(
            names.flatMap { name in
                ["Photo 10", "photo 9", "Äpfel", "Zebra"].map {
                    record(name + $0, title: $0, in: name)
                }
            })
        source.with { $0.regions = Dictionary(uniqueKeysWithValues: zip(names, names)) }
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            let regions = try library.topRegions()
            #expect(regions.objects.map(\.name) == ["appenzell", "Örebro", "Ötztal", "Zug"])
            let photos = try library.photos(in: regions.objects[0])
            #expect(photos.objects.map(\.title) == ["Äpfel", "photo 9", "Photo 10", "Zebra"])
        }
    }

    // MARK: - Thumbnails

    @Test func `a thumbnail is fetched when its row is shown, stored, and never fetched again`()
        async throws
    {
        let source = source([3])
        try await LibraryFixture.with(source) { library, fixture in
            try await library.fetchRecentPhotos()
            #expect(source.with { $0.picturesAsked }.isEmpty)
            let photos = Array(try library.context.fetch(Photo.self))
            let list = try library.photos(in: try #require(photos[0].region))
            var updates = 0
            list.onChange = { updates += $0.difference.itemUpdates.count }
            let rows = [photos[0], photos[1], photos[0]].map { photo in
                Task { try await library.thumbnail(of: photo) }
            }
            for row in rows { _ = try await row.value }
            #expect(photos[0].thumbnail == .picture("\(photos[0].uniqueID)-small"))
            #expect(photos[2].thumbnail == nil && updates == 2)
            #expect(source.with { $0.picturesAsked }.count == 2)
            try await library.close()

            let reopened = try await fixture.open(source)
            let photo = try #require(
                try reopened.context.find(Photo.self, \.uniqueID, photos[0].uniqueID))
            #expect(try await reopened.thumbnail(of: photo) == photos[0].thumbnail)
            #expect(source.with { $0.picturesAsked }.count == 2)
        }
    }

    // MARK: - Pruning

    @Test func `old photos go with their unused regions and photographers, counts follow`()
        async throws
    {
        let source = source([2, 1])
        try await LibraryFixture.with(source) { library, fixture in
            let regions = try library.topRegions()
            try await library.fetchRecentPhotos()
            fixture.clock.advance(by: .seconds(5 * 86_400))
            source.with { $0.photos = [record("new", by: "owner 0", in: "place 0")] }
            try await library.fetchRecentPhotos()
            #expect(try await library.prune().photos == 0)
            fixture.clock.advance(by: .seconds(3 * 86_400))
            let pruning = try await library.prune()
            #expect(pruning.photos == 6 && pruning.places == 1)
            #expect(pruning.regions == 1 && pruning.photographers == 1)
            #expect(regions.objects.map(\.name) == [name(0)])
            #expect(regions.objects.map(\.photographerCount) == [1])
        }
    }

    @Test func `pruning keeps favorites, recents and the history`() async throws {
        let source = TestSource((0..<40).map { record("\($0)") })
        try await LibraryFixture.with(source) { library, fixture in
            try await library.fetchRecentPhotos()
            let photos = try (0..<40).map {
                try #require(try library.context.find(Photo.self, \.uniqueID, "\($0)"))
            }
            try await library.setFavorite(true, for: photos[0])
            for photo in photos[1..<31] {
                try library.view(photo)
                fixture.clock.advance(by: .seconds(1))
            }
            fixture.clock.advance(by: .seconds(30 * 86_400))
            try await library.prune()
            // The last 20 viewed of 30, and the favorite.
            let kept = Set(try library.context.fetch(Photo.self).map(\.uniqueID))
            #expect(kept == Set((11..<31).map { "\($0)" } + ["0"]))
            #expect(fixture.imageFiles.count == 1)
        }
    }

    /// A source with so many photos of one place, of which the first were deleted after they were listed.
    private func source(ofPlaceWith count: Int, gone: Int) -> TestSource {
        let source = TestSource((0..<count).map { record("\($0)", in: "p") })
        source.with {
            $0.regions = ["p": "Region"]
            $0.gonePhotos = Set((0..<gone).map(String.init))
        }
        return source
    }

    @Test func `a place gets its region by another photo where one is gone`() async throws {
        let source = source(ofPlaceWith: 4, gone: 2)
        try await LibraryFixture.with(source) { library, _ in
            let fetch = try await library.fetchRecentPhotos()
            #expect(fetch.namedPlaces == 1 && fetch.namingFailure == nil)
            #expect(try library.topRegions().objects.map(\.name) == ["Region"])
        }
    }

    @Test func `a place gets its region by another photo where one has no names any more`()
        async throws
    {
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value([record("0", in: "p"), record("1", in: "p")]))
        source.answerPlaceNames(.value(nil))
        source.answerPlaceNames(
            .value(PlaceNames(locality: "City", region: "Region", country: "Land")))
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(source)
            #expect(try await library.fetchRecentPhotos().namedPlaces == 1)
            #expect(try library.topRegions().objects.map(\.photoCount) == [2])
        }
    }

    @Test func `a place without names is asked about again when it gets another photo`()
        async throws
    {
        let source = FakePhotoSource()
        let photos = (0..<2).map { record("\($0)", in: "p") }
        source.answerRecentPhotos(.value([photos[0]]))
        source.answerRecentPhotos(.value([photos[0]]))
        source.answerRecentPhotos(.value(photos))
        source.answerPlaceNames(.value(nil))
        source.answerPlaceNames(
            .value(PlaceNames(locality: "City", region: "Region", country: "Land")))
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(source)
            for _ in 0..<2 {
                #expect(try await library.fetchRecentPhotos().namedPlaces == 0)
                let asked = source.calls.count { if case .placeNames = $0 { true } else { false } }
                #expect(asked == 1)
            }
            #expect(try await library.fetchRecentPhotos().namedPlaces == 1)
            #expect(try library.topRegions().objects.map(\.photoCount) == [2])
        }
    }

    @Test func `a place all of whose photos are gone is asked about again`() async throws {
        let source = source(ofPlaceWith: 2, gone: 2)
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(source)
            #expect(try await library.fetchRecentPhotos().namingFailure != nil)
            source.with { $0.photos.append(record("2", in: "p")) }
            source.with { $0.gonePhotos = [] }
            #expect(try await library.fetchRecentPhotos().namedPlaces == 1)
        }
    }

    @Test func `a place whose newest photos are gone is named by a later fetch`() async throws {
        let source = source(ofPlaceWith: 8, gone: 7)
        source.with {
            $0.photos = (0..<8).map { record("\($0)", in: "p", uploaded: -Double($0)) }
        }
        try await LibraryFixture.with(source) { library, _ in
            for _ in 0..<2 {
                #expect(try await library.fetchRecentPhotos().namingFailure != nil)
            }
            let fetch = try await library.fetchRecentPhotos()
            #expect(fetch.namedPlaces == 1 && fetch.namingFailure == nil)
        }
    }

    @Test func `a photo stays in its region until that of its new place is known`() async throws {
        let source = TestSource([record("1", in: "p")])
        source.with { $0.regions = ["p": "Region", "q": "Other"] }
        try await LibraryFixture.with(source) { library, _ in
            try await library.fetchRecentPhotos()
            let photo = try #require(try library.context.fetch(Photo.self).first)
            try library.view(record("1", in: "q"))
            #expect(photo.takenAt?.identifier == "q" && photo.region?.name == "Region")
            source.with { $0.photos = [record("1", in: "q")] }
            try await library.fetchRecentPhotos()
            #expect(photo.region?.name == "Other")
        }
    }

    @Test func `a place is asked about by the photos that its source told of last`() async throws {
        let source = source(ofPlaceWith: 6, gone: 6)
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(source)
            #expect(try await library.fetchRecentPhotos().namingFailure != nil)
            source.with { $0.photos = [record("new", in: "p")] }
            #expect(try await library.fetchRecentPhotos().namedPlaces == 1)
        }
    }
}

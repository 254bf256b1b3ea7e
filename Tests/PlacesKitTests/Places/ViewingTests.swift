import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

@MainActor @Suite(.endsWaiting) struct ViewingTests {
    @Test func `browsing alone adds nothing`() async throws {
        try await LibraryFixture.with(TestSource([record("1"), record("2", in: "Rome, Italy")])) {
            library, _ in
            let places = try await library.browsePlaces()
            #expect(places.map(\.title) == ["Paris", "Rome"])
            #expect(try await library.browsePhotos(of: places[1]).map(\.identifier) == ["2"])
            for type in PlacesLibrary.model { #expect(try library.context.count(type) == 0) }
        }
    }

    @Test func `a photo is made when it is viewed, and its place with it, neither twice`()
        async throws
    {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let place = PlaceRecord(identifier: "p", name: "Paris, France")
            let photo = try library.view(record("1", in: nil), in: place)
            #expect(photo.takenAt?.title == "Paris" && photo.takenBy?.name == "ada")
            #expect(try library.view(record("1", in: nil), in: place) === photo)
            let other = try library.view(record("2", in: nil), in: place)
            #expect(other.takenAt === photo.takenAt && other.takenBy === photo.takenBy)
            #expect(try library.context.count(Photo.self) == 2)
            #expect(try library.context.count(Place.self) == 1)
            #expect(try library.context.count(Photographer.self) == 1)
            let nobody = try library.view(PhotoRecord(identifier: "3"))
            #expect(nobody.takenBy == nil && nobody.takenAt == nil && nobody.coordinate == nil)
        }
    }

    @Test func `a photo has the tags of its source, in the source's order`() async throws {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource())
            var record = record("1")
            #expect(try library.view(record).tagNames.isEmpty)
            record.tags = ["night", "Île de la Cité, Paris"]
            #expect(try library.view(record).tagNames == record.tags)
            record.tags = ["two\nlines", "a\r\nb\r", "c"]
            #expect(try library.view(record).tagNames == ["two lines", "a b", "c"])
        }
    }

    @Test func `recents are the photos viewed in the last 48 hours, most recent first, by day`()
        async throws
    {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let recents = try library.recents()
            let older = try library.view(record("older"))
            fixture.clock.advance(by: .seconds(24 * 3_600))
            try library.view(record("a"))
            fixture.clock.advance(by: .seconds(3_600))
            try library.view(record("b"))
            #expect(recents.objects.map(\.title) == ["b", "a", "older"])
            #expect(
                recents.snapshot.sections.map { library.title(ofDay: $0.name) } == [
                    "Today", "Yesterday",
                ])
            fixture.clock.advance(by: .seconds(1))
            try library.view(older)
            #expect(recents.objects.map(\.title) == ["older", "b", "a"])
            #expect(recents.snapshot.sections.map { library.title(ofDay: $0.name) } == ["Today"])
        }
    }

    @Test func `recents are in order, by the days of today's calendar, after a flight to the west`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            @MainActor func open(hoursFromGMT hours: Int) async throws -> PlacesLibrary {
                fixture.options.calendar.timeZone = try #require(
                    TimeZone(secondsFromGMT: hours * 3_600))
                return try await fixture.open(TestSource())
            }
            // Half past midnight of the 17th in Tokyo, and then the morning of the 16th in Los Angeles.
            fixture.clock.advance(by: .seconds(3.5 * 3_600))
            let tokyo = try await open(hoursFromGMT: 9)
            try tokyo.view(record("1"))
            try await tokyo.close()
            let angeles = try await open(hoursFromGMT: -8)
            fixture.clock.advance(by: .seconds(3_600))
            try angeles.view(record("2"))
            fixture.clock.advance(by: .seconds(24 * 3_600))
            try angeles.view(record("3"))
            let recents = try angeles.recents()
            #expect(recents.objects.map(\.title) == ["3", "2", "1"])
            #expect(recents.sections.map(\.title) == ["Today", "Yesterday"])
            #expect(try angeles.history().objects.map(\.title) == ["3", "2", "1"])
            try await angeles.close()

            fixture.options.document.isReadOnly = true
            let reader = try await open(hoursFromGMT: 9)
            #expect(try reader.recents().objects.map(\.title) == ["3", "2", "1"])
        }
    }

    @Test func `recents expire by themselves as time passes`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            for hours in 0..<3 {
                try library.view(record("\(hours)"))
                fixture.clock.advance(by: .seconds(3_600))
            }
            let recents = try library.recents()
            var told: [[String]] = []
            recents.onChange = { [unowned recents] _ in
                told.append(recents.objects.map(\.title))
            }
            await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .seconds(45 * 3_600))
            try await wait { told == [["2", "1"]] }
            await fixture.clock.waitForSleepers()
            fixture.clock.advance(by: .seconds(3 * 3_600))
            try await wait { told.last == [] }
            #expect(try library.context.count(Photo.self) == 3)
            #expect(try library.history().objects.count == 3)
        }
    }

    @Test func `recents survive a relaunch with the same order`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            for title in ["a", "c", "b"] {
                fixture.clock.advance(by: .seconds(1))
                try library.view(record(title))
            }
            try await library.close()
            let reopened = try await fixture.open(TestSource())
            #expect(try reopened.recents().objects.map(\.title) == ["b", "c", "a"])
        }
    }

    @Test func `removing from recents forgets the view and keeps the photo`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let photo = try library.view(record("1"))
            let recents = try library.recents()
            try library.removeFromRecents(photo)
            #expect(recents.objects.isEmpty && !photo.isDeleted && photo.lastViewed == nil)
            #expect(library.title(ofDay: photo.lastViewedSection) == "Never")
            #expect(try library.history().objects.isEmpty)
        }
    }

    @Test func `deleting a photo removes it from recents`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let photo = try library.view(record("1"))
            let recents = try library.recents()
            #expect(recents.objects.count == 1)
            try await library.delete(photo)
            #expect(recents.objects.isEmpty)
        }
    }

    @Test func `of photos viewed at one instant the last one comes first`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            for title in ["c", "a", "d", "b"] { try library.view(record(title)) }
            #expect(try library.history().objects.map(\.title) == ["b", "d", "a", "c"])
        }
    }

    @Test func `a photo that is viewed after the clock was set back is in the history`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let time = Mutex(LibraryFixture.start)
            fixture.options.now = { time.withLock { $0 } }
            let library = try await fixture.open(TestSource())
            for number in 0..<20 {
                time.withLock { $0 += 1 }
                try library.view(record("\(number)"))
            }
            time.withLock { $0 -= 3_600 }
            try library.view(record("new"))
            let titles = try library.history().objects.map(\.title)
            #expect(titles.count == 20 && titles.first == "new")
            #expect(try library.recents().objects.first?.title == "new")
        }
    }

    @Test func `a clock that was wrong once does not date what is viewed later`() async throws {
        try await LibraryFixture.with { fixture in
            let time = Mutex(LibraryFixture.start)
            fixture.options.now = { time.withLock { $0 } }
            let library = try await fixture.open(TestSource())
            time.withLock { $0 += 70 * 365 * 86_400 }
            try library.view(record("far"))
            time.withLock { $0 = LibraryFixture.start }
            for title in ["b", "a"] { try library.view(record(title)) }
            #expect(try library.history().objects.map(\.title) == ["a", "b"])
            let photos = try library.context.fetch(Photo.self).filter { $0.title != "far" }
            #expect(
                photos.allSatisfy { photo in
                    photo.lastViewed.map { abs($0.timeIntervalSince(LibraryFixture.start)) < 1 }
                        ?? false
                })
        }
    }

    @Test func `what was viewed under a clock that ran ahead hides nothing that is viewed later`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let time = Mutex(LibraryFixture.start + 365 * 86_400)
            fixture.options.now = { time.withLock { $0 } }
            let library = try await fixture.open(TestSource())
            let (history, recents) = (try library.history(), try library.recents())
            for number in 0..<PlacesLibrary.historyLength {
                try library.view(record("ahead \(number)"))
            }
            #expect(history.objects.count == 20 && recents.objects.count == 20)
            time.withLock { $0 = LibraryFixture.start }
            for title in ["a", "b"] { try library.view(record(title)) }
            #expect(history.objects.map(\.title) == ["b", "a"])
            #expect(recents.objects.map(\.title) == ["b", "a"])
            try library.view(record("ahead 3"))
            #expect(history.objects.map(\.title) == ["ahead 3", "b", "a"])
            #expect(recents.objects.map(\.title) == ["ahead 3", "b", "a"])
        }
    }

    @Test func `under a clock that lags nothing is pruned that was viewed since its time`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let time = Mutex(LibraryFixture.start)
            fixture.options.now = { time.withLock { $0 } }
            let library = try await fixture.open(TestSource([record("1"), record("2")]))
            try await library.fetchRecentPhotos()
            time.withLock { $0 += 40 * 86_400 }
            try library.view(record("1"))
            time.withLock { $0 -= 10 * 86_400 }
            #expect(try await library.prune().photos == 1)
            time.withLock { $0 += 10 * 86_400 }
            #expect(try library.history().objects.map(\.title) == ["1"])
        }
    }

    @Test func `a photo that nothing keeps any more is pruned when that was so for a week`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource([]))
            let photos = try (0..<3).map { try library.view(record("\($0)")) }
            try await library.setFavorite(true, for: photos[1])
            for photo in photos[..<2] { try library.removeFromRecents(photo) }
            func kept() throws -> Set<String> {
                Set(try library.context.fetch(Photo.self).map(\.uniqueID))
            }
            #expect(try await library.prune().photos == 0)
            fixture.clock.advance(by: .seconds(8 * 86_400))
            #expect(try await library.prune().photos == 1)
            #expect(try kept() == ["1", "2"])
            try await library.setFavorite(false, for: photos[1])
            #expect(try await library.prune().photos == 0)
            fixture.clock.advance(by: .seconds(8 * 86_400))
            #expect(try await library.prune().photos == 1)
            // All photos ever viewed have lists of their own.
            #expect(try kept() == ["2"])
        }
    }
}

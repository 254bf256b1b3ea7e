import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// A clock that a test sets.
private final class ManualClock: Sendable {
    private let instant = Mutex(Date(timeIntervalSinceReferenceDate: 0))
    var now: Date { instant.withLock { $0 } }
    func advance(by seconds: Double) { instant.withLock { $0 += seconds } }
}

private func place(_ name: String) -> PlaceRecord { PlaceRecord(identifier: name, name: name) }

private func photo(_ identifier: String, title: String = "", owner: String = "ada") -> PhotoRecord {
    PhotoRecord(
        identifier: identifier, title: title, owner: PhotoOwner(identifier: owner, name: owner))
}

@MainActor
struct PlacesLibraryTests {
    @Test func `top places are in sections by country, alphabetical in each`() async throws {
        try await withTemporaryDirectory { folder in
            let source = FakePhotoSource()
            source.answerPlaces(
                .value([
                    place("Paris, Île-de-France, France"), place("London, England, United Kingdom"),
                    place("Bath, England, United Kingdom"), place("Lyon, France"),
                    place("Singapore"), place(""), place("東京, 日本"),
                ]))
            let library = try await PlacesLibrary.open(at: folder, source: source)
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

    @Test func `a load replaces the list and is told to an open one`() async throws {
        try await withTemporaryDirectory { folder in
            let source = FakePhotoSource()
            source.answerPlaces(.value([place("Paris, France"), place("Rome, Italy")]))
            source.answerPlaces(.value([place("Rome, Italy"), place("Oslo, Norway")]))
            let library = try await PlacesLibrary.open(at: folder, source: source)
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
        try await withTemporaryDirectory { folder in
            let source = FakePhotoSource()
            source.answerPlaces(.value([place("Paris, France")]))
            source.answerPlaces(.failure(PhotoSourceError.notConnected(reason: "no network")))
            let library = try await PlacesLibrary.open(at: folder, source: source)
            try await library.loadTopPlaces()
            await #expect(throws: PhotoSourceError.self) { try await library.loadTopPlaces() }
            #expect(try library.topPlaces().objects.map(\.title) == ["Paris"])
        }
    }

    @Test func `an older load cannot overwrite a newer one`() async throws {
        try await withTemporaryDirectory { folder in
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
            let library = try await PlacesLibrary.open(at: folder, source: source)
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
        try await withTemporaryDirectory { folder in
            let source = FakePhotoSource()
            source.answerPlaces(.value([place("Paris, France")]))
            source.answerPhotosInPlace(
                .value([photo("1", title: "Dawn"), photo("2"), photo("3", owner: "bob")]))
            let library = try await PlacesLibrary.open(at: folder, source: source)
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
        try await withTemporaryDirectory { folder in
            let source = FakePhotoSource()
            source.answerPlaces(.value([place("Paris, France")]))
            source.answerPhotosInPlace(.value((0..<30).map { photo("\($0)", title: "\($0)") }))
            let clock = ManualClock()
            let library = try await PlacesLibrary.open(
                at: folder, source: source, now: { clock.now })
            try await library.loadTopPlaces()
            let paris = try #require(try library.topPlaces().objects.first)
            let photos = try await library.loadPhotos(of: paris)
            let history = try library.history()
            var expected: [String] = []
            for index in (0..<30).map({ $0 * 7 % 30 }) + [3, 3, 5] {
                clock.advance(by: 60)
                try library.view(photos[index])
                expected.removeAll { $0 == "\(index)" }
                expected.insert("\(index)", at: 0)
                #expect(history.objects.map(\.title) == Array(expected.prefix(20)))
            }
            try await library.close()

            let reopened = try await PlacesLibrary.open(at: folder, source: source)
            #expect(
                try reopened.history().objects.map(\.title) == Array(expected.prefix(20)))
        }
    }
}

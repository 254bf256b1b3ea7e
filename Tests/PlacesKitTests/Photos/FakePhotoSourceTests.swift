import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FakePhotoSourceTests {
    @Test func `answers come in order, the last for ever, and calls are recorded`() async throws {
        let source = FakePhotoSource()
        let photo = PhotoRecord(identifier: "1")
        source.answerRecentPhotos(.failure(PhotoSourceError.notConnected(reason: "test")))
        source.answerRecentPhotos(.value([photo, photo]))
        await #expect(throws: PhotoSourceError.notConnected(reason: "test")) {
            try await source.recentPhotos(limit: 5)
        }
        #expect(try await source.recentPhotos(limit: 5).count == 2)
        #expect(try await source.recentPhotos(limit: 1).count == 1)
        #expect(
            source.calls == [
                .recentPhotos(limit: 5), .recentPhotos(limit: 5), .recentPhotos(limit: 1),
            ])
    }

    @Test func `an answer that is added after a call is for the next call`() async throws {
        let source = FakePhotoSource()
        func answer(_ region: String) {
            source.answerPlaceNames(.value(PlaceNames(region: region)))
        }
        func region() async throws -> String? {
            try await source.placeNames(at: Coordinate(latitude: 1, longitude: 2))?.region
        }
        answer("first")
        #expect(try await region() == "first")
        answer("second")
        answer("third")
        #expect(try await region() == "second")
        answer("fourth")
        #expect(try await region() == "third")
        #expect(try await region() == "fourth")
        #expect(try await region() == "fourth")
        answer("fifth")
        #expect(try await region() == "fifth")
    }

    @Test func `a call without an answer is a typed error`() async {
        await #expect(throws: PhotoSourceError.self) { try await FakePhotoSource().places() }
    }

    @Test func `the conveniences ask for 50 photos of a place and 21 near a point`() async throws {
        let source = FakePhotoSource()
        source.answerPhotosInPlace(.value([]))
        source.answerPhotosInArea(.value(PhotoPage(page: 1, usablePages: 0, photos: [])))
        let point = Coordinate(latitude: 1, longitude: 2)
        _ = try await source.photos(in: PlaceRecord(identifier: "p", name: "P"))
        _ = try await source.photos(near: point, kilometers: 5)
        #expect(
            source.calls == [
                .photosInPlace(identifier: "p", limit: 50),
                .photosInArea(.circle(center: point, kilometers: 5), page: 1, perPage: 21),
            ])
    }

    @Test func `a cancelled call throws CancellationError`() async {
        let source = FakePhotoSource()
        source.answerPlaces(.value([]))
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            _ = try await source.places()
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    @Test func `a cancelled call uses up no answer, and is cancelled also if it has none`()
        async throws
    {
        let (source, transport) = (FakePhotoSource(), StubTransport())
        let url = try #require(URL(string: "https://example.org/?method=m"))
        let request = HTTPRequest(url: url)
        func cancelled(_ body: @escaping @Sendable () async throws -> Void) async {
            let task = Task {
                withUnsafeCurrentTask { $0?.cancel() }
                try await body()
            }
            await #expect(throws: CancellationError.self) { try await task.value }
        }
        for _ in 0..<2 {
            await cancelled { _ = try await source.recentPhotos(limit: 1) }
            await cancelled { _ = try await transport.send(request) }
            source.answerRecentPhotos(.value([PhotoRecord(identifier: "1")]))
            source.answerRecentPhotos(.value([PhotoRecord(identifier: "2")]))
            transport.answer("m", json: "1")
            transport.answer("m", json: "2")
            await cancelled { _ = try await source.recentPhotos(limit: 1) }
            await cancelled { _ = try await transport.send(request) }
            for number in ["1", "2"] {
                #expect(try await source.recentPhotos(limit: 1).map(\.identifier) == [number])
                #expect(try await transport.send(request).body == Data(number.utf8))
            }
        }
    }
}

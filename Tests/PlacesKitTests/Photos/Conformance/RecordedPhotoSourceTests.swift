import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct RecordedPhotoSourceTests {
    @Test func `a record that has moved, or has names or sizes of its own, gets those of no other`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let source = FakePhotoSource()
            source.answerPlaceNames(.value(PlaceNames(region: "one")))
            source.answerPlaceNames(.value(PlaceNames(region: "two")))
            let (region, town) = (PlaceNames(region: "own"), PlaceNames(locality: "own"))
            let url = try #require(URL(string: "test://1-small"))
            let records = [
                PhotoRecord(identifier: "1", coordinate: Coordinate(latitude: 1, longitude: 1)),
                PhotoRecord(identifier: "1", coordinate: Coordinate(latitude: 2, longitude: 1)),
                PhotoRecord(identifier: "1", placeNames: region),
                PhotoRecord(identifier: "1", placeNames: town),
                PhotoRecord(identifier: "1", variants: [PhotoVariant(name: "small", url: url)]),
            ]
            let recording = try RecordedPhotoSource(folder: folder, recording: source)
            for recorded in [recording, try RecordedPhotoSource(folder: folder)] {
                var (names, sizes): ([PlaceNames?], [Int]) = ([], [])
                for record in records {
                    names.append(try await recorded.placeNames(of: record))
                    sizes.append(try await recorded.variants(of: record).count)
                }
                #expect(
                    names == [
                        PlaceNames(region: "one"), PlaceNames(region: "two"), region, town, nil,
                    ])
                #expect(sizes == [0, 0, 0, 0, 1])
            }
            #expect(source.calls.count == 2)
        }
    }

    @Test(.endsWaiting) func `a question is asked once for all who have it at the same time`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let gate = Gate()
            let source = FakePhotoSource()
            for number in 1...8 {
                source.answerPlaceNames(
                    .run {
                        await gate.wait()
                        return number == 1 ? nil : PlaceNames(region: "\(number)")
                    })
            }
            let recording = try RecordedPhotoSource(folder: folder, recording: source)
            let point = Coordinate(latitude: 1, longitude: 2)
            let tasks = (0..<8).map { _ in Task { try await recording.placeNames(at: point) } }
            try await wait { !source.calls.isEmpty }
            // All others have had their turns by then.
            for _ in 0..<50 { await Task.yield() }
            gate.open()
            for task in tasks { #expect(try await task.value == nil) }
            #expect(source.calls.count == 1)
            #expect(try await RecordedPhotoSource(folder: folder).placeNames(at: point) == nil)
        }
    }

    @Test func `an error that would come again is recorded, and none of a key or a network`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let dead = PhotoSourceError.unavailable(
                reason: .methodReturnsNothing(provider: "P", method: "m"))
            let invalid = PhotoSourceError.invalidRequest(reason: "test")
            let notFound = PhotoSourceError.http(status: 404, retryAfter: nil)
            let keyless = PhotoSourceError.missingKey(provider: "P", remedy: "none")
            let source = FakePhotoSource()
            source.answerPlaces(.failure(dead))
            source.answerPhotosInPlace(.failure(invalid))
            source.answerDetails(.failure(notFound))
            source.answerRecentPhotos(.failure(keyless))
            source.answerRecentPhotos(.value([PhotoRecord(identifier: "1")]))
            let recording = try RecordedPhotoSource(folder: folder, recording: source)
            await #expect(throws: keyless) { try await recording.recentPhotos(limit: 1) }
            let place = PlaceRecord(identifier: "p", name: "P")
            for recorded in [recording, try RecordedPhotoSource(folder: folder)] {
                await #expect(throws: dead) { try await recorded.places() }
                await #expect(throws: invalid) { try await recorded.photos(in: place, limit: 1) }
                await #expect(throws: notFound) { try await recorded.details(ofPhoto: "1") }
                #expect(try await recorded.recentPhotos(limit: 1).count == 1)
            }
            #expect(source.calls.count == 5)
        }
    }
}

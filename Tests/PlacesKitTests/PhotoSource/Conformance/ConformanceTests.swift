import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct ConformanceTests {
    private func violations(_ source: any PhotoSource) async -> [String] {
        await PhotoSourceConformance(source, near: StandInWorld.paris).violations()
            .map(\.description)
    }

    @Test func `a sample world conforms`() async {
        #expect(await violations(SamplePhotoSource()) == [])
    }

    @Test func `Flickr conforms, over real sockets`() async throws {
        let standIn = FlickrStandIn(world: try await StandInWorld())
        let server = try LoopbackServer { standIn.answer($0) }
        let flickr = FlickrPhotoSource(
            key: "conformance", transport: server.transport(), retry: .never)
        #expect(await violations(flickr) == [])
    }

    @Test func `Wikimedia Commons conforms, over real sockets`() async throws {
        let standIn = CommonsStandIn(world: try await StandInWorld())
        let server = try LoopbackServer { standIn.answer($0) }
        let commons = try CommonsPhotoSource(
            application: "Tests/1", contact: "https://example.org/tests",
            transport: server.transport(),
            retry: RetryPolicy(
                attempts: 1, attemptTime: nil, totalTime: nil,
                clock: ManualClock(isImmediate: true)))
        #expect(await violations(commons) == [])
    }

    @Test func `a recording conforms, while it is made and afterwards`() async throws {
        try await withTemporaryDirectory { folder in
            let recording = try RecordedPhotoSource(folder: folder, recording: SamplePhotoSource())
            #expect(await violations(recording) == [])
            #expect(await violations(try RecordedPhotoSource(folder: folder)) == [])
        }
    }

    @Test func `a source without faults conforms, one with faults does not`() async {
        let sample = SamplePhotoSource()
        #expect(await violations(FaultyPhotoSource(sample, faults: [.none])) == [])
        let error = PhotoSourceError.notConnected(reason: "test")
        #expect(await !violations(FaultyPhotoSource(sample, faults: [.error(error)])).isEmpty)
        #expect(await !violations(FaultyPhotoSource(sample, faults: [.truncation(0)])).isEmpty)
        let page = Fault.replacement(Data("<html>".utf8))
        #expect(
            await violations(FaultyPhotoSource(sample, faults: [page]))
                == ["data(for:): is no picture by its first bytes"])
    }

    /// A source that breaks promises of all kinds.
    private struct Liar: PhotoSource {
        let name = ""
        let capabilities: Set<PhotoSourceCapability> = [
            .places, .recentPhotos, .photosNearPoints, .details,
        ]

        func places() async throws -> [PlaceRecord] { [] }

        func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
            [PhotoRecord(identifier: "1"), PhotoRecord(identifier: "1")]
        }

        func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
            let photos = (0..<9).map { number in
                PhotoRecord(
                    identifier: "\(page)-\(number)",
                    coordinate: Coordinate(latitude: Double(number * 15), longitude: 0))
            }
            return PhotoPage(page: page, usablePages: 1, photos: photos)
        }

        func details(ofPhoto identifier: String) async throws -> PhotoRecord {
            PhotoRecord(identifier: "another")
        }

        func data(for variant: PhotoVariant) async throws -> Data { Data() }
    }

    @Test func `a source that breaks its promises is told which`() async {
        let found = await violations(Liar())
        for problem in [
            "name: is empty", "places(): is empty; it should throw unavailable",
            "recentPhotos(limit: 1): repeats a photo", "recentPhotos(limit: 0): has 2 photos",
            "does not say where it was taken", "has 9 photos", "lies outside the area",
            "should throw invalidRequest", "are those of another photo", "should throw gone",
            "should throw CancellationError", "has photos but is not the last page",
            "has a coordinate that is none",
        ] {
            let isFound = found.contains { $0.contains(problem) }
            #expect(isFound, "\(problem)\n\(found)")
        }
    }
}

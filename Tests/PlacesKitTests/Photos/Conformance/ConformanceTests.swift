import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct ConformanceTests {
    private func violations(_ source: any PhotoSource, radius: Double = 5) async -> [String] {
        await PhotoSourceConformance(source, near: StandInWorld.paris, kilometers: radius)
            .violations()
            .map(\.description)
    }

    private func expectConformance(
        of source: any PhotoSource, radius: Double = 5,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async {
        let found = await violations(source, radius: radius)
        #expect(found.isEmpty, "\(found.joined(separator: "\n"))", sourceLocation: sourceLocation)
    }

    @Test func `a sample world conforms`() async {
        await expectConformance(of: SamplePhotoSource())
    }

    @Test func `Flickr conforms, over real sockets`() async throws {
        let standIn = FlickrStandIn(world: try await StandInWorld())
        let server = try LoopbackServer { standIn.answer($0) }
        let flickr = FlickrPhotoSource(
            key: "conformance", transport: server.transport(), retry: .never)
        await expectConformance(of: flickr)
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
        await expectConformance(of: commons)
    }

    @Test func `a recording conforms, while it is made and afterwards`() async throws {
        try await withTemporaryDirectory { folder in
            let recording = try RecordedPhotoSource(folder: folder, recording: SamplePhotoSource())
            await expectConformance(of: recording)
            await expectConformance(of: try RecordedPhotoSource(folder: folder))
        }
    }

    @Test func `a source without faults conforms, one with faults does not`() async {
        let sample = SamplePhotoSource()
        await expectConformance(of: FaultyPhotoSource(sample, faults: [.none]))
        let error = PhotoSourceError.notConnected(reason: "test")
        #expect(await !violations(FaultyPhotoSource(sample, faults: [.error(error)])).isEmpty)
        #expect(await !violations(FaultyPhotoSource(sample, faults: [.truncation(0)])).isEmpty)
        let page = Fault.replacement(Data("<html>".utf8))
        #expect(
            await violations(FaultyPhotoSource(sample, faults: [page]))
                == ["data(for:): is no picture by its first bytes"])
    }

    @Test(arguments: PlantedFault.all)
    func `a fault is noticed`(_ fault: PlantedFault) async {
        var source = SpoiltPhotoSource()
        fault.plant(&source)
        #expect(await !violations(source, radius: 2).isEmpty)
    }

    @Test func `the source that faults are planted in conforms`() async {
        await expectConformance(of: SpoiltPhotoSource(), radius: 2)
        #expect(PlantedFault.all.count >= 64)
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

        func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
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

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What the files of recordings are called.
@Suite struct RecordingNameTests {
    private static let rest = "https://api.flickr.com/services/rest/"

    /// The names of the files that requests are recorded in, in the order of the requests.
    private func names(_ addresses: String...) async throws -> [String] {
        try await withTemporaryDirectory { folder in
            let recorder = RecordedTransport(
                folder: folder, recording: ScriptedTransport { _ in .success }, secrets: ["5ecre7"])
            var names: [String] = []
            for address in addresses {
                let url = try #require(URL(string: address))
                _ = try await recorder.send(HTTPRequest(url: url))
                let all = try FileManager.default.contentsOfDirectory(atPath: folder.path)
                names += Set(all).subtracting(names)
            }
            return names
        }
    }

    @Test func `a recording is named after the method and the parameters that tell it from others`()
        async throws
    {
        let fixed = "?api_key=5ecre7&format=json&nojsoncallback=1"
        let names = try await names(
            "\(Self.rest)\(fixed)&method=flickr.photos.search&page=2&place_id=abc",
            "\(Self.rest)\(fixed)&method=flickr.photos.search&per_page=250&page=3&place_id=abc",
            "\(Self.rest)\(fixed)&method=flickr.photos.getInfo&photo_id=201",
            "\(Self.rest)?method=flickr.test.echo")
        #expect(
            names == [
                "flickr.photos.search-place_id-abc-page-2.json",
                "flickr.photos.search-place_id-abc-per_page-250-page-3.json",
                "flickr.photos.getInfo-photo_id-201.json", "flickr.test.echo.json",
            ])
    }

    @Test func `what the sources ask has names that people can read`() async throws {
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { _ in
                HTTPResponse(body: Data(FlickrFixtures.noPhotos.utf8))
            }
            let recorder = RecordedTransport(folder: folder, recording: base, secrets: ["5ecre7"])
            let flickr = FlickrPhotoSource(
                key: "5ecre7", transport: recorder, retry: .never)
            let place = PlaceRecord(identifier: "woe:44418", name: "London")
            _ = try await flickr.photos(in: place, limit: 50)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(
                names == [
                    "flickr.photos.search-min_upload_date-1075593600-woe_id-44418-per_page-50-page-1"
                        + ".json"
                ])
        }
    }

    @Test func `of requests that would share a name, all but the first get a digest`() async throws
    {
        let method = "\(Self.rest)?method=m"
        let addresses = [
            "\(method)&a=x&b=y", "\(method)&a=x-b-y", "\(method)&a=x/y", "\(method)&a=x_y",
            "\(method)&a=x%7Cy", "\(method)&a=X_Y", "\(method)&format=xml", method, "\(method)&a=",
            "https://elsewhere.example/?method=m", "http://elsewhere.example/?method=m",
            "\(method)&a=x&a=y", "\(method)&a", "\(method)&a#f", "\(method)&a=x%2Fy",
        ]
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { HTTPResponse(body: Data("\($0)".utf8)) }
            let recorder = RecordedTransport(folder: folder, recording: base)
            for address in addresses {
                _ = try await recorder.send(HTTPRequest(url: try #require(URL(string: address))))
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.count == addresses.count)
            #expect(
                names.filter { !$0.contains("~") }.sorted() == [
                    "m-a-X_Y.json", "m-a-x-a-y.json", "m-a-x-b-y.json", "m-a-x_y.json", "m-a.json",
                    "m.json",
                ])
            #expect(names.filter { $0.hasPrefix("m-a-x_y~") }.count == 3)
            let replay = RecordedTransport(folder: folder)
            for (index, address) in addresses.enumerated() {
                let url = try #require(URL(string: address))
                #expect(
                    try await replay.send(HTTPRequest(url: url)).body == Data("\(index + 1)".utf8))
            }
        }
    }

    @Test func `recordings that are made at the same time each have a name`() async throws {
        try await withTemporaryDirectory { folder in
            let base = ScriptedTransport { _ in .success }
            await withTaskGroup { group in
                for number in 0..<200 {
                    group.addTask {
                        let text = "\(Self.rest)?method=m&extras=\(number)"
                        guard let url = URL(string: text) else { return }
                        // Each caller has a recorder of its own.
                        let recorder = RecordedTransport(folder: folder, recording: base)
                        _ = try? await recorder.send(HTTPRequest(url: url))
                    }
                }
            }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names.count == 200)
        }
    }

    @Test func `any request has a name that every file system takes, without the key`()
        async throws
    {
        let strange = [
            "..", "/", "%00", "%0A", "a%2Fb", "%2E%2E%2F", "%F0%9F%8C%8D", "CON", "*%3F%3A",
            "5ecre7",
            "5ECRE7", "%35ecre7", String(repeating: "x", count: 400), "~", "-", "%20",
        ]
        for value in strange {
            for address in [
                "\(Self.rest)?method=\(value)&\(value)=\(value)&api_key=5ecre7",
                "https://example.org/\(value)?key=\(value)",
            ] {
                let name = try #require(try await names(address).first, "\(address)")
                #expect(name.utf8.count <= 200)
                #expect(name.hasSuffix(".json") && !name.hasPrefix(".") && !name.hasPrefix("-"))
                #expect(name.wholeMatch(of: /[A-Za-z0-9._~\-]+/) != nil, "\(name)")
                #expect(!name.lowercased().contains("5ecre7"), "\(name)")
            }
        }
    }

    @Test func `the answers of a source have names that people can read`() async throws {
        try await withTemporaryDirectory { folder in
            let source = try RecordedPhotoSource(folder: folder, recording: SamplePhotoSource())
            let paris = Coordinate(latitude: 48.857, longitude: 2.352)
            _ = try await source.places()
            _ = try await source.recentPhotos(limit: 7)
            _ = try await source.photos(
                in: .circle(center: paris, kilometers: 5), page: 2, perPage: 20)
            _ = try await source.placeNames(at: paris)
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(
                Set(names) == [
                    "source.json", "places.json", "recentPhotos-limit-7.json",
                    "photosNearPoints-latitude-48.857-longitude-2.352-radius-5.0-per_page-20-page-2"
                        + ".json",
                    "placeNames-latitude-48.857-longitude-2.352.json",
                ])
        }
    }
}

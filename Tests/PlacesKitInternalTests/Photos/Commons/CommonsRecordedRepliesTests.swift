import Foundation
import PlacesKit
import Testing

@testable import PlacesPhotos

/// Reads replies recorded from Wikimedia Commons, if a folder of them lies beside the repository.
@Suite struct CommonsRecordedRepliesTests {
    private static let folder: URL = {
        var root = URL(filePath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appending(path: "shared/commons")
    }()

    private static func files() -> [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
    }

    private func reply(_ file: String) throws -> CommonsReply {
        let body = try Data(contentsOf: Self.folder.appending(path: file))
        return try CommonsReply(HTTPResponse(body: body))
    }

    @Test func `every reply is read, and errors are errors`() throws {
        for file in Self.files() {
            if file.contains("error") {
                let error = #expect(throws: PhotoSourceError.self, "\(file)") { try reply(file) }
                #expect(error?.isRetryable == file.contains("maxlag"), "\(file)")
            } else {
                #expect(throws: Never.self, "\(file)") { try reply(file) }
            }
        }
    }

    @Test func `files around a point are those that were counted`() throws {
        let file = "01_list_geosearch_fv2_london.json"
        guard Self.files().contains(file) else { return }
        let hits = CommonsHits(try reply(file))
        #expect(hits.identifiers.count == 27)
        #expect(!hits.isCapped)
    }

    @Test func `descriptions are read in full`() throws {
        let file = "02_generator_geosearch_imageinfo_extmetadata_coordinates_fv2.json"
        guard Self.files().contains(file) else { return }
        let page = try #require(try reply(file).pages.first)
        let info = page["imageinfo"].elements.first
        #expect(info?["mime"].text == "image/jpeg")
        #expect(
            CommonsDate.taken(info?["extmetadata"]["DateTimeOriginal"]["value"].text ?? "")?
                .description == "circa 1948")
    }

    @Test func `only the replies that go on name what follows`() throws {
        let following = Self.files().filter { !$0.contains("error") }.filter {
            (try? reply($0))?.continuation.isEmpty == false
        }
        guard !Self.files().isEmpty else { return }
        #expect(following.allSatisfy { $0.contains("allimages_continue") })
        #expect(following.count == 3)
    }
}

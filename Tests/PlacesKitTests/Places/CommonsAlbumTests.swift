import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Albums of areas in which Commons has files that are no photos.
@MainActor @Suite(.endsWaiting) struct CommonsAlbumTests {
    /// What Commons tells of a file.
    private enum File: Sendable { case photo, unlicensed, drawing, deleted, untold, incomplete }

    nonisolated private static func page(_ number: Int, _ file: File) -> String? {
        let start = #"{"pageid":\#(number),"title":"File:\#(number).jpg""#
        let mime = file == .drawing ? "image/svg+xml" : "image/jpeg"
        let license = file == .unlicensed ? "" : "CC0"
        return switch file {
        case .untold: nil
        case .deleted: start + #","missing":true}"#
        case .incomplete: start + "}"
        default:
            start + """
                ,"imageinfo":[{"url":"https://upload.wikimedia.org/\(number).jpg","width":2000,"height":1000,
                "mime":"\(mime)","extmetadata":{"LicenseShortName":{"value":"\(license)"}}}]}
                """
        }
    }

    /// Loads an album of an area with these files, nearest first.
    private func album(
        of files: [File], _ body: @MainActor (PlacesLibrary, Pin) async throws -> Void
    ) async throws {
        let transport = AnsweringTransport { request in
            if request.queryValue("list") == "geosearch" {
                let hits = files.indices.map {
                    #"{"pageid":\#($0 + 1),"title":"File:\#($0 + 1).jpg","lat":1,"lon":2.\#(1_000 + $0)}"#
                }
                return #"{"query":{"geosearch":[\#(hits.joined(separator: ","))]}}"#
            }
            let asked = request.queryValue("pageids")?.split(separator: "|") ?? []
            let pages = asked.compactMap { Int($0) }.compactMap { Self.page($0, files[$0 - 1]) }
            return #"{"query":{"pages":[\#(pages.joined(separator: ","))]}}"#
        }
        let commons = try CommonsPhotoSource(
            application: "Tests/1", contact: "x@example.org", transport: transport, retry: .never)
        try await LibraryFixture.with(commons) { library, _ in
            try await body(
                library, try library.dropPin(at: Coordinate(latitude: 1, longitude: 2)))
        }
    }

    @Test(arguments: [3, 30])
    func `an area whose files are no photos has an empty album`(count: Int) async throws {
        let kinds: [File] = [.unlicensed, .drawing, .deleted]
        try await album(of: (0..<count).map { kinds[$0 % 3] }) { library, pin in
            try await library.loadAlbum(of: pin)
            #expect(pin.albumState == .empty && pin.wantedPage == nil && pin.usablePages == 0)
            try await library.newCollection(of: pin)
            #expect(pin.albumState == .empty)
        }
    }

    @Test func `photos after pages of files that are none are found`() async throws {
        let files = [File](repeating: .drawing, count: 2 * PhotoPage.standardLength) + [.photo]
        try await album(of: files) { library, pin in
            try await library.loadAlbum(of: pin)
            #expect(pin.photos.map(\.uniqueID) == ["43"])
            #expect(pin.page == 3 && pin.usablePages == 3)
        }
    }

    @Test(arguments: [false, true])
    func `an area of whose files Commons does not tell is searched again`(
        isPart: Bool
    ) async throws {
        try await album(of: [.drawing, isPart ? .incomplete : .untold]) { library, pin in
            await #expect(throws: PhotoSourceError.self) { try await library.loadAlbum(of: pin) }
            #expect(pin.albumState == .notSearched && pin.wantedPage == 1)
        }
    }
}

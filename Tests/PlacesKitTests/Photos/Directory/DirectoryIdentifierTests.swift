import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DirectoryIdentifierTests {
    private let folder: PhotoFolder

    init() throws {
        folder = try PhotoFolder()
    }

    @Test func `names that differ only in their Unicode normalization are two photos`()
        async throws
    {
        try folder.writePhoto("caf\u{E9} 100%/a.jpg", width: 10)
        try folder.writePhoto("cafe\u{301} 100%/a.jpg", width: 20)
        let source = folder.source
        // A volume that takes both for one name keeps one of them.
        guard try await source.rescan().photoCount == 2 else { return }
        for (identifier, width) in [
            ("caf\u{E9} 100%/a.jpg", 10), ("./cafe%CC%81 100%25/a.jpg", 20),
        ] {
            let photo = try await source.details(ofPhoto: identifier)
            #expect(photo.identifier == identifier)
            let original = try #require(photo.variants.last)
            #expect(original.width == width)
            let picture = try PhotoMetadata(jpeg: await source.data(for: original))
            #expect(picture?.width == width)
        }
        #expect(try await source.rescan().photoCount == 2)
    }

    @Test(arguments: [
        ("a.jpg", "a.jpg"), ("trip/c ä#1%.jpg", "trip/c ä#1%.jpg"),
        ("a\u{308}.jpg", "./a%CC%88.jpg"), ("\u{212B}/%.jpg", "./%E2%84%AB/%25.jpg"),
    ])
    func `an identifier is the path, spelled out where that is not NFC`(
        path: String, identifier: String
    ) async throws {
        try folder.writePhoto(path)
        let photo = try await folder.source.details(ofPhoto: identifier)
        #expect(Array(photo.identifier.utf8) == Array(identifier.utf8))
    }
}

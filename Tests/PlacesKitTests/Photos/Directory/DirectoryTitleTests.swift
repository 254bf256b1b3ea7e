import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DirectoryTitleTests {
    private let folder: PhotoFolder

    init() throws {
        folder = try PhotoFolder()
    }

    private func record(
        _ name: String, description: String? = nil, xmp: String? = nil
    ) async throws -> PhotoRecord {
        var file = JPEGBuilder()
        if let description {
            var exif = EXIFBuilder()
            exif.main[0x010E] = .text(description)
            file.add(exif: exif)
        }
        if let xmp { file.add(xmp: "<rdf:Description \(xmp)/>") }
        try folder.write(file.bytes, to: name)
        return try await folder.source.details(ofPhoto: name)
    }

    @Test(arguments: [
        ("IMG_0042.JPG", "IMG_0042"), ("trip/Bridge_at_dusk.jpeg", "Bridge at dusk"),
        ("PXL_20230101_1.jpg", "PXL_20230101_1"), ("1.5 miles.jpg", "1.5 miles"),
        ("_dusk_.jpg", "dusk"), ("___.jpg", "___"), ("50%20off.jpg", "50%20off"),
    ])
    func `a photo without words is called like its file`(
        name: String, title: String
    ) async throws {
        #expect(try await record(name).title == title)
    }

    @Test(arguments: [
        "OLYMPUS DIGITAL CAMERA", "SONY DSC", "KONICA MINOLTA DIGITAL CAMERA", "DCIM",
        "Exif_JPEG_PICTURE", "Exif JPEG", "SAMSUNG CAMERA PICTURES", "Kodak Digital Still Camera",
        "MINOLTA DIGITAL CAMERA  ",
    ])
    func `a camera's own words are none`(words: String) async throws {
        let photo = try await record("a.jpg", description: words)
        #expect(photo.title == "a" && photo.caption.isEmpty)
        let described = try await record(
            "b.jpg", description: words, xmp: "dc:title=\"\(words)\" dc:description=\"Dusk\"")
        #expect(described.title.isEmpty && described.displayTitle == "Dusk", "the next one counts")
    }

    @Test(arguments: [
        "Canon", "Picture", "Nikon Sony", "Digital camera", "My Sony DSC", "Jpeg of a bridge",
        "Camera", "DSC 0042", "Still picture", "Canon in D",
    ])
    func `a person's words stay`(words: String) async throws {
        let photo = try await record("a.jpg", description: words)
        #expect(photo.title.isEmpty && photo.caption == words && photo.displayTitle == words)
    }
}

import Foundation
import PlacesKit
import Testing

@Suite struct PhotoRecordTests {
    @Test(arguments: [
        ("Dusk", "By the <b>river</b>", "Dusk", "By the river"),
        (" Dusk ", "", "Dusk", ""),
        ("", "By the <b>river</b> &amp; sea", "By the river & sea", ""),
        (" \n", "river", "river", ""),
        ("", "", "Unknown", ""),
        ("", "<p> </p>", "Unknown", ""),
    ])
    func `a photo shows its title, else its description, else Unknown`(
        title: String, caption: String, shownTitle: String, shownSubtitle: String
    ) {
        let photo = PhotoRecord(identifier: "1", title: title, caption: caption)
        #expect(photo.displayTitle == shownTitle)
        #expect(photo.displaySubtitle == shownSubtitle)
    }

    @Test func `the credit line names owner and license unless the source words it`() {
        let license = PhotoLicense(identifier: "4", name: "CC BY 2.0")
        let owner = PhotoOwner(identifier: "7@N00", name: "Ada")
        #expect(
            PhotoRecord(identifier: "1", owner: owner, license: license).creditLine
                == "Ada, CC BY 2.0")
        #expect(
            PhotoRecord(identifier: "1", owner: PhotoOwner(identifier: "7@N00")).creditLine
                == "7@N00")
        #expect(PhotoRecord(identifier: "1").creditLine.isEmpty)
        #expect(PhotoRecord(identifier: "1", owner: owner, creditLine: "NASA").creditLine == "NASA")
    }

    @Test func `the smallest variant that is large enough is chosen, else the largest`() throws {
        func variant(_ name: String, _ edge: Int?, cropped: Bool = false) throws -> PhotoVariant {
            let url = try #require(URL(string: "https://example.org/\(name)"))
            return PhotoVariant(name: name, url: url, longestEdge: edge, isCropped: cropped)
        }
        let photo = PhotoRecord(
            identifier: "1",
            variants: try [
                variant("q", 150, cropped: true), variant("m", 500), variant("n", 320),
                variant("o", nil),
            ])
        #expect(photo.variant(atLeast: 100)?.name == "n")
        #expect(photo.variant(atLeast: 100, allowsCropping: true)?.name == "q")
        #expect(photo.variant(atLeast: 321)?.name == "m")
        #expect(photo.variant(atLeast: 4_000)?.name == "m")
        #expect(
            PhotoRecord(identifier: "1", variants: [try variant("o", nil)]).variant(atLeast: 1)?
                .name == "o")
        #expect(PhotoRecord(identifier: "1").variant(atLeast: 1) == nil)
    }

    @Test func `a record survives encoding`() async throws {
        let photos = try await SamplePhotoSource().recentPhotos(limit: 20)
        let data = try JSONEncoder().encode(photos)
        #expect(try JSONDecoder().decode([PhotoRecord].self, from: data) == photos)
    }
}

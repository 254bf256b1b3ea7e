import Foundation
import PlacesKit
import Testing

@testable import PlacesPhotos

/// Reads replies recorded from Flickr, if a folder of them lies beside the repository.
@Suite struct FlickrRecordedRepliesTests {
    private struct List {
        let file: String
        let photos: Int
        let geotagged: Int
        let usablePages: Int
    }

    private static let lists = [
        List(file: "cluster-photos-2023.json", photos: 18, geotagged: 0, usablePages: 1),
        List(
            file: "derived-group-photos-100-2023.json", photos: 100, geotagged: 32, usablePages: 40),
        List(
            file: "derived-recent-100-2021-rtl-untitled.json", photos: 100, geotagged: 0,
            usablePages: 10),
        List(
            file: "empty-contacts-total-int-per_page-key.json", photos: 0, geotagged: 0,
            usablePages: 1),
        List(file: "recent-100-all-extras-2013.json", photos: 100, geotagged: 6, usablePages: 10),
        List(file: "search-1-minimal-2013.json", photos: 1, geotagged: 0, usablePages: 1),
        List(
            file: "search-100-minimal-2023-total-int.json", photos: 100, geotagged: 0,
            usablePages: 5),
        List(file: "search-20-geo-2019.json", photos: 20, geotagged: 20, usablePages: 200),
        List(
            file: "search-2015-pages-string-callback-wrapped.jsonp.txt", photos: 3, geotagged: 0,
            usablePages: 40),
        List(file: "search-bbox-9-geo-2016.json", photos: 9, geotagged: 9, usablePages: 444),
        List(file: "search-empty-2018.json", photos: 0, geotagged: 0, usablePages: 0),
        List(file: "search-pages-but-no-photo-key.json", photos: 0, geotagged: 0, usablePages: 1),
    ]

    private static let places = [
        "derived-places-for-contacts-46-regions-2018.json": 46,
        "derived-topplaces-2018-country.json": 1, "derived-topplaces-2021-empty.json": 0,
        "places-find-2015-callback-wrapped.jsonp.txt": 3, "places-findbylatlon-2017.json": 1,
        "topplaces-2014-one-place.json": 1,
    ]

    private static let errors = [
        "derived-error-201-unavailable.json": true, "derived-error-photo-not-found.json": false,
        "error-100-callback-wrapped.jsonp.txt": false, "error-100-invalid-key.json": false,
    ]

    private static let folder: URL = {
        var root = URL(filePath: #filePath)
        for _ in 0..<5 { root.deleteLastPathComponent() }
        return root.deletingLastPathComponent().appending(path: "shared/flickr")
    }()

    /// A recorded reply, or nil if there is none of this name.
    private func body(_ file: String) -> Data? {
        try? Data(contentsOf: Self.folder.appending(path: file))
    }

    private func reply(_ body: Data) throws -> FlickrReply {
        try FlickrReply(body: body, method: "recorded")
    }

    @Test func `lists have the photos and pages that were counted in them`() throws {
        for list in Self.lists {
            guard let body = body(list.file) else { continue }
            let page = try PhotoPage(flickr: try reply(body), askedFor: 1, perPage: 100)
            #expect(page.photos.count == list.photos, "\(list.file)")
            #expect(page.photos.count { $0.coordinate != nil } == list.geotagged, "\(list.file)")
            #expect(page.usablePages == list.usablePages, "\(list.file)")
            #expect(page.droppedCount == 0, "\(list.file)")
            for photo in page.photos {
                #expect(!photo.displayTitle.isEmpty, "\(list.file)")
                #expect(!photo.variants.isEmpty, "\(list.file)")
                #expect(photo.variants.allSatisfy { $0.url.scheme == "https" }, "\(list.file)")
                #expect(photo.pageURL != nil, "\(list.file)")
            }
        }
    }

    @Test func `where sizes were asked for, no photo has an address that its reply lacks`() throws {
        guard let body = body("recent-100-all-extras-2013.json") else { return }
        let page = try PhotoPage(flickr: try reply(body), askedFor: 1, perPage: 100)
        let text = String(decoding: body, as: UTF8.self).replacing("\\/", with: "/")
        for photo in page.photos {
            for variant in photo.variants where variant.name != "o" {
                let address = variant.url.absoluteString.dropFirst("https://".count)
                #expect(text.contains(address), "\(photo.identifier), \(variant.name)")
            }
        }
    }

    @Test func `lists of places have the places that were counted in them`() throws {
        for (file, count) in Self.places {
            guard let body = body(file) else { continue }
            let elements = try reply(body).content("places")["place"].elements
            let places = elements.compactMap { PlaceRecord(flickr: $0) }
            #expect(places.count == count, "\(file)")
            #expect(places.allSatisfy { !$0.name.isEmpty && $0.coordinate != nil }, "\(file)")
        }
    }

    @Test func `errors are errors, and only the passing one is retryable`() {
        for (file, isRetryable) in Self.errors {
            guard let body = body(file) else { continue }
            let error = #expect(throws: PhotoSourceError.self, "\(file)") { try reply(body) }
            #expect(error?.isRetryable == isRetryable, "\(file)")
        }
    }

    @Test func `all sizes of a photo are read, videos left out`() throws {
        let files = [
            "derived-sizes-2024.json", "sizes-2012-video.json", "sizes-2023-all-int.json",
        ]
        for file in files {
            guard let body = body(file) else { continue }
            let variants = FlickrVariants.variants(inSizes: try reply(body).content("sizes"))
            #expect(variants.count >= 6, "\(file)")
            #expect(variants.allSatisfy { $0.width != nil && $0.height != nil }, "\(file)")
            #expect(variants.first?.name == "sq", "\(file)")
            #expect(variants.filter(\.isCropped).count <= 2, "\(file)")
            #expect(Set(variants.map(\.name)).count == variants.count, "\(file)")
        }
    }

    @Test func `what one photo's information says is read`() throws {
        func photo(_ file: String) throws -> PhotoRecord? {
            guard let body = body(file) else { return nil }
            return PhotoRecord(flickr: try reply(body).content("photo"))
        }
        guard body("photo-info-2023-full.json") != nil else { return }
        let full = try photo("photo-info-2023-full.json")
        #expect(full?.placeNames?.region == "Baden-Württemberg")
        #expect(full?.tags.isEmpty == false)
        #expect(full?.owner.name == "KaAuenwasser")
        #expect(
            try photo("photo-info-2018-neighbourhood.json")?.placeNames?.locality == "Erskin Park")
        #expect(try photo("photo-info-2018-unicode.json")?.title == "COCA草上飛2018-01")
        #expect(
            try photo("photo-info-2018-html-description.json")?.plainCaption.contains("<a") == false
        )
        #expect(try photo("derived-photo-info-2023-accuracy-zero.json")?.coordinate == nil)
        #expect(try photo("derived-photo-info-2023-taken-unknown.json")?.taken == nil)
        #expect(try photo("derived-photo-info-2023-empty-title.json")?.displayTitle == "Unknown")
        #expect(try photo("photo-info-2012-video.json")?.coordinate != nil)
        #expect(
            try photo("derived-photo-info-2018-place-ids.json")?.placeIdentifier == "woe:1939730")
        #expect(try photo("derived-photo-info-2024-no-place-ids.json")?.placeIdentifier == nil)
        #expect(
            try photo("derived-photo-info-2023-location.json")?.placeNames?.fullName
                == "Galoch, Āfar, Ethiopia")
    }

    @Test func `fifty-eight photos' information is read, location and all`() throws {
        guard let body = body("photo-infos-2018-58-geotagged-bundle.json") else { return }
        let bundle = try LenientJSON(parsing: Array(body))
        let photos = bundle.members.compactMap { PhotoRecord(flickr: $0.value["photo"]) }
        #expect(photos.count == 58)
        #expect(photos.allSatisfy { $0.placeNames?.country != nil && $0.uploaded != nil })
    }

    @Test func `every other reply in the folder is read without an error`() throws {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: Self.folder.path)) ?? []
        for file in files where Self.errors[file] == nil {
            guard let body = body(file) else { continue }
            #expect(throws: Never.self, "\(file)") { try reply(body) }
        }
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct DirectoryPhotoSourceTests {
    private let photos: PhotoFolder
    private var folder: TemporaryFolder { photos.folder }
    private var source: DirectoryPhotoSource { photos.source }

    init() throws {
        photos = try PhotoFolder()
    }

    private func write(_ bytes: [UInt8], to path: String) throws {
        try photos.write(bytes, to: path)
    }

    /// A photo of a day of August 2018, at a latitude and longitude in whole tenths of a degree.
    private func photo(
        day: Int, at point: (Int, Int)? = nil, city: String? = nil, thumbnail: [UInt8]? = nil
    ) -> [UInt8] {
        var exif = EXIFBuilder()
        exif.main = [0x010E: .text("Day \(day)"), 0x013B: .text("Ada"), 0x0112: .short(6)]
        exif.exif[0x9003] = .text("2018:08:\(day < 10 ? "0" : "")\(day) 12:00:00")
        if let (latitude, longitude) = point {
            exif.gps = [
                1: .text(latitude < 0 ? "S" : "N"), 2: .fractions([(UInt32(abs(latitude)), 10)]),
                3: .text(longitude < 0 ? "W" : "E"), 4: .fractions([(UInt32(abs(longitude)), 10)]),
            ]
        }
        exif.thumbnail = thumbnail
        var file = JPEGBuilder()
        file.add(exif: exif)
        if let city {
            file.add(
                xmp: """
                    <rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" \
                    photoshop:City="\(city)" photoshop:Country="France"/>
                    """)
        }
        return file.bytes
    }

    private let small: [UInt8] = [0xFF, 0xD8, 7, 0xFF, 0xD9]

    private func fill() throws {
        try write(photo(day: 3, at: (488, 23), city: "Paris"), to: "a.jpg")
        try write(photo(day: 5, at: (489, 24), city: "Paris", thumbnail: small), to: "trip/b.JPEG")
        try write(photo(day: 4, at: (-339, -705)), to: "trip/far away/c ä#1.jpg")
        try write(photo(day: 6), to: "nowhere.jpg")
        try write(JPEGBuilder().bytes, to: "undated.jpg")
    }

    @Test func `photos come newest first with all that their files say`() async throws {
        try fill()
        let scan = try await source.rescan()
        #expect(scan.photoCount == 5 && scan.skipped.isEmpty)
        let photos = try await source.recentPhotos(limit: 50)
        #expect(photos.map(\.identifier) == ["trip/b.JPEG", "trip/far away/c ä#1.jpg", "a.jpg"])
        let first = try #require(photos.first)
        #expect(first.displayTitle == "Day 5")
        #expect(first.owner == PhotoOwner(identifier: "Ada", name: "Ada"))
        #expect(first.creditLine == "Ada")
        #expect(first.taken?.description == "2018-08-05 12:00:00" && first.takenInstant == nil)
        #expect(first.variants.map(\.name) == ["thumbnail", "original"])
        #expect(first.variants.last?.width == 48, "upright")
        let undated = try await source.details(ofPhoto: "undated.jpg")
        #expect(undated.taken == nil && undated.displayTitle == "undated")
        await #expect(throws: PhotoSourceError.self) {
            try await source.details(ofPhoto: "../a.jpg")
        }
    }

    @Test func `it keeps all promises of a photo source`() async throws {
        try fill()
        for day in 10..<30 {
            try write(photo(day: day, at: (488, 23), city: "Paris"), to: "more/\(day).jpg")
        }
        let center = Coordinate(latitude: 48.85, longitude: 2.35)
        let violations = await PhotoSourceConformance(source, near: center, kilometers: 20)
            .violations()
        #expect(violations.map(\.description) == [])
    }

    @Test func `places are the cities that photos name, else cells of a grid`() async throws {
        try fill()
        let places = try await source.places()
        #expect(places.map(\.name) == ["Paris, France", "33.9° S 70.5° W"])
        #expect(places.map(\.photoCount) == [2, 1])
        #expect(abs((places[0].coordinate?.latitude ?? 0) - 48.85) < 1e-9)
        let paris = try await source.photos(in: places[0], limit: 50)
        #expect(paris.map(\.identifier) == ["trip/b.JPEG", "a.jpg"])
        #expect(paris.allSatisfy { $0.placeIdentifier == places[0].identifier })
        #expect(try await source.photos(in: places[0], limit: 1).count == 1)
        #expect(try await source.photos(in: PlaceRecord(identifier: "x", name: "")).isEmpty)
    }

    @Test func `a photo that is known by its identifier only has the names in its file`()
        async throws
    {
        try fill()
        try write(photo(day: 7, city: "Lyon"), to: "no position.jpg")
        func names(_ photo: PhotoRecord) async throws -> String? {
            try await source.placeNames(of: photo)?.fullName
        }
        let lyon = PhotoRecord(identifier: "no position.jpg")
        #expect(try await names(lyon) == "Lyon, France")
        #expect(try await names(PhotoRecord(identifier: "a.jpg")) == "Paris, France")
        #expect(try await names(PhotoRecord(identifier: "nowhere.jpg")) == nil)
        // Of one that the folder does not have, the point tells.
        let near = Coordinate(latitude: 48.81, longitude: 2.31)
        #expect(try await names(PhotoRecord(identifier: "x", coordinate: near)) == "Paris, France")
        #expect(try await names(PhotoRecord(identifier: "x")) == nil)
        let own = PlaceNames(locality: "Rome")
        #expect(try await names(PhotoRecord(identifier: "a.jpg", placeNames: own)) == "Rome")
    }

    @Test func `photos are found around a point and in a box, page by page`() async throws {
        try fill()
        let point = Coordinate(latitude: 48.85, longitude: 2.35)
        let page = try await source.photos(near: point, kilometers: 20, page: 1, perPage: 1)
        #expect(page.usablePages == 2 && page.photos.map(\.identifier) == ["trip/b.JPEG"])
        let second = try await source.photos(near: point, kilometers: 20, page: 2, perPage: 1)
        #expect(second.photos.map(\.identifier) == ["a.jpg"] && second.ending == .complete)
        #expect(
            try await source.photos(near: point, kilometers: 20, page: 3, perPage: 1).photos.isEmpty
        )
        await #expect(throws: PhotoSourceError.self) {
            try await source.photos(near: point, kilometers: .nan, page: 1)
        }
        #expect(try await source.placeNames(at: point)?.locality == nil, "too far from both")
        let near = Coordinate(latitude: 48.81, longitude: 2.31)
        #expect(try await source.placeNames(at: near)?.locality == "Paris")
    }

    @Test func `pictures and the small ones inside them are read, and no other file`() async throws
    {
        try fill()
        let source = source
        let record = try await source.details(ofPhoto: "trip/b.JPEG")
        let variants = try await source.variants(of: record)
        #expect(try await source.data(for: variants[0]) == Data(small))
        let original = try await source.data(for: variants[1])
        #expect(original == Data(photo(day: 5, at: (489, 24), city: "Paris", thumbnail: small)))
        let odd = try await source.details(ofPhoto: "trip/far away/c ä#1.jpg")
        #expect(try await !source.data(for: odd.variants[0]).isEmpty)
        for address in ["file:///etc/passwd", "https://example.org/a.jpg", "a.jpg", "file:a.jpg"] {
            let variant = PhotoVariant(name: "original", url: try #require(URL(string: address)))
            await #expect(throws: PhotoSourceError.self) { try await source.data(for: variant) }
        }
        try FileManager.default.removeItem(atPath: folder["trip"].description)
        await #expect(throws: PhotoSourceError.gone(what: "The picture b.JPEG")) {
            try await source.data(for: variants[1])
        }
    }

    @Test func `a file that is longer than the limit is not read whole, and its picture an error`()
        async throws
    {
        let file = photo(day: 5, thumbnail: small)
        try write(file, to: "a.jpg")
        for (limit, isEnough) in [(file.count, true), (file.count - 1, false), (.max, true)] {
            let source = DirectoryPhotoSource(directory: photos.url, fileLimit: limit)
            let original = try #require(
                try await source.details(ofPhoto: "a.jpg").variants.last)
            if isEnough {
                #expect(try await source.data(for: original) == Data(file))
            } else {
                await #expect(throws: PhotoSourceError.tooLarge(limit: limit)) {
                    try await source.data(for: original)
                }
            }
        }
    }

    @Test func `damaged files give what they hold, others are left out and listed`() async throws {
        let whole = photo(day: 9, at: (488, 23), city: "Paris")
        for count in stride(from: 0, through: whole.count, by: 20) {
            try write(Array(whole[..<count]), to: "cut \(count).jpg")
        }
        try write(Array("<html>".utf8), to: "page.jpg")
        try write(Array("text".utf8), to: "notes.txt")
        try write(whole, to: ".hidden.jpg")
        try write(whole, to: "folder.jpg/inside.jpg")
        try FileManager.default.createSymbolicLink(
            atPath: folder["loop"].description, withDestinationPath: folder.path.description)
        let scan = try await source.rescan()
        #expect(scan.skipped.map(\.path) == ["cut 0.jpg", "page.jpg"])
        #expect(scan.skipped.first?.reason == "This is no JPEG file.")
        #expect(scan.photoCount == whole.count / 20 + 1)
        #expect(try await source.details(ofPhoto: "folder.jpg/inside.jpg").taken?.day == 9)
    }

    @Test func `what precedes the pixels is read however long it is`() async throws {
        var file = JPEGBuilder()
        for _ in 0..<4 { file.add(marker: 0xE2, [UInt8](repeating: 0xFF, count: 60_000)) }
        var exif = EXIFBuilder()
        exif.main[0x010E] = .text("After a profile")
        file.add(exif: exif)
        try write(file.bytes + [UInt8](repeating: 0, count: 300_000), to: "large.jpg")
        #expect(try await source.details(ofPhoto: "large.jpg").caption == "After a profile")
    }

    @Test func `the folder is read again when asked, and only then`() async throws {
        try fill()
        let source = source
        #expect(try await source.recentPhotos(limit: 9).count == 3)
        try write(photo(day: 10, at: (1, 1)), to: "new.jpg")
        #expect(try await source.recentPhotos(limit: 9).count == 3)
        #expect(try await source.rescan().photoCount == 6)
        #expect(try await source.recentPhotos(limit: 9).first?.identifier == "new.jpg")
        try FileManager.default.removeItem(atPath: folder.path.description)
        await #expect(throws: PhotoSourceError.self) { try await source.rescan() }
        #expect(try await source.recentPhotos(limit: 9).count == 4, "what was known stays")
        try FileManager.default.createDirectory(
            atPath: folder.path.description, withIntermediateDirectories: true)
    }
}

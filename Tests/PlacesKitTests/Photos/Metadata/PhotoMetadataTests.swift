import Foundation
import PlacesKit
import Testing

@Suite struct PhotoMetadataTests {
    private func metadata(
        _ change: (inout EXIFBuilder) -> Void, xmp: String? = nil, isBigEndian: Bool = false
    ) throws -> PhotoMetadata {
        var exif = EXIFBuilder()
        exif.isBigEndian = isBigEndian
        change(&exif)
        var file = JPEGBuilder()
        file.add(exif: exif)
        if let xmp { file.add(xmp: xmp) }
        return try #require(PhotoMetadata(jpeg: Data(file.bytes)))
    }

    @Test(arguments: [false, true])
    func `all that a camera notes is read in both byte orders`(isBigEndian: Bool) throws {
        let small: [UInt8] = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
        var exif = EXIFBuilder()
        exif.isBigEndian = isBigEndian
        exif.main = [
            0x010E: .text("Seine at dusk"), 0x0112: .short(6), 0x013B: .text("Ada Müller"),
            0x8298: .text("© Ada Müller"), 0x0132: .text("2020:01:01 00:00:00"),
            0x9C9B: .bytes(type: 1, [0x50, 0, 0x6F, 0, 0x6E, 0, 0x74, 0, 0, 0]),
        ]
        exif.exif = [
            0x9003: .text("2018:08:25 16:34:33"), 0x9011: .text("+02:00"), 0x9291: .text("075"),
            0xA002: .long(4_000), 0xA003: .short(3_000),
        ]
        exif.gps = [
            1: .text("N"), 2: .fractions([(48, 1), (51, 1), (2_520, 100)]),
            3: .text("E"), 4: .fractions([(2, 1), (21, 1), (756, 100)]),
        ]
        exif.thumbnail = small
        var file = JPEGBuilder()
        file.add(exif: exif)
        let metadata = try #require(PhotoMetadata(jpeg: Data(file.bytes)))

        #expect(metadata.taken?.description == "2018-08-25 16:34:33")
        #expect(metadata.nanosecond == 75_000_000)
        #expect(metadata.secondsFromGMT == 7_200)
        #expect(metadata.takenInstant?.timeIntervalSince1970 == 1_535_207_673.075)
        #expect(metadata.orientation == .right)
        #expect(metadata.width == 64 && metadata.height == 48, "the frame's own size counts")
        #expect(metadata.uprightSize == CGSize(width: 48, height: 64))
        #expect(metadata.title == "Pont")
        #expect(metadata.caption == "Seine at dusk")
        #expect(metadata.artist == "Ada Müller")
        #expect(metadata.copyright == "© Ada Müller")
        let coordinate = try #require(metadata.coordinate)
        #expect(abs(coordinate.latitude - 48.857) < 1e-9)
        #expect(abs(coordinate.longitude - 2.3521) < 1e-9)
        #expect(metadata.thumbnail.map { Array(file.bytes[$0]) } == small)
    }

    @Test(arguments: PhotoOrientation.allCases, [false, true])
    func `every orientation is read`(orientation: PhotoOrientation, isBigEndian: Bool) throws {
        let metadata = try metadata(
            { $0.main[0x0112] = .short(UInt16(orientation.rawValue)) }, isBigEndian: isBigEndian)
        #expect(metadata.orientation == orientation)
    }

    @Test(arguments: [0, 9, 255] as [UInt16])
    func `an orientation that is none counts as upright`(number: UInt16) throws {
        #expect(try metadata { $0.main[0x0112] = .short(number) }.orientation == .up)
    }

    @Test(arguments: [
        ("N", "E", 1.0, 1.0), ("S", "E", -1, 1), ("N", "W", 1, -1), ("S", "W", -1, -1),
    ])
    func `every quarter of the Earth is read`(
        north: String, east: String, latitude: Double, longitude: Double
    ) throws {
        let metadata = try metadata {
            $0.gps = [
                1: .text(north), 2: .fractions([(33, 1), (55, 2), (0, 0)]),
                3: .text(east), 4: .fractions([(18, 1), (2_544, 100), (0, 1)]),
            ]
        }
        let coordinate = try #require(metadata.coordinate)
        #expect(abs(coordinate.latitude - latitude * (33 + 27.5 / 60)) < 1e-12)
        #expect(abs(coordinate.longitude - longitude * (18 + 25.44 / 60)) < 1e-12)
    }

    @Test func `a position that cannot be meant is none`() throws {
        let degrees = EXIFBuilder.Value.fractions([(10, 1), (0, 1), (0, 1)])
        let nothing = EXIFBuilder.Value.fractions([(0, 1), (0, 1), (0, 1)])
        let wrong: [[UInt16: EXIFBuilder.Value]] = [
            [2: degrees, 4: degrees],
            [1: .text("N"), 2: degrees],
            [1: .text("N"), 2: nothing, 3: .text("E"), 4: nothing],
            [1: .text("N"), 2: .fractions([(10, 0)]), 3: .text("E"), 4: degrees],
            [1: .text("N"), 2: .fractions([(91, 1)]), 3: .text("E"), 4: degrees],
            [1: .text("N"), 2: degrees, 3: .text("E"), 4: degrees, 9: .text("V")],
            [1: .text("N"), 2: .text("10"), 3: .text("E"), 4: degrees],
        ]
        for gps in wrong {
            #expect(try metadata { $0.gps = gps }.coordinate == nil)
        }
    }

    @Test(arguments: [
        ("2018:08:25 16:34:33", "2018-08-25 16:34:33"),
        ("2018-08-25 16:34:33", "2018-08-25 16:34:33"),
        ("2018:08:25 16:34:33Z", "2018-08-25 16:34:33"), ("2018:08:25", "2018-08-25"),
        ("2024:02:29 23:59:59", "2024-02-29 23:59:59"),
        ("2018:08:25  16:34:33", "2018-08-25 16:34:33"), ("2018:08:25 16:34", "2018-08-25 16:34"),
        ("2018:08:25 16:34:60", "2018-08-25 16:34"), ("2018:08:25 24:00:00", "2018-08-25"),
        ("2018:08:25 16", "2018-08-25"), ("2018:08:25 1:2:3:4", "2018-08-25"),
        ("2018:08:00 16:34:33", "2018-08"), ("2018:00:00 00:00:00", "2018"),
    ])
    func `dates of all cameras are read`(text: String, date: String) throws {
        #expect(try metadata { $0.exif[0x9003] = .text(text) }.taken?.description == date)
    }

    @Test(arguments: [
        "0000:00:00 00:00:00", "    :  :     :  :  ", "", "2018:13:01 00:00:00",
        "2018:02:29 01:01:01",
        "soon", "2018:08:25:16:34:33", "99999:01:01 00:00:00",
    ])
    func `a date that is none is none`(text: String) throws {
        let metadata = try metadata {
            $0.exif[0x9003] = .text(text)
            $0.exif[0x9011] = .text("+01:00")
        }
        #expect(metadata.taken == nil && metadata.secondsFromGMT == nil)
    }

    @Test(
        arguments: [
            ("2018:08:25 16:34:33Z", 0, nil),
            ("2018-08-25T16:34:33.25+02:00", 7_200, 250_000_000),
            ("2018:08:25 16:34:33 +02:00", 7_200, nil),
            ("2018:08:25 16:34-03:30", -12_600, nil), ("2018:08:25 16:34:33 PM", nil, nil),
            ("2018:08:25 24:00:00+02:00", nil, nil),
        ] as [(String, Int?, Int?)])
    func `a zone and a fraction may stand behind a time, where those of their own tags are not`(
        text: String, seconds: Int?, nanosecond: Int?
    ) throws {
        let metadata = try metadata { $0.exif[0x9003] = .text(text) }
        #expect(metadata.secondsFromGMT == seconds && metadata.nanosecond == nanosecond)
        let tagged = try self.metadata {
            $0.exif = [0x9003: .text(text), 0x9011: .text("+09:00"), 0x9291: .text("5")]
        }
        #expect(tagged.secondsFromGMT == 32_400 && tagged.nanosecond == 500_000_000)
    }

    @Test func `without a date of the shot others do, each with its own zone`() throws {
        let metadata = try metadata {
            $0.main[0x0132] = .text("2020:01:01 00:00:00")
            $0.exif = [
                0x9003: .text("0000:00:00 00:00:00"), 0x9011: .text("+09:00"),
                0x9004: .text("2019:05:06 07:08:09"), 0x9012: .text("-03:30"),
                0x9292: .text("5"),
            ]
        }
        #expect(metadata.taken?.description == "2019-05-06 07:08:09")
        #expect(metadata.secondsFromGMT == -12_600)
        #expect(metadata.nanosecond == 500_000_000)
    }

    @Test(arguments: [
        ("+02:00", 7_200), ("-11:30", -41_400), ("Z", 0), ("+0545", 20_700), ("+14", 50_400),
        ("+16:00", nil), ("2:00", nil), ("   :  ", nil), ("+02:61", nil), ("+2:000000", nil),
    ])
    func `zones are read`(text: String, seconds: Int?) throws {
        let metadata = try metadata {
            $0.exif = [0x9003: .text("2018:08:25 16:34:33"), 0x9011: .text(text)]
        }
        #expect(metadata.secondsFromGMT == seconds)
    }

    @Test func `the first of two EXIF counts in everything, also in the orientation`() throws {
        var file = JPEGBuilder()
        for (name, orientation) in [("First", 6), ("Second", 3)] as [(String, UInt16)] {
            var exif = EXIFBuilder()
            exif.main = [0x010E: .text(name), 0x0112: .short(orientation)]
            file.add(exif: exif)
        }
        let metadata = try #require(PhotoMetadata(jpeg: Data(file.bytes)))
        #expect(metadata.caption == "First" && metadata.orientation == .right)
    }

    @Test func `a comment is read in its own encoding`() throws {
        let unicode = Array("UNICODE\0".utf8)
        let texts: [([UInt8], String)] = [
            (Array("ASCII\0\0\0hello\0\0".utf8), "hello"),
            (unicode + [0x41, 0, 0xE4, 0], "Aä"),
            (unicode + [0xFE, 0xFF, 0, 0x41], "A"),
            ([0, 0, 0, 0, 0, 0, 0, 0] + Array("plain".utf8), "plain"),
            (Array("short".utf8), ""),
        ]
        for (bytes, text) in texts {
            let metadata = try metadata { $0.exif[0x9286] = .bytes(type: 7, bytes) }
            #expect(metadata.caption == text)
        }
    }

    @Test func `text that is not UTF-8 is Latin-1`() throws {
        let metadata = try metadata {
            $0.main[0x010E] = .bytes(type: 2, [0x43, 0x61, 0x66, 0xE9, 0, 0x21])
        }
        #expect(metadata.caption == "Café")
    }

    @Test func `what is no JPEG file has no metadata`() {
        #expect(PhotoMetadata(jpeg: Data()) == nil)
        #expect(PhotoMetadata(jpeg: Data("GIF89a".utf8)) == nil)
        #expect(PhotoMetadata(jpeg: Data([0xFF, 0xD8])) != nil)
    }

    @Test(arguments: [[0x00], [0x00, 0x12], [0xFF, 0x00], [0xFF, 0xFF]] as [[UInt8]])
    func `a few bytes between segments that belong to none are skipped`(junk: [UInt8]) throws {
        var exif = EXIFBuilder()
        exif.main[0x010E] = .text("caption")
        var file = JPEGBuilder()
        file.add(marker: 0xE0, [1, 2])
        file.add(exif: exif)
        let whole = try #require(PhotoMetadata(jpeg: Data(file.bytes)))
        for position in [2, 8] {
            var bytes = file.bytes
            bytes.insert(contentsOf: junk, at: position)
            #expect(PhotoMetadata(jpeg: Data(bytes)) == whole)
            bytes.insert(contentsOf: [UInt8](repeating: 1, count: 100), at: position)
            #expect(PhotoMetadata(jpeg: Data(bytes))?.width == nil, "this is no JPEG file's head")
        }
    }

    @Test func `EXIF in two segments is read as one, wherever it is divided`() throws {
        var exif = EXIFBuilder()
        exif.main = [0x010E: .text("A long caption"), 0x0112: .short(6)]
        exif.exif = [
            0x9003: .text("2018:08:25 16:34:33"), 0x9011: .text("+02:00"), 0x9291: .text("12345"),
        ]
        exif.gps = [
            1: .text("N"), 2: .fractions([(48, 1), (51, 1), (25, 1)]),
            3: .text("E"), 4: .fractions([(2, 1), (21, 1), (7, 1)]),
        ]
        let content = exif.bytes
        let whole = try metadata { $0 = exif }
        for division in 8..<content.count {
            var file = JPEGBuilder()
            for part in [content[..<division], content[division...]] {
                file.add(marker: 0xE1, Array("Exif\0\0".utf8) + part)
            }
            #expect(PhotoMetadata(jpeg: Data(file.bytes)) == whole, "divided after \(division)")
        }
    }

    @Test func `the first part of a file is enough`() throws {
        var file = JPEGBuilder()
        var exif = EXIFBuilder()
        exif.main[0x010E] = .text("caption")
        file.add(exif: exif)
        let whole = Data(file.bytes)
        let size = try #require(PhotoMetadata(jpeg: whole))
        #expect(PhotoMetadata(jpeg: whole.dropLast(7)) == size)
    }
}

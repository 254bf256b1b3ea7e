import Foundation
import PlacesKit
import Testing

/// Whatever is done to a file, reading ends, and what it gives can be used.
@Suite struct PhotoMetadataFuzzTests {
    private static func file(isBigEndian: Bool) -> [UInt8] {
        var exif = EXIFBuilder()
        exif.isBigEndian = isBigEndian
        exif.main = [
            0x010E: .text("A caption that does not fit"), 0x0112: .short(6),
            0x9C9B: .bytes(type: 1, [0x41, 0, 0x42, 0, 0x43, 0, 0, 0]),
        ]
        exif.exif = [
            0x9003: .text("2018:08:25 16:34:33"), 0x9011: .text("+02:00"), 0x9291: .text("07"),
            0x9286: .bytes(type: 7, Array("UNICODE\0ABCDEF".utf8)),
        ]
        exif.gps = [
            1: .text("S"), 2: .fractions([(48, 1), (51, 1), (25, 1)]),
            3: .text("W"), 4: .fractions([(2, 1), (21, 1), (7, 1)]),
        ]
        exif.thumbnail = [0xFF, 0xD8, 1, 2, 3, 0xFF, 0xD9]
        var file = JPEGBuilder()
        file.add(exif: exif)
        var index = MultiPictureBuilder(isBigEndian: isBigEndian)
        index.pictures = [(0x01_0002, 100, 200), (0x01_0001, 50, 300)]
        file.add(marker: 0xE2, index.bytes)
        file.add(
            xmp: """
                <rdf:Description dc:title="t" exif:GPSLatitude="1,2N">\
                <dc:subject><rdf:li>a&#x41;</rdf:li></dc:subject></rdf:Description>
                """)
        return file.bytes
    }

    private func check(_ bytes: [UInt8], _ comment: @autoclosure () -> Comment) {
        guard let metadata = PhotoMetadata(jpeg: Data(bytes)) else {
            #expect(!bytes.starts(with: [0xFF, 0xD8]), comment())
            return
        }
        #expect(metadata.coordinate?.isValid ?? true, comment())
        #expect(metadata.thumbnail.map { $0.upperBound <= bytes.count } ?? true, comment())
        #expect(metadata.previews.allSatisfy { !$0.isEmpty }, comment())
        #expect(metadata.nanosecond.map { (0..<1_000_000_000).contains($0) } ?? true, comment())
        #expect((metadata.width ?? 1) > 0 && (metadata.height ?? 1) > 0, comment())
        _ = metadata.takenInstant
        _ = metadata.uprightSize
    }

    @Test(arguments: [false, true])
    func `a file cut off anywhere`(isBigEndian: Bool) {
        let whole = Self.file(isBigEndian: isBigEndian)
        for count in 0...whole.count {
            check(Array(whole[..<count]), "cut after \(count)")
        }
    }

    @Test(arguments: [false, true])
    func `a file with any byte at its extremes`(isBigEndian: Bool) {
        let whole = Self.file(isBigEndian: isBigEndian)
        for index in whole.indices {
            for value in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var bytes = whole
                bytes[index] = value
                check(bytes, "\(value) at \(index)")
            }
        }
    }

    @Test func `a file with random damage`() {
        var generator = SplitMix64(seed: 20)
        let files = [Self.file(isBigEndian: false), Self.file(isBigEndian: true)]
        for round in 0..<3_000 {
            var bytes = files[round % 2]
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                guard !bytes.isEmpty else { break }
                let index = Int.random(in: bytes.indices, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[index] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                case 2: bytes.insert(.random(in: 0...255, using: &generator), at: index)
                default: bytes.removeSubrange(index..<min(index + 20, bytes.count))
                }
            }
            check(bytes, "round \(round)")
        }
    }

    @Test func `directories that name each other or themselves`() {
        for offset in [0, 8, 14, 26] as [UInt32] {
            var exif = EXIFBuilder()
            exif.main = [0x8769: .long(offset), 0x8825: .long(offset), 0x0112: .short(6)]
            var file = JPEGBuilder()
            file.add(exif: exif)
            #expect(PhotoMetadata(jpeg: Data(file.bytes))?.orientation == .right)
        }
    }
}

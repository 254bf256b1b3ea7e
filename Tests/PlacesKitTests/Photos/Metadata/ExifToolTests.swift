import Foundation
import PlacesKit
import Testing

#if os(Linux) || os(macOS)
    /// Reads files as ExifTool writes them.
    ///
    /// It runs where `exiftool` is installed, which the checks see to.
    @Suite(.enabled(if: ExifTool.path != nil)) struct ExifToolTests {
        private struct Picture: Sendable {
            let name: String
            let arguments: [String]
            let check: @Sendable (PhotoMetadata) -> Bool
        }

        private static let orientations = PhotoOrientation.allCases.map { orientation in
            Picture(
                name: "orientation-\(orientation.rawValue)",
                arguments: ["-n", "-Orientation=\(orientation.rawValue)"],
                check: { $0.orientation == orientation })
        }

        private static let quarters = [("N", "E"), ("N", "W"), ("S", "E"), ("S", "W")].map {
            north, east in
            Picture(
                name: "quarter-\(north)\(east)",
                arguments: [
                    "-GPSLatitude=33.859125", "-GPSLatitudeRef=\(north)", "-GPSLongitude=151.2093",
                    "-GPSLongitudeRef=\(east)",
                ],
                check: {
                    let latitude = north == "N" ? 33.859125 : -33.859125
                    let longitude = east == "E" ? 151.2093 : -151.2093
                    return abs(($0.coordinate?.latitude ?? 0) - latitude) < 1e-6
                        && abs(($0.coordinate?.longitude ?? 0) - longitude) < 1e-6
                })
        }

        private static let zones = [("+02:00", 7_200), ("-11:00", -39_600), ("+05:45", 20_700)].map
        {
            zone, seconds in
            Picture(
                name: "zone\(zone.replacingOccurrences(of: ":", with: ""))",
                arguments: [
                    "-DateTimeOriginal=2018:08:25 16:34:33", "-OffsetTimeOriginal=\(zone)",
                    "-SubSecTimeOriginal=25",
                ],
                check: {
                    $0.takenInstant?.timeIntervalSince1970
                        == 1_535_214_873.25 - Double(seconds)
                })
        }

        private static let words = [
            Picture(
                name: "description",
                arguments: [
                    "-ImageDescription=Größe & Übermaß", "-Artist=Ada", "-Copyright=© Ada",
                    "-XPTitle=Ein Titel",
                ],
                check: {
                    $0.caption == "Größe & Übermaß" && $0.artist == "Ada" && $0.copyright == "© Ada"
                        && $0.title == "Ein Titel"
                }),
            Picture(
                name: "comment", arguments: ["-UserComment=Ça va?"],
                check: { $0.caption == "Ça va?" }),
            Picture(
                name: "xmp",
                arguments: [
                    "-XMP-dc:Title=Titre <é>", "-XMP-dc:Description=Légende",
                    "-XMP-dc:Subject=river",
                    "-XMP-dc:Subject=night", "-XMP-photoshop:City=Paris",
                    "-XMP-photoshop:Country=France", "-XMP-exif:GPSLatitude=-48.857",
                    "-XMP-exif:GPSLongitude=-2.352",
                    "-XMP-exif:DateTimeOriginal=2018:08:25 16:34:33.5+02:00",
                    "-XMP-tiff:Orientation#=6",
                ],
                check: {
                    $0.title == "Titre <é>" && $0.caption == "Légende"
                        && $0.keywords == ["river", "night"]
                        && $0.placeNames == PlaceNames(locality: "Paris", country: "France")
                        && abs(($0.coordinate?.latitude ?? 0) + 48.857) < 1e-6
                        && abs(($0.coordinate?.longitude ?? 0) + 2.352) < 1e-6
                        && $0.takenInstant?.timeIntervalSince1970 == 1_535_207_673.5
                        && $0.orientation == .right
                }),
        ]

        @Test
        func `ExifTool's files of both byte orders, whole and damaged, read as they were written`()
            throws
        {
            let folder = try TemporaryFolder()
            let pictures = Self.orientations + Self.quarters + Self.zones + Self.words
            var lines: [String] = []
            for picture in pictures {
                for order in ["II", "MM"] {
                    let path = folder["\(picture.name)-\(order).jpg"].description
                    try Data(JPEGBuilder().bytes).write(to: URL(filePath: path))
                    lines += ["-charset", "exif=UTF8", "-q", "-overwrite_original"]
                    lines += ["-ExifByteOrder=\(order)"] + picture.arguments + [path, "-execute"]
                }
            }
            try ExifTool.run(lines)
            for picture in pictures {
                for order in ["II", "MM"] {
                    let name = "\(picture.name)-\(order).jpg"
                    let content = try DiskFileSystem().read(folder[name])
                    let metadata = try #require(PhotoMetadata(jpeg: Data(content)))
                    #expect(picture.check(metadata), "\(name): \(metadata)")
                    #expect(metadata.width == 64 && metadata.height == 48)
                    for count in stride(from: 0, to: content.count, by: 7) {
                        _ = PhotoMetadata(jpeg: Data(content[..<count]))
                        var damaged = content
                        damaged[count] ^= 0xFF
                        _ = PhotoMetadata(jpeg: Data(damaged))
                    }
                }
            }
        }
    }

    /// The program of that name, which reads and writes the metadata of pictures.
    enum ExifTool {
        static let path = [
            "/usr/bin/exiftool", "/usr/local/bin/exiftool", "/opt/homebrew/bin/exiftool",
        ]
        .first(where: FileManager.default.isExecutableFile(atPath:))

        /// Runs it once for all commands, whose arguments are one a line.
        static func run(_ lines: [String]) throws {
            let process = Process()
            process.executableURL = URL(filePath: try #require(path))
            process.arguments = ["-@", "-"]
            let input = Pipe()
            process.standardInput = input
            try process.run()
            try input.fileHandleForWriting.write(
                contentsOf: Data((lines + [""]).joined(separator: "\n").utf8))
            try input.fileHandleForWriting.close()
            process.waitUntilExit()
            try #require(process.terminationStatus == 0)
        }
    }
#endif

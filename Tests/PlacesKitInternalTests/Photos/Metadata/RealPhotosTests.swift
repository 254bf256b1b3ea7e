import Foundation
import PlacesKit
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

#if os(Linux) || os(macOS)
    /// Reads photos that people have taken, and compares what is read with what ExifTool says.
    ///
    /// The environment says where they are: `PLACESKIT_PHOTOS` is a folder, and `PLACESKIT_PHOTOS_LEAST` how many
    /// of its photos must have metadata. `.ci/real-photos` fills one.
    @Suite(.enabled(if: RealPhotos.folder != nil && ExifTool.path != nil)) struct RealPhotosTests {
        @Test func `real photos say what ExifTool reads in them`() throws {
            let folder = try #require(RealPhotos.folder)
            let reports = try ExifTool.reports(ofPhotosIn: folder)
            var differences: [String] = []
            for report in reports {
                let content = try DiskFileSystem().read(FilePath(report.path))
                guard let metadata = PhotoMetadata(jpeg: content) else {
                    differences.append("\(report.path): is no JPEG file")
                    continue
                }
                guard report.isWhole else { continue }
                differences += report.differences(from: metadata).map { "\(report.path): \($0)" }
            }
            #expect(differences.isEmpty, "\(differences.joined(separator: "\n"))")
            let count = reports.count { $0.isWhole && $0.hasMetadata }
            #expect(count >= RealPhotos.least, "\(reports.count) photos")
        }

        @Test func `a folder of real photos lists or skips every picture by its name`() async throws
        {
            let folder = try #require(RealPhotos.folder)
            let source = DirectoryPhotoSource(directory: URL(filePath: folder))
            let scan = try await source.rescan()
            let reports = try ExifTool.reports(ofPhotosIn: folder)
            #expect(scan.photoCount + scan.skipped.count >= reports.count)
            let names = Set(scan.skipped.map(\.path))
            for report in reports {
                let path = String(report.path.dropFirst(folder.count).drop { $0 == "/" })
                if names.contains(path) { continue }
                let photo = try await source.details(ofPhoto: path)
                #expect(photo.identifier == path && photo.displayTitle != "Unknown")
                #expect(photo.coordinate?.isValid ?? true)
            }
        }
    }

    private enum RealPhotos {
        private static let environment = ProcessInfo.processInfo.environment
        static let folder = environment["PLACESKIT_PHOTOS"]
        static let least = environment["PLACESKIT_PHOTOS_LEAST"].flatMap { Int($0) } ?? 1
    }

    /// What ExifTool says of one photo.
    private struct PhotoReport {
        let path: String
        private let values: [String: Any]

        init?(_ values: [String: Any]) {
            guard let path = values["SourceFile"] as? String,
                values["File:MIMEType"] as? String == "image/jpeg",
                (try? FileManager.default.destinationOfSymbolicLink(atPath: path)) == nil
            else { return nil }
            self.path = path
            self.values = values
        }

        /// Whether ExifTool has nothing to object: what can be read of damaged files is told by other tests.
        var isWhole: Bool { values["ExifTool:Warning"] == nil }

        /// Whether there is any of the kinds of metadata that photos have.
        var hasMetadata: Bool {
            values.keys.contains { key in
                ["IFD0:", "ExifIFD:", "GPS:", "IPTC:", "XMP-"].contains(where: key.hasPrefix)
            }
        }

        func differences(from metadata: PhotoMetadata) -> [String] {
            var found: [String] = []
            func compare<Value: Equatable>(_ name: String, _ read: Value, _ expected: Value) {
                if read != expected {
                    found.append("\(name) is \(read), ExifTool says \(expected)")
                }
            }
            if let width = number("File:ImageWidth"), let height = number("File:ImageHeight") {
                compare("size", [metadata.width, metadata.height], [Int(width), Int(height)])
            }
            let orientation = (number("IFD0:Orientation") ?? number("XMP-tiff:Orientation"))
                .flatMap { PhotoOrientation(rawValue: Int($0)) }
            compare("orientation", metadata.orientation, orientation ?? .up)
            compare("date", metadata.taken.map { "\($0)" }, date)
            if !Self.misread.contains(where: path.hasSuffix) {
                compare(
                    "point", metadata.coordinate.map(Self.rounded), coordinate.map(Self.rounded))
            }
            for (name, read, tags) in [
                ("caption", metadata.caption, ["IFD0:ImageDescription"]),
                ("artist", metadata.artist, ["IFD0:Artist", "XMP-dc:Creator"]),
                ("copyright", metadata.copyright, ["IFD0:Copyright", "XMP-dc:Rights"]),
                ("title", metadata.title, ["IFD0:XPTitle", "XMP-dc:Title"]),
            ] {
                if let text = tags.lazy.compactMap(text).first { compare(name, read, text) }
            }
            return found
        }

        /// Degrees as text, with commas for points: ExifTool takes them for separators.
        private static let misread = ["geodegrees_as_string.jpg"]

        /// When the photo was taken: the most telling date that is one.
        private var date: String? {
            let tags = [
                "ExifIFD:DateTimeOriginal", "XMP-exif:DateTimeOriginal",
                "XMP-photoshop:DateCreated",
                "ExifIFD:CreateDate", "XMP-xmp:CreateDate", "XMP-exif:DateTimeDigitized",
                "IFD0:ModifyDate",
            ]
            return tags.lazy.compactMap { tag -> String? in
                guard let text = values[tag] as? String else { return nil }
                let numbers = text.prefix(19).split { $0 == ":" || $0 == " " }.compactMap {
                    Int($0)
                }
                guard numbers.count == 6,
                    let date = LocalDate(
                        year: numbers[0], month: numbers[1], day: numbers[2], hour: numbers[3],
                        minute: numbers[4], second: numbers[5])
                else { return nil }
                return "\(date)"
            }.first
        }

        private var coordinate: Coordinate? {
            func degrees(_ name: String, _ negative: String) -> Double? {
                guard let value = number("GPS:\(name)"),
                    let side = values["GPS:\(name)Ref"] as? String
                else { return nil }
                return side == negative ? -value : value
            }
            guard values["GPS:GPSStatus"] as? String != "V",
                let latitude = degrees("GPSLatitude", "S"),
                let longitude = degrees("GPSLongitude", "W"),
                latitude != 0 || longitude != 0
            else { return nil }
            let coordinate = Coordinate(latitude: latitude, longitude: longitude)
            return coordinate.isValid ? coordinate : nil
        }

        private static func rounded(_ coordinate: Coordinate) -> [Double] {
            [coordinate.latitude, coordinate.longitude].map { ($0 * 1e6).rounded() / 1e6 }
        }

        private func number(_ tag: String) -> Double? { (values[tag] as? NSNumber)?.doubleValue }

        /// A person's words, where they are plain: others are decoded by guessing.
        private func text(_ tag: String) -> String? {
            guard
                let text = (values[tag] as? String)?.trimmingCharacters(
                    in: .whitespacesAndNewlines),
                !text.isEmpty, text.utf8.allSatisfy({ (32..<127).contains($0) }),
                !CameraWords.makeUp(text)
            else { return nil }
            return text
        }
    }

    extension ExifTool {
        /// What it says of the JPEG files of a folder and of the folders in it.
        fileprivate static func reports(ofPhotosIn folder: String) throws -> [PhotoReport] {
            let process = Process()
            process.executableURL = URL(filePath: try #require(path))
            process.arguments = [
                "-q", "-q", "-json", "-n", "-G1", "-charset", "exif=UTF8", "-r", "-i", "SYMLINKS",
                "-ext", "jpg", "-ext", "jpeg", folder,
            ]
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            let data = try output.fileHandleForReading.readToEnd() ?? Data()
            process.waitUntilExit()
            let replies = try JSONSerialization.jsonObject(with: data) as? [[String: Any]] ?? []
            return replies.compactMap(PhotoReport.init)
        }
    }
#endif

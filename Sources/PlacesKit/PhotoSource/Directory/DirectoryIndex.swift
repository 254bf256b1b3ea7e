import Foundation

/// What is known of the photos of a folder after reading it.
struct DirectoryIndex: Sendable {
    struct Entry: Sendable {
        var record: PhotoRecord
        /// What sorts it among the others.
        let moment: Date?
    }

    /// How much of a file is read at first; what precedes the pixels is mostly shorter.
    private static let prefixLength = 128 << 10
    private static let deepestFolder = 16
    private static let thumbnailMark = "thumbnail"

    /// All photos, newest first.
    private(set) var photos: [Entry] = []
    private(set) var places: [PlaceRecord] = []
    private(set) var scan = DirectoryPhotoSource.Scan(photoCount: 0, skipped: [])
    private var numbers: [String: Int] = [:]
    private var owners: [URL: Int] = [:]
    private var members: [String: [Int]] = [:]
    /// How much of a file is read at most.
    private let fileLimit: Int

    /// Reads a folder; what goes wrong below it only leaves out the file or folder concerned.
    init(
        scanning directory: URL, _ files: any FileSystem, fileLimit: Int
    ) throws(FileSystemError) {
        self.fileLimit = fileLimit
        let root = FilePath(directory)
        var folders = [(path: "", depth: 0, names: try files.list(root))]
        while let folder = folders.popLast() {
            for name in folder.names where !name.hasPrefix(".") {
                let path = folder.path.isEmpty ? name : "\(folder.path)/\(name)"
                let file = root.appending(path)
                guard files.isOrdinary(file), let status = try? files.status(of: file) else {
                    continue
                }
                if status.isDirectory {
                    guard folder.depth < Self.deepestFolder else { continue }
                    do {
                        folders.append((path, folder.depth + 1, try files.list(file)))
                    } catch {
                        scan.skipped.append(.init(path: path, reason: error.description))
                    }
                } else if Self.isPhoto(name) {
                    add(path, file, url: directory.appending(path: path), files)
                }
            }
        }
        finish()
    }

    /// The newest photos of a place.
    func photos(inPlace identifier: String) -> some Collection<PhotoRecord> {
        (members[identifier] ?? []).lazy.map { photos[$0].record }
    }

    func photo(_ identifier: String) -> Entry? {
        numbers[identifier].map { photos[$0] }
    }

    /// The photo that a variant is of, if this folder has handed it out, and whether it is the small picture
    /// inside it.
    func photo(of variant: PhotoVariant) -> (photo: Entry, isThumbnail: Bool)? {
        owners[variant.url].map { (photos[$0], variant.url.fragment() == Self.thumbnailMark) }
    }
}

extension DirectoryIndex {
    private static func isPhoto(_ name: String) -> Bool {
        let name = name.lowercased()
        return name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") || name.hasSuffix(".jpe")
    }

    private mutating func add(
        _ path: String, _ file: FilePath, url: URL, _ files: any FileSystem
    ) {
        do {
            var content = try files.read(file, prefix: Self.prefixLength)
            if content.count == Self.prefixLength, !JPEGSegments.reachPixels(of: content) {
                content = try files.read(file, prefix: fileLimit)
            }
            guard let metadata = PhotoMetadata(jpeg: content) else {
                scan.skipped.append(.init(path: path, reason: "This is no JPEG file."))
                return
            }
            photos.append(Self.photo(path, url, metadata))
        } catch {
            scan.skipped.append(.init(path: path, reason: error.description))
        }
    }

    private static func photo(_ path: String, _ url: URL, _ metadata: PhotoMetadata) -> Entry {
        let size = metadata.uprightSize
        var variants: [PhotoVariant] = []
        if metadata.thumbnail != nil,
            var parts = URLComponents(url: url, resolvingAgainstBaseURL: true)
        {
            parts.fragment = thumbnailMark
            if let url = parts.url {
                // EXIF's small pictures are of this size.
                variants.append(PhotoVariant(name: thumbnailMark, url: url, longestEdge: 160))
            }
        }
        variants.append(
            PhotoVariant(
                name: "original", url: url, width: size.map { Int($0.width) },
                height: size.map { Int($0.height) }))
        let record = PhotoRecord(
            identifier: path,
            title: metadata.title,
            caption: metadata.caption,
            owner: PhotoOwner(identifier: metadata.artist, name: metadata.artist),
            taken: metadata.taken,
            takenInstant: metadata.takenInstant,
            coordinate: metadata.coordinate,
            placeIdentifier: placeIdentifier(metadata),
            placeNames: metadata.placeNames,
            pageURL: url,
            creditLine: metadata.copyright.isEmpty ? metadata.artist : metadata.copyright,
            variants: variants,
            tags: metadata.keywords)
        // Among photos of unknown zones the clocks' own order is the best there is.
        return Entry(
            record: record,
            moment: metadata.takenInstant ?? metadata.taken?.startInGreenwich)
    }

    /// The place of a photo: the one it names, else its cell of the grid.
    private static func placeIdentifier(_ metadata: PhotoMetadata) -> String? {
        if let names = metadata.placeNames { return "named \(names.fullName)" }
        guard let coordinate = metadata.coordinate else { return nil }
        let row = Int((coordinate.latitude * 10).rounded(.down))
        let column = Int((coordinate.longitude * 10).rounded(.down))
        return "cell \(row) \(column)"
    }

    /// Sorts the photos and makes the places of them.
    private mutating func finish() {
        photos.sort { one, other in
            switch (one.moment, other.moment) {
            case (let first?, let second?) where first != second: first > second
            case (.some, nil): true
            case (nil, .some): false
            default: one.record.identifier < other.record.identifier
            }
        }
        scan.photoCount = photos.count
        scan.skipped.sort { $0.path < $1.path }
        for (number, photo) in photos.enumerated() {
            numbers[photo.record.identifier] = number
            for variant in photo.record.variants { owners[variant.url] = number }
            if let place = photo.record.placeIdentifier {
                members[place, default: []].append(number)
            }
        }
        places = members.map { identifier, members in
            let coordinates = members.compactMap { photos[$0].record.coordinate }
            return PlaceRecord(
                identifier: identifier,
                name: photos[members[0]].record.placeNames?.fullName
                    ?? coordinates.first.map(Self.cellName) ?? "",
                coordinate: Self.middle(of: coordinates), photoCount: members.count)
        }
        .sorted { ($1.photoCount ?? 0, $0.identifier) < ($0.photoCount ?? 0, $1.identifier) }
    }

    /// What a cell of the grid is called: "48.8° N 2.3° E", by its corner nearest to the equator and Greenwich.
    private static func cellName(_ coordinate: Coordinate) -> String {
        func degrees(_ value: Double, _ positive: String, _ negative: String) -> String {
            let tenths = Int((abs(value) * 10).rounded(.down))
            return "\(tenths / 10).\(tenths % 10)° \(value < 0 ? negative : positive)"
        }
        return degrees(coordinate.latitude, "N", "S") + " "
            + degrees(coordinate.longitude, "E", "W")
    }

    /// A point amid others: their mean, unless they lie on both sides of the antimeridian.
    private static func middle(of points: [Coordinate]) -> Coordinate? {
        guard let first = points.first else { return nil }
        let longitudes = points.map(\.longitude)
        guard let west = longitudes.min(), let east = longitudes.max(), east - west < 180 else {
            return first
        }
        let count = Double(points.count)
        return Coordinate(
            latitude: points.reduce(0) { $0 + $1.latitude } / count,
            longitude: longitudes.reduce(0, +) / count)
    }
}

extension JPEGSegments {
    /// Whether the first part of a file holds all that precedes the pixels.
    static func reachPixels(of file: [UInt8]) -> Bool {
        guard var segments = JPEGSegments(file) else { return true }
        while segments.next() != nil {}
        return !segments.isCutOff
    }
}

extension LocalDate {
    /// The instant at which this began where clocks show Greenwich's time.
    fileprivate var startInGreenwich: Date? {
        LocalDate(
            year: year, month: month, day: day, hour: hour, minute: minute, second: second)?
            .instant(secondsFromGMT: 0)
    }
}

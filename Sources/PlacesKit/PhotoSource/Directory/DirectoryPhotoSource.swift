public import Foundation
import Synchronization

/// The JPEG files of a folder and of the folders in it, known by what they say of themselves.
///
/// ```swift
/// let source = DirectoryPhotoSource(directory: URL(filePath: "/home/ada/Pictures"))
/// let scan = try await source.rescan()
/// print("\(scan.photoCount) photos; left out: \(scan.skipped.map(\.path))")
/// ```
///
/// The folder is read when it is first needed, and again by ``rescan()``; it is not watched. A photo's
/// identifier is its file's path within the folder. Places are the cities that the photos name, and for
/// photos that name none a grid of a tenth of a degree.
///
/// - A damaged file gives what can be read of it. A file that is no JPEG, or cannot be read, is left out and
///   listed as skipped.
/// - Links and files whose names begin with a dot are left alone, and so are folders more than 16 deep.
/// - The time in a file is that of the photographer's clock. Photos are sorted by it, newest first, and those
///   without one come last.
public final class DirectoryPhotoSource: PhotoSource {
    /// What reading the folder has found.
    public struct Scan: Sendable, Hashable {
        /// A file that was left out.
        public struct SkippedFile: Sendable, Hashable {
            /// Its path within the folder.
            public var path: String
            /// Why it was left out.
            public var reason: String
        }

        /// How many photos there are.
        public var photoCount: Int
        /// The files that are no photos, by their names should be, or cannot be read.
        public var skipped: [SkippedFile]
    }

    /// "Folder", or the name it was given.
    public let name: String
    /// The folder.
    public let directory: URL
    /// How many bytes a file may have to be read.
    public let fileLimit: Int

    private let files: any FileSystem
    private let queue = BlockingQueue("PlacesKit.DirectoryPhotoSource")
    private let index = Mutex<DirectoryIndex?>(nil)

    /// Creates a source of the photos in a folder, which is not read yet.
    ///
    /// Files of more than 256 MB are not read, unless another limit is set: panoramas and the files of large
    /// cameras stay below it.
    public convenience init(
        directory: URL, name: String = "Folder", fileLimit: Int = 256_000_000
    ) {
        self.init(directory: directory, name: name, fileLimit: fileLimit, files: DiskFileSystem())
    }

    init(directory: URL, name: String, fileLimit: Int = 256_000_000, files: any FileSystem) {
        self.directory = directory
        self.fileLimit = min(max(0, fileLimit), .max - 1)
        self.name = name
        self.files = files
    }

    /// Everything.
    public var capabilities: Set<PhotoSourceCapability> { Set(PhotoSourceCapability.allCases) }

    /// Reads the folder anew.
    ///
    /// - Returns: What was found.
    /// - Throws: `PhotoSourceError.unavailable` if the folder cannot be read; then the photos stay what they were.
    @discardableResult
    public func rescan() async throws -> Scan {
        try await scan(ifKnown: false).scan
    }

    /// The places of the photos, those with most photos first.
    public func places() async throws -> [PlaceRecord] {
        try await scan(ifKnown: true).places
    }

    /// The newest photos of a place; none if no photo is from there.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        Array(try await scan(ifKnown: true).photos(inPlace: place.identifier).prefix(max(0, limit)))
    }

    /// The newest photos that say where they were taken.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let photos = try await scan(ifKnown: true).photos.lazy.map(\.record)
        return Array(photos.filter { $0.coordinate != nil }.prefix(max(0, limit)))
    }

    /// One page of the photos in an area, newest first.
    public func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        let photos = try await scan(ifKnown: true).photos.lazy.map(\.record)
            .filter { $0.coordinate.map(area.contains) ?? false }
        let found = Array(photos)
        let pageCount = found.count / perPage + (found.count % perPage == 0 ? 0 : 1)
        guard page <= pageCount else {
            return PhotoPage(page: page, usablePages: pageCount, photos: [])
        }
        return PhotoPage(
            page: page, usablePages: pageCount,
            photos: Array(found.dropFirst((page - 1) * perPage).prefix(perPage)))
    }

    /// The photo of an identifier.
    ///
    /// - Throws: `PhotoSourceError.gone` if there is no such file any more, `tooLarge` if it is longer than
    ///   `fileLimit`.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        guard let photo = try await scan(ifKnown: true).photo(identifier) else {
            throw PhotoSourceError.gone(what: "The photo “\(identifier)”")
        }
        return photo.record
    }

    /// What photos within five kilometres of a point call the place; nil if none does.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try caps.validate(.circle(center: coordinate, radius: 5), page: 1, perPage: 1)
        let named = try await scan(ifKnown: true).photos.lazy.compactMap { photo in
            photo.record.coordinate.flatMap { point in
                photo.record.placeNames.map {
                    (names: $0, distance: point.distance(to: coordinate))
                }
            }
        }
        let nearest = named.min { $0.distance < $1.distance }
        return nearest.flatMap { $0.distance <= 5 ? $0.names : nil }
    }

    /// The file of a photo, or the small picture inside it.
    ///
    /// - Throws: `PhotoSourceError.gone` if there is no such file any more.
    public func data(for variant: PhotoVariant) async throws -> Data {
        let index = try await scan(ifKnown: true)
        guard let (photo, isThumbnail) = index.photo(of: variant) else {
            throw PhotoSourceError.gone(what: "The picture \(variant.url.lastPathComponent)")
        }
        let path = FilePath(directory).appending(photo.record.identifier)
        let content = await queue.run { [files, fileLimit] in
            try? files.read(path, prefix: fileLimit + 1)
        }
        try Task.checkCancellation()
        if let content, content.count > fileLimit {
            throw PhotoSourceError.tooLarge(limit: fileLimit)
        }
        guard let content, !content.isEmpty else {
            throw PhotoSourceError.gone(what: "The picture \(variant.url.lastPathComponent)")
        }
        guard isThumbnail else { return Data(content) }
        // The file may have changed since it was scanned.
        guard let range = PhotoMetadata(jpeg: content)?.thumbnail else {
            throw PhotoSourceError.gone(what: "The thumbnail of \(variant.url.lastPathComponent)")
        }
        return Data(content[range])
    }

    /// The photos, which are read if they are not known yet.
    private func scan(ifKnown: Bool) async throws -> DirectoryIndex {
        try Task.checkCancellation()
        if ifKnown, let index = index.withLock({ $0 }) { return index }
        let result = await queue.run {
            [self] () throws(Never) -> Result<DirectoryIndex, FileSystemError> in
            // Another call may have read it while this one waited.
            if ifKnown, let index = index.withLock({ $0 }) { return .success(index) }
            do throws(FileSystemError) {
                let new = try DirectoryIndex(scanning: directory, files, fileLimit: fileLimit)
                index.withLock { $0 = new }
                return .success(new)
            } catch {
                return .failure(error)
            }
        }
        try Task.checkCancellation()
        switch result {
        case .success(let index): return index
        case .failure(let error):
            throw PhotoSourceError.unavailable(
                reason: .unreadable(provider: name, reason: error.description))
        }
    }
}

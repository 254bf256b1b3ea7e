public import Foundation
import PlacesBase
import Synchronization

/// The JPEG files of a folder and of the folders in it, known by what they say of themselves.
///
/// ```swift
/// let source = DirectoryPhotoSource(directory: URL(filePath: "/home/ada/Pictures"))
/// print(try await source.rescan())
/// ```
///
/// The folder is read when it is first needed, once for all who need it, and again by ``rescan()``; it is not
/// watched. Places are the cities that the photos name, and for photos that name none a grid of a tenth of a
/// degree.
///
/// - A photo's identifier is its file's path within the folder. A path that is not in Unicode's composed form
///   (NFC) is spelled out after "./", as in "./cafe%CC%81.jpg": it may look like another one, and is none.
/// - A damaged file gives what can be read of it. A picture that is no JPEG file or cannot be read is left out
///   and listed as skipped, and so are folders more than 16 deep. If there is nothing else, lists of places
///   and photos throw `PhotoSourceError.unavailable`, which says what there is.
/// - Links and files whose names begin with a dot are left alone.
/// - A photo that has neither title nor description is called like its file.
/// - The time in a file is that of the photographer's clock. Photos are sorted by it, newest first, and those
///   without one come last.
public final class DirectoryPhotoSource: PhotoSource {
    /// "Folder", or the name it was given.
    public let name: String
    /// The folder.
    public let directory: URL
    /// How many bytes the file of a picture may have; ``data(for:)`` throws `tooLarge` for a longer one.
    ///
    /// What a file says of itself is read however long it is.
    public let fileLimit: Int

    /// What is asked of the folder.
    enum ScanRequest: Hashable {
        /// To be read if it has not been.
        case first
        /// To be read after so many times, at which others cannot have seen what is there now.
        case again(after: Int)
    }

    private struct State {
        var index: DirectoryIndex?
        /// How many times reading it again has begun.
        var rescanCount = 0
    }

    let files: any FileSystem
    let scans = SharedWork<ScanRequest, DirectoryIndex>()
    let pictures = SharedWork<URL, Data>()
    private let scanQueue = BlockingQueue("PlacesKit.DirectoryPhotoSource.Scan")
    let pictureQueue = BlockingQueue("PlacesKit.DirectoryPhotoSource.Picture")
    private let state = Mutex(State())

    /// Creates a source of the photos in a folder, which is not read yet.
    ///
    /// Pictures of more than 256 MB are refused, unless another limit is set: panoramas and the files of
    /// large cameras stay below it.
    public convenience init(
        directory: URL, name: String = "Folder", fileLimit: Int = 256_000_000
    ) {
        self.init(directory: directory, name: name, fileLimit: fileLimit, files: DiskFileSystem())
    }

    package init(
        directory: URL, name: String, fileLimit: Int = 256_000_000, files: any FileSystem
    ) {
        self.directory = directory
        self.fileLimit = min(max(0, fileLimit), .max - 1)
        self.name = name
        self.files = files
    }

    /// Everything.
    public var capabilities: Set<PhotoSourceCapability> { Set(PhotoSourceCapability.allCases) }

    /// Reads the folder anew, and in it the files that are new or have changed.
    ///
    /// - Returns: What was found.
    /// - Throws: `PhotoSourceError.unavailable` if the folder cannot be read; then the photos stay what they were.
    @discardableResult
    public func rescan() async throws -> Scan {
        try await index(by: .again(after: state.withLock(\.rescanCount))).scan
    }

    /// The places of the photos, those with most photos first.
    public func places() async throws -> [PlaceRecord] {
        try await readableIndex().places
    }

    /// The newest photos of a place; none if no photo is from there.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        let photos = try await readableIndex().photos(inPlace: place.identifier)
        return Array(photos.prefix(max(0, limit)))
    }

    /// The newest photos that say where they were taken.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let photos = try await readableIndex().photos.lazy.map(\.record)
        return Array(photos.filter { $0.coordinate != nil }.prefix(max(0, limit)))
    }

    /// One page of the photos in an area, newest first.
    public func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        let photos = try await readableIndex().photos.lazy.map(\.record)
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
    /// - Throws: `PhotoSourceError.gone` if there was no such file when the folder was read.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        guard let photo = try await index().photo(identifier) else {
            throw PhotoSourceError.gone(what: "The photo “\(identifier)”")
        }
        return photo.record
    }

    /// What photos within five kilometres of a point call the place; nil if none does.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try caps.validate(.circle(center: coordinate, radius: 5), page: 1, perPage: 1)
        let named = try await index().photos.lazy.compactMap { photo in
            photo.record.coordinate.flatMap { point in
                photo.record.placeNames.map {
                    (names: $0, distance: point.distance(to: coordinate))
                }
            }
        }
        let nearest = named.min { $0.distance < $1.distance }
        return nearest.flatMap { $0.distance <= 5 ? $0.names : nil }
    }

    /// What is known of the folder, unless it holds pictures of which none can be read.
    private func readableIndex() async throws -> DirectoryIndex {
        let index = try await index()
        guard index.photos.isEmpty, !index.scan.skipped.isEmpty else { return index }
        throw PhotoSourceError.unavailable(
            reason: .unreadable(provider: name, reason: index.scan.description))
    }

    /// What is known of the folder, which is read if nothing is.
    func index() async throws -> DirectoryIndex {
        try Task.checkCancellation()
        if let index = state.withLock(\.index) { return index }
        return try await index(by: .first)
    }

    /// What a scan finds; one that is under way or waits is shared.
    private func index(by scan: ScanRequest) async throws -> DirectoryIndex {
        try await scans.value(for: scan) { [self] in
            try await scanQueue.run { [self] cancellation in
                let (known, isEnough) = state.withLock { state in
                    if scan != .first { state.rescanCount += 1 }
                    return (state.index, scan == .first && state.index != nil)
                }
                if let known, isEnough { return known }
                do {
                    var scanner = try DirectoryScanner(directory, files, after: known, cancellation)
                    let index = try scanner.run()
                    state.withLock { $0.index = index }
                    return index
                } catch let error as FileSystemError {
                    throw unreadable(error)
                }
            }
        }
    }

    func unreadable(_ error: FileSystemError) -> PhotoSourceError {
        .unavailable(reason: .unreadable(provider: name, reason: error.description))
    }
}

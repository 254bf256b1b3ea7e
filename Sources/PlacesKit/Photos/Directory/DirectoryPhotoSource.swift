public import Foundation
import PlacesBase
import Synchronization

/// The JPEG files in a folder and its subfolders, described by their own metadata.
///
/// ```swift
/// let source = DirectoryPhotoSource(directory: URL(filePath: "/home/ada/Pictures"))
/// print(try await source.rescan())
/// ```
///
/// The source reads the folder once, when somebody first needs it, and again in ``rescan()``; it
/// does not watch the folder. The places are the cities that the photos name. Photos that name no
/// city are grouped by a grid of a tenth of a degree.
///
/// - A photo's identifier is its file's path within the folder. A path that is not in Unicode's
///   composed form (NFC) is spelled out after "./", as in "./cafe%CC%81.jpg", because it may look
///   like another path.
/// - From a damaged file the source takes what it can read. It leaves out pictures that are not
///   JPEG or cannot be read, and folders more than 16 deep, and lists them as skipped. If nothing
///   else is there, lists of places and photos throw `PhotoSourceError.unavailable`, which says
///   what is there.
/// - The source ignores links, and files whose names begin with a dot.
/// - A file that has changed has other addresses after the next scan, so that its former picture is
///   not taken for its present one.
/// - A photo that has neither title nor description is named after its file.
/// - The time in a file is that of the photographer's clock. Photos are sorted by it, newest first,
///   and those without one come last.
public final class DirectoryPhotoSource: PhotoSource {
    /// "Folder", or the name that the initializer was given.
    public let name: String
    /// The folder.
    public let directory: URL
    /// The largest file of a picture in bytes; for a larger one ``data(for:)`` throws `tooLarge`.
    ///
    /// The metadata is read from files of any size.
    public let fileLimit: Int

    /// A request to read the folder.
    enum ScanRequest: Hashable {
        /// Read the folder if it has not been read.
        case first
        /// Read it again; `after` earlier rescans may not have seen what is there now.
        case again(after: Int)
    }

    private struct State {
        var index: DirectoryIndex?
        /// How many rescans have begun.
        var rescanCount = 0
    }

    let files: any FileSystem
    let scans = SharedWork<ScanRequest, DirectoryIndex>()
    let pictures = SharedWork<URL, Data>()
    private let scanQueue = BlockingQueue("PlacesKit.DirectoryPhotoSource.Scan")
    let pictureQueue = BlockingQueue("PlacesKit.DirectoryPhotoSource.Picture")
    private let state = Mutex(State())

    /// Creates a source of the photos in a folder, without reading it yet.
    ///
    /// By default the source refuses pictures of more than 256 MB. Panoramas and the files of large
    /// cameras are smaller.
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

    /// All capabilities.
    public var capabilities: Set<PhotoSourceCapability> { Set(PhotoSourceCapability.allCases) }

    /// Scans the folder again, and reads the files that are new or have changed.
    ///
    /// - Returns: What the scan found.
    /// - Throws: `PhotoSourceError.unavailable` if the folder cannot be read; then the photos stay
    ///   as they were.
    @discardableResult
    public func rescan() async throws -> Scan {
        try await index(by: .again(after: state.withLock(\.rescanCount))).scan
    }

    /// The places of the photos, those with the most photos first.
    public func places() async throws -> [PlaceRecord] {
        try await readableIndex().places
    }

    /// The newest photos of a place; none if no photo is from there.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        let photos = try await readableIndex().photos(inPlace: place.identifier)
        return Array(photos.prefix(max(0, limit)))
    }

    /// The newest photos that have a position.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let photos = try await readableIndex().photos.lazy.map(\.record)
        return Array(photos.filter { $0.coordinate != nil }.prefix(max(0, limit)))
    }

    /// One page of the photos in an area, newest first.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        let photos = try await readableIndex().photos.lazy.map(\.record)
            .filter { $0.coordinate.map(area.contains) ?? false }
        let (shown, pageCount) = Array(photos).page(page, of: perPage)
        return PhotoPage(page: page, usablePages: pageCount, photos: Array(shown))
    }

    /// The photo with an identifier.
    ///
    /// - Throws: `PhotoSourceError.gone` if the folder had no such file when it was read.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        guard let photo = try await index().photo(identifier) else {
            throw PhotoSourceError.gone(what: "The photo “\(identifier)”")
        }
        return photo.record
    }

    /// The place names of the nearest photo that has any, within 5 km; nil if there is none.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try caps.validate(.circle(center: coordinate, kilometers: 5), page: 1, perPage: 1)
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

    /// The place names in the photo's record, else in its file, else those at the point where it was taken.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        if let names = photo.placeNames { return names }
        let known = try await index().photo(photo.identifier)?.record
        if let names = known?.placeNames { return names }
        guard let coordinate = photo.coordinate ?? known?.coordinate else { return nil }
        return try await placeNames(at: coordinate)
    }

    /// The index of the folder; throws if the folder has pictures but none of them can be read.
    private func readableIndex() async throws -> DirectoryIndex {
        let index = try await index()
        guard index.photos.isEmpty, !index.scan.skipped.isEmpty else { return index }
        throw PhotoSourceError.unavailable(
            reason: .unreadable(provider: name, reason: index.scan.description))
    }

    /// The index of the folder, which is read if it has not been.
    func index() async throws -> DirectoryIndex {
        try Task.checkCancellation()
        if let index = state.withLock(\.index) { return index }
        return try await index(by: .first)
    }

    /// The index from a scan; equal scans that are running or waiting are shared.
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

public import Foundation
import PlacesBase
import PlacesGraph
import PlacesPhotos

/// Places, their photos, and what one did with them: a document that is filled from a photo source.
///
/// ```swift
/// let library = try await PlacesLibrary.open(at: url, source: SamplePhotoSource())
/// try await library.loadTopPlaces()
/// let places = try library.topPlaces()                    // live, in sections by country
/// ```
///
/// - It belongs to the isolation that opened it. Whatever waits, for the network or for a disk, is
///   asynchronous, and ends when its task is cancelled.
/// - Each step leaves the document as it should be: what a crash cuts short is taken up again by the
///   same call, and nothing is made twice.
/// - Lists are live: they show a change as soon as it is made.
///
/// See <doc:Places>.
public final class PlacesLibrary {
    /// The classes of a library's objects.
    public static let model: [ManagedObject.Type] = [
        Photo.self, Place.self, Region.self, Photographer.self, Pin.self, LibrarySettings.self,
    ]

    /// The context of all objects: that of the document, or a view's own.
    public let context: ManagedObjectContext
    /// The document that keeps everything.
    public let document: ManagedDocument
    /// Where places and photos come from.
    public let source: any PhotoSource
    /// What gets pictures.
    public let images: ImageLoader
    /// How many answers are waited for.
    public let activity: NetworkActivity
    /// How the library works.
    public internal(set) var options: Options
    /// The pictures of favorites.
    let favoriteImages: FavoriteImages?
    let thumbnails: Thumbnails
    /// What is under way, in all views of the document.
    let work: LibraryWork

    private init(
        document: ManagedDocument, source: any PhotoSource, images: ImageLoader, options: Options
    ) {
        self.document = document
        context = document.viewContext
        activity = NetworkActivity()
        work = LibraryWork()
        self.source = source
        self.images = images
        self.options = options
        favoriteImages = FavoriteImages(images)
        thumbnails = Thumbnails(
            loader: images,
            storage: StoredThumbnails(store: document.store, isReadOnly: document.isReadOnly))
        // What the user did last counts, also where a fetch in the background changed the same.
        context.mergePolicy = .mergeByPropertyObjectTrump
    }

    /// Makes another view of a library, with a context of its own.
    init(sharing library: PlacesLibrary, context: ManagedObjectContext) {
        document = library.document
        source = library.source
        images = library.images
        activity = library.activity
        options = library.options
        favoriteImages = library.favoriteImages
        thumbnails = library.thumbnails
        work = library.work
        self.context = context
        context.mergePolicy = .mergeByPropertyObjectTrump
    }

    /// Opens the library in a directory, which is made unless there is one.
    ///
    /// The pictures of favorites lie beside it, in a folder of the same name with `.images` behind it.
    ///
    /// With `options.document.isReadOnly` it is read while somebody else may be writing it: it shows what
    /// was saved by then, all lists are empty where nothing was, and what would change it is refused with
    /// `DocumentError.readOnly` before anything happens. No file is made or changed.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - source: Where places and photos come from.
    ///   - options: How the library works.
    /// - Returns: The library.
    /// - Throws: `DocumentError`, or `ImageCacheError`.
    public nonisolated(nonsending) static func open(
        at url: URL, source: any PhotoSource, options: Options = Options()
    ) async throws -> PlacesLibrary {
        var documentOptions = options.document
        documentOptions.now = options.now
        documentOptions.clock = options.clock
        let document = try await openDocument(at: url, options: documentOptions)
        let folder = url.deletingLastPathComponent()
            .appending(
                path: url.lastPathComponent + ".images", directoryHint: .isDirectory)
        let disk = try await ImageDiskCache.open(
            at: FilePath(folder), byteLimit: options.favoritesByteLimit,
            isReadOnly: document.isReadOnly, files: DiskFileSystem(), now: options.now)
        let images = ImageLoader(
            source: source, disk: disk, options: options.images, now: options.now)
        return PlacesLibrary(
            document: document, source: source, images: images, options: options)
    }

    private nonisolated(nonsending) static func openDocument(
        at url: URL, options: ManagedDocument.Options
    ) async throws -> ManagedDocument {
        do {
            return try await ManagedDocument.open(at: url, model: model, options: options)
        } catch DocumentError.missing where options.isReadOnly && options.createsDocument {
            return try await ManagedDocument.empty(at: url, model: model, options: options)
        }
    }

    /// Whether it was opened read-only: what would change it is refused with `DocumentError.readOnly`.
    public var isReadOnly: Bool { document.isReadOnly }

    /// Saves, and lets others open the document.
    ///
    /// - Throws: `ContextError`, or `DocumentError`.
    public nonisolated(nonsending) func close() async throws {
        try await document.close()
    }
}

@available(*, unavailable)
extension PlacesLibrary: Sendable {}

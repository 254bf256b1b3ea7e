public import Foundation
import PlacesBase
import PlacesGraph
import PlacesPhotos

/// Places, their photos, and what the user did with them: a document filled from a photo source.
///
/// ```swift
/// let library = try await PlacesLibrary.open(at: url, source: SamplePhotoSource())
/// try await library.loadTopPlaces()
/// let places = try library.topPlaces()                    // live, in sections by country
/// ```
///
/// - A library belongs to the isolation that opened it. Methods that wait for the network or a disk
///   are asynchronous, and end when their task is cancelled.
/// - Each step leaves the document in a valid state. If a crash interrupts a call, the same call
///   continues the work later, and makes nothing twice.
/// - Lists are live: they show a change as soon as it is made.
/// - A library or view takes only objects of its own context, and throws
///   ``PlacesError/objectOfAnotherView(_:)`` for others.
///
/// See <doc:Places>.
public final class PlacesLibrary {
    /// The classes of a library's objects.
    public static let model: [ManagedObject.Type] = [
        Photo.self, Place.self, Region.self, Photographer.self, Pin.self, PhotoTag.self,
        DeletedPhoto.self, LibrarySettings.self,
    ]

    /// The context of all objects: the document's own, or that of a view.
    public let context: ManagedObjectContext
    /// The document that stores everything but the pictures of favorites.
    ///
    /// If you save it elsewhere, those stay where they are: ``restoreFavoriteImages()`` fetches them when it is opened there.
    public let document: ManagedDocument
    /// The source of places and photos.
    public let source: any PhotoSource
    /// The loader of pictures.
    public let images: ImageLoader
    /// The number of requests under way.
    public let activity: NetworkActivity
    /// How the library works.
    public internal(set) var options: Options
    /// The pictures of favorites.
    let favoriteImages: FavoriteImages?
    let thumbnails: Thumbnails
    /// The work under way, in all views of the document.
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
        // The user's last change wins over a change of the same property by a background fetch.
        context.mergePolicy = .mergeByPropertyObjectTrump
    }

    /// Creates another view of a library, with a context of its own.
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

    /// Opens the library in a directory, which is created if it is missing.
    ///
    /// The pictures of favorites lie in a folder beside it, which has the same name with `.images`
    /// appended.
    ///
    /// With `options.document.isReadOnly`, the library is only read, even while another process
    /// writes it. It shows what was saved by then, and empty lists if nothing was. Every call that
    /// would change it throws `DocumentError.readOnly` before it does anything. No file is created
    /// or changed.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - source: The source of places and photos.
    ///   - options: How the library works.
    /// - Returns: The library.
    /// - Throws: `DocumentError`, `ImageCacheError`, or `ContextError`.
    public nonisolated(nonsending) static func open(
        at url: URL, source: any PhotoSource, options: Options = Options()
    ) async throws -> PlacesLibrary {
        var documentOptions = options.document
        documentOptions.now = options.now
        documentOptions.clock = options.clock
        let document = try await openDocument(at: url, options: documentOptions)
        // A path that ends in dots leads to a folder of another name.
        let named = url.lastPathComponent.allSatisfy { $0 == "." } ? url.standardizedFileURL : url
        let folder = named.deletingLastPathComponent()
            .appending(
                path: named.lastPathComponent + ".images", directoryHint: .isDirectory)
        let isReadOnly = document.isReadOnly
        let disk = try await elsewhere {
            try await ImageDiskCache.open(
                at: FilePath(folder), byteLimit: options.favoritesByteLimit,
                isReadOnly: isReadOnly, files: DiskFileSystem(), now: options.now)
        }
        let images = ImageLoader(
            source: source, disk: disk, options: options.images, now: options.now)
        let library = PlacesLibrary(
            document: document, source: source, images: images, options: options)
        if !library.isReadOnly {
            try library.deleteIgnoredTags()
            try library.linkTags()
        }
        return library
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

    /// Whether it was opened read-only: calls that would change it throw `DocumentError.readOnly`.
    public var isReadOnly: Bool { document.isReadOnly }

    /// Saves what was changed in this view and in the library, and lets other processes open the document.
    ///
    /// Every later call that would change the library throws `DocumentError.closed` before it does anything.
    ///
    /// - Throws: `ContextError`, or `DocumentError`.
    public nonisolated(nonsending) func close() async throws {
        // The document saves its own context only. Where it is closed already, or only read, nothing is saved.
        let isClosed = if case .editingDisabled = document.state { true } else { false }
        if !isReadOnly, !isClosed { try context.save() }
        try await document.close()
    }
}

@available(*, unavailable)
extension PlacesLibrary: Sendable {}

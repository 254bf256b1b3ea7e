public import Foundation

/// Places, their photos and what was viewed: a document that is filled from a photo source.
///
/// ```swift
/// let library = try await PlacesLibrary.open(at: url, source: SamplePhotoSource())
/// try await library.loadTopPlaces()
/// let places = try library.topPlaces()                    // live, in sections by country
/// ```
///
/// It belongs to the isolation that opened it.
public final class PlacesLibrary {
    /// The classes of a library's objects.
    public static let model: [ManagedObject.Type] = [Photo.self, Place.self, Photographer.self]
    /// How many photos the history shows at most.
    public static let historyLength = 20

    /// The document that keeps everything.
    public let document: ManagedDocument
    /// Where places and photos come from.
    public let source: any PhotoSource
    private let now: () -> Date
    /// Which load of top places is the newest, so that an older one cannot overwrite it.
    private var loadNumber = 0

    private init(document: ManagedDocument, source: any PhotoSource, now: @escaping () -> Date) {
        self.document = document
        self.source = source
        self.now = now
    }

    /// Opens the library in a directory, which is made unless there is one.
    ///
    /// - Parameters:
    ///   - url: The file URL of the directory.
    ///   - source: Where places and photos come from.
    ///   - now: The clock.
    /// - Returns: The library.
    /// - Throws: `DocumentError`.
    public nonisolated(nonsending) static func open(
        at url: URL, source: any PhotoSource, now: @escaping () -> Date = { Date() }
    ) async throws -> PlacesLibrary {
        PlacesLibrary(
            document: try await ManagedDocument.open(at: url, model: model), source: source,
            now: now)
    }

    /// The context of all objects.
    public var context: ManagedObjectContext { document.viewContext }

    // MARK: - Places

    /// Asks the source for the top places and makes them the library's.
    ///
    /// Places that are no longer among them stay with their photos, without a rank. If two loads
    /// overlap, the one that began last counts. A failure leaves the list as it was.
    ///
    /// - Throws: `PhotoSourceError`, `CancellationError`, or `ContextError`.
    public nonisolated(nonsending) func loadTopPlaces() async throws {
        loadNumber += 1
        let number = loadNumber
        let records = try await source.places()
        guard number == loadNumber else { return }
        for place in try context.fetch(
            FetchRequest<Place>(predicate: #Predicate { $0.rank != nil }))
        {
            place.rank = nil
        }
        for (rank, record) in records.enumerated() {
            let place = try context.findOrInsert(Place.self, \.identifier, record.identifier)
            place.update(from: record)
            place.rank = rank
        }
        try context.save()
    }

    /// The top places, live: in sections by country, alphabetical in each.
    ///
    /// - Throws: `ContextError`.
    public func topPlaces() throws -> FetchedResultsController<Place> {
        try FetchedResultsController(
            FetchRequest<Place>(
                predicate: #Predicate { $0.rank != nil },
                sortBy: [
                    SortDescriptor(\.country), SortDescriptor(\.title), SortDescriptor(\.name),
                ]),
            sectionBy: \.country, in: context)
    }

    // MARK: - Photos

    /// Asks the source for the newest photos of a place and keeps what it says of them.
    ///
    /// - Returns: The photos, newest first.
    /// - Throws: `PhotoSourceError`, `CancellationError`, or `ContextError`.
    public nonisolated(nonsending) func loadPhotos(
        of place: Place, limit: Int = 50
    ) async throws -> [Photo] {
        let records = try await source.photos(in: place.record, limit: limit)
        var photos: [Photo] = []
        for record in records {
            let photo = try context.findOrInsert(Photo.self, \.uniqueID, record.identifier)
            photo.update(from: record)
            photo.takenAt = place
            if !record.owner.identifier.isEmpty {
                let photographer = try context.findOrInsert(
                    Photographer.self, \.identifier, record.owner.identifier)
                photographer.name = record.owner.name
                photo.takenBy = photographer
            }
            photos.append(photo)
        }
        try context.save()
        return photos
    }

    // MARK: - History

    /// Notes that a photo was viewed just now.
    ///
    /// - Throws: `ContextError`.
    public func view(_ photo: Photo) throws {
        photo.lastViewed = now()
        try context.save()
    }

    /// The photos viewed last, live: each once, the most recent first, at most 20.
    ///
    /// - Throws: `ContextError`.
    public func history() throws -> FetchedResultsController<Photo> {
        try FetchedResultsController(
            FetchRequest<Photo>(
                predicate: #Predicate { $0.lastViewed != nil },
                sortBy: [SortDescriptor(\.lastViewed, order: .reverse)],
                limit: Self.historyLength),
            in: context)
    }

    /// Saves, and lets others open the document.
    ///
    /// - Throws: `ContextError`, or `DocumentError`.
    public nonisolated(nonsending) func close() async throws {
        try await document.close()
    }
}

@available(*, unavailable)
extension PlacesLibrary: Sendable {}

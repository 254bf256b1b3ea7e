import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// Asks the source for the top places and makes them the library's.
    ///
    /// Places that are no longer among them stay with their photos, without a rank. If two loads
    /// overlap, the one that began last counts. A failure leaves the list as it was.
    ///
    /// - Throws: `PhotoSourceError`, `CancellationError`, `ContextError`, or `DocumentError`.
    public nonisolated(nonsending) func loadTopPlaces() async throws {
        try document.checkIsWritable()
        work.loadNumber += 1
        let number = work.loadNumber
        let records = try await activity.during { try await source.places() }
        guard number == work.loadNumber else { return }
        try await inBackground { context, importer in
            let ranked = FetchRequest<Place>(predicate: #Predicate { $0.rank != nil })
            let known = Set(records.map(\.identifier))
            for place in try context.fetch(ranked) where !known.contains(place.identifier) {
                place.rank = nil
            }
            for (rank, record) in records.enumerated() {
                try importer.place(record).rank = rank
            }
        }
    }

    /// The top places, live: in sections by country, alphabetical in each.
    ///
    /// - Throws: `ContextError`.
    public func topPlaces() throws -> ListController<Place> {
        try ListController(
            FetchRequest(
                predicate: #Predicate { $0.rank != nil },
                sortBy: [
                    SortDescriptor(\.country), SortDescriptor(\.title), SortDescriptor(\.name),
                ]),
            sectionBy: \.country, title: \.title, subtitle: \.subtitle, searching: [\.name],
            in: context)
    }

    /// Asks the source for the newest photos of a place and keeps what it says of them, until
    /// ``prune(olderThan:)`` finds them old.
    ///
    /// - Returns: The photos, newest first.
    /// - Throws: `PhotoSourceError`, `CancellationError`, `ContextError`, or `DocumentError`.
    @discardableResult
    public nonisolated(nonsending) func loadPhotos(
        of place: Place, limit: Int = 50
    ) async throws -> [Photo] {
        try document.checkIsWritable()
        let records = try await recentPhotos(of: place.record, limit: limit)
        let (place, now) = (place.record, options.now())
        try await inBackground { _, importer in
            for record in records {
                let photo = try importer.add(record, in: importer.place(place))
                if photo.fetched == nil { photo.fetched = now }
            }
        }
        return try records.compactMap {
            try context.find(Photo.self, \.uniqueID, $0.identifier)
        }
    }

    /// The photos of a place that are kept, live: newest first, at most so many.
    ///
    /// - Throws: `ContextError`.
    public func photos(
        of place: Place, limit: Int = 50
    ) throws -> ListController<Photo> {
        let identifier = place.identifier
        return try photoList(
            FetchRequest(
                predicate: #Predicate { $0.takenAt?.identifier == identifier },
                sortBy: [
                    SortDescriptor(\.dateUploaded, order: .reverse), SortDescriptor(\.uniqueID),
                ],
                limit: limit))
    }
}

import Foundation
import PlacesGraph

extension PlacesLibrary {
    /// Asks the source for the top places and makes them the library's top places.
    ///
    /// Former top places stay with their photos, but lose their rank. If two loads overlap, only
    /// the one that began last takes effect. A failure leaves the list as it was.
    ///
    /// - Throws: `PhotoSourceError`, `CancellationError`, `ContextError`, or `DocumentError`.
    public nonisolated(nonsending) func loadTopPlaces() async throws {
        try document.checkIsWritable()
        work.loadNumber += 1
        let number = work.loadNumber
        let records = try await activity.during { [source] in try await source.places() }
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

    /// The top places, live: in sections by country, in alphabetical order in each section.
    ///
    /// Neither case nor accents count in the alphabet, and numbers count by their value.
    ///
    /// - Throws: `ContextError`.
    public func topPlaces() throws -> ListController<Place> {
        try ListController(
            FetchRequest(
                predicate: #Predicate { $0.rank != nil },
                sortBy: [
                    SortDescriptor(stored: \.countryKey), SortDescriptor(stored: \.country),
                    SortDescriptor(stored: \.titleKey), SortDescriptor(stored: \.nameKey),
                    SortDescriptor(stored: \.name),
                    SortDescriptor(stored: \.identifier),
                ]),
            sectionBy: \.country, title: \.title, subtitle: \.subtitle, searching: [\.name],
            in: context)
    }

    /// Asks the source for the newest photos of a place, and adds them to the library.
    ///
    /// They stay until ``prune(olderThan:)`` deletes them as old.
    ///
    /// - Returns: The photos, newest first.
    /// - Throws: `PlacesError.objectOfAnotherView`, `PhotoSourceError`, `CancellationError`,
    ///   `ContextError`, or `DocumentError`.
    @discardableResult
    public nonisolated(nonsending) func loadPhotos(
        of place: Place, limit: Int = 50
    ) async throws -> [Photo] {
        try document.checkIsWritable()
        try check(place)
        let records = try await recentPhotos(of: place.record, limit: limit)
        let (place, now) = (place.record, options.now())
        try await inBackground { _, importer in
            guard !records.isEmpty else { return }
            for photo in try importer.add(records, in: importer.place(place))
            where photo.fetched == nil {
                photo.fetched = now
            }
        }
        var found: Set<String> = []
        return Array(
            try context.find(
                Photo.self, \.uniqueID,
                in: records.lazy.map(\.identifier).filter { found.insert($0).inserted }))
    }

    /// The library's photos of a place, live: newest first, at most `limit`.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, or `ContextError`.
    public func photos(
        of place: Place, limit: Int = 50
    ) throws -> ListController<Photo> {
        try check(place)
        let identifier = place.identifier
        return try photoList(
            FetchRequest(
                predicate: #Predicate { $0.takenAt?.identifier == identifier },
                sortBy: Self.newestFirst,
                limit: limit))
    }
}

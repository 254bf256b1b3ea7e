import Foundation
import PlacesGraph
import PlacesPhotos

extension PlacesLibrary {
    /// The largest number of photos in the history.
    package static let historyLength = 20
    /// How many seconds a photo counts as recent after it was viewed: 48 hours.
    package static let recentTime = 48 * 3_600.0

    /// Records that the user viewed a photo just now.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, `ContextError`, or `DocumentError`.
    public func view(_ photo: Photo) throws {
        try beginChange(of: photo)
        guard !photo.isDeleted else { return }
        try step("View “\(photo.title)”") { try noteViewing(of: photo) }
    }

    private func noteViewing(of photo: Photo) throws(ContextError) {
        let viewed = try moment(after: Self.history) { $0.lastViewed }
        photo.lastViewed = viewed
        photo.lastViewedSection = DaySection.key(of: viewed, in: options.calendar)
    }

    /// Records that the user just viewed a source's photo, and adds the photo and its place.
    ///
    /// If the user had deleted the photo, it is there again.
    ///
    /// - Parameters:
    ///   - record: The source's record of the photo.
    ///   - place: The place where it was found; by default the one that the record names.
    /// - Returns: The photo.
    /// - Throws: `ContextError`, or `DocumentError`.
    @discardableResult
    public func view(_ record: PhotoRecord, in place: PlaceRecord? = nil) throws -> Photo {
        try beginChange()
        let importer = PhotoImport(into: context, options)
        let photo = try step("View “\(record.displayTitle)”") {
            let photo = try importer.photo(record.identifier)
            // That the photo is there and was viewed is the user's doing. What its source says of it is not: by the time
            // of an undo, others may share its place and its photographer.
            try withoutUndo { _ = try importer.add([record], in: place.map(importer.place)) }
            try noteViewing(of: photo)
            return photo
        }
        try withoutUndo { try importer.save() }
        try deleteUnusedTags()
        // It became another object if others added the photo before this was saved.
        return try context.find(Photo.self, \.uniqueID, record.identifier) ?? photo
    }

    // MARK: - What was viewed

    /// The photos that the user viewed last, live: each once, the most recent first, at most 20.
    ///
    /// A photo that was viewed under a clock that ran ahead by more than a day appears when its date is near, or when it is
    /// viewed again.
    ///
    /// - Throws: `ContextError`.
    public func history() throws -> ListController<Photo> {
        try photoList(Self.history).saying("Nothing was viewed yet.")
    }

    static let history = FetchRequest<Photo>(
        sortBy: [
            SortDescriptor(\.lastViewed, order: .reverse), SortDescriptor(stored: \.uniqueID),
        ],
        limit: historyLength
    ) { now in
        let (end, never) = (now + clockError, Date.distantFuture)
        return #Predicate { ($0.lastViewed ?? never) < end }
    }

    /// The photos viewed in the last 48 hours, live: the most recent first, in sections by day.
    ///
    /// Photos leave the list by themselves as time passes.
    ///
    /// - Throws: `ContextError`.
    public func recents() throws -> ListController<Photo> {
        try renewDaysOfRecents()
        let list = try photoList(Self.recents, sectionBy: \.lastViewedSection)
        list.sectionTitle = { self.title(ofDay: $0) }
        list.emptyMessage = { "Nothing was viewed lately." }
        return list
    }

    static let recents = FetchRequest<Photo>(
        sortBy: [SortDescriptor(\.lastViewed, order: .reverse), SortDescriptor(stored: \.uniqueID)]
    ) { now in
        let (start, end, never) = (now - recentTime, now + clockError, Date.distantPast)
        return #Predicate {
            ($0.lastViewed ?? never) > start && ($0.lastViewed ?? never) < end
        }
    }

    /// Gives photos that were viewed lately the days of today's calendar.
    ///
    /// Sections follow the order of the list only if one calendar tells all their days, and the user may have travelled since.
    private func renewDaysOfRecents() throws {
        func day(of photo: Photo) -> String {
            DaySection.key(of: photo.lastViewed, in: options.calendar)
        }
        guard !isReadOnly,
            try context.fetch(Self.recents).contains(where: { $0.lastViewedSection != day(of: $0) })
        else { return }
        try besides { context, _ in
            for photo in Array(try context.fetch(Self.recents))
            where photo.lastViewedSection != day(of: photo) {
                photo.lastViewedSection = day(of: photo)
            }
        }
    }

    /// Removes the record that a photo was viewed; the photo itself stays.
    ///
    /// - Throws: `PlacesError.objectOfAnotherView`, `ContextError`, or `DocumentError`.
    public func removeFromRecents(_ photo: Photo) throws {
        try beginChange(of: photo)
        guard !photo.isDeleted else { return }
        try step("Remove “\(photo.title)” from recents") {
            photo.lastViewed = nil
            photo.lastViewedSection = ""
        }
    }

    /// The title that a list shows for the section of a day now: "Today", "Yesterday" or the day.
    public func title(ofDay section: String) -> String {
        DaySection.title(of: section, at: options.now(), in: options.calendar)
    }
}

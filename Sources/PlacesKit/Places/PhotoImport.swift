import Foundation
import PlacesGraph
import PlacesPhotos

/// Makes objects from a source's records, each only once.
final class PhotoImport {
    private let context: ManagedObjectContext
    private let calendar: Calendar
    private let ignoredTags: Set<String>
    /// The identifiers of the photos that were found or inserted for records.
    private(set) var added: Set<String> = []
    /// The identifiers of the photos whose links to tags were made and not saved.
    private var linked: Set<String> = []
    /// The identifiers of the photos that were moved to a place and not saved.
    private var moved: Set<String> = []

    init(into context: ManagedObjectContext, _ options: PlacesLibrary.Options) {
        self.context = context
        calendar = options.calendar
        ignoredTags = Set(options.ignoredTags.map(PhotoTag.name)).union([PhotoTag.allName])
    }

    /// The photo with an identifier, which is inserted if it is missing.
    ///
    /// If a person deleted the photo, it comes back: who asks for a single one wants this one.
    func photo(_ identifier: String) throws(ContextError) -> Photo {
        if let deletion = try context.find(DeletedPhoto.self, \.uniqueID, identifier) {
            context.delete(deletion)
        }
        return try context.findOrInsert(Photo.self, \.uniqueID, identifier)
    }

    /// The photos for some records, in their order, which are found or inserted at once.
    ///
    /// They have their photographers, and are in `place`, else in the records' places. A record that names no place does not
    /// move a photo out of the place that it was found in. Photos that a person deleted are left out.
    func add(
        _ records: [PhotoRecord], in place: Place? = nil
    ) throws(ContextError) -> FetchedResults<Photo> {
        let areDeleted = try context.contains(
            DeletedPhoto.self, \.uniqueID, in: records.lazy.map(\.identifier))
        let records = zip(records, areDeleted).filter { !$0.1 }.map(\.0)
        let photos = try context.findOrInsert(
            Photo.self, \.uniqueID, in: records.lazy.map(\.identifier))
        for (photo, record) in zip(photos, records) {
            added.insert(record.identifier)
            try update(photo, from: record, in: place)
        }
        try linkTags(of: photos)
        return photos
    }

    private func update(
        _ photo: Photo, from record: PhotoRecord, in place: Place?
    ) throws(ContextError) {
        // Not by its coordinate: the last record may have had none.
        let isInArea = photo.takenAt.map { Self.isArea($0.identifier) } ?? true
        photo.update(from: record, in: calendar)
        if let photographer = try photographer(record.owner) { photo.takenBy = photographer }
        let former = photo.takenAt
        if let place {
            photo.move(to: place)
        } else if isInArea || Self.namedPlace(of: record) != nil,
            let place = try self.place(of: record)
        {
            photo.move(to: place)
        }
        if photo.takenAt !== former { moved.insert(record.identifier) }
    }

    // MARK: - Tags

    /// Links those of some photos that lack it to their tags, all found or inserted at once.
    func linkTags(of photos: some Sequence<Photo>) throws(ContextError) {
        let unlinked = photos.filter { $0.tagCount != $0.tags.count }
        try link(unlinked)
        linked.formUnion(unlinked.lazy.map(\.uniqueID))
    }

    /// Saves, and mends what a merge made of photos that others changed meanwhile.
    ///
    /// A merge has all links that either of both made, to tags; a photo has those that it names. It also has the place of one
    /// with the region of the other, if one of both moved the photo within its region.
    func save() throws(ContextError) {
        repeat {
            try context.save()
            // By their identifiers: a new photo became another object if others had added the photo, too.
            try link(Array(try context.find(Photo.self, \.uniqueID, in: linked)))
            for photo in try context.find(Photo.self, \.uniqueID, in: moved) {
                photo.takeRegionOfPlace()
            }
        } while context.hasChanges
        (linked, moved) = ([], [])
    }

    /// Links photos to the tags that they name.
    private func link(_ photos: [Photo]) throws(ContextError) {
        let spellings = photos.map { photo in
            [PhotoTag.allName]
                + photo.tagNames.filter { !ignoredTags.contains(PhotoTag.name(of: $0)) }
        }
        var found = try context.findOrInsert(
            PhotoTag.self, \.name, in: spellings.lazy.joined().map(PhotoTag.name)
        ).makeIterator()
        for (photo, spellings) in zip(photos, spellings) {
            var tags: [ObjectID: PhotoTag] = [:]
            for spelling in spellings {
                guard let tag = found.next() else { break }
                if tag.title.isEmpty { tag.title = PhotoTag.title(of: spelling) }
                tags[tag.objectID] = tag
            }
            let former = Array(photo.tags)
            let surplus = former.filter { tags.removeValue(forKey: $0.objectID) == nil }
            for tag in surplus { photo.tags.remove(tag) }
            for tag in tags.values { photo.tags.insert(tag) }
            photo.tagCount = former.count - surplus.count + tags.count
        }
    }

    // MARK: - What photos lead to

    /// The place for a record.
    func place(_ record: PlaceRecord) throws(ContextError) -> Place {
        let place = try context.findOrInsert(Place.self, \.identifier, record.identifier)
        place.update(from: record)
        return place
    }

    /// The place that a record names, else the grid cell of a tenth of a degree where it was taken.
    private func place(of record: PhotoRecord) throws(ContextError) -> Place? {
        guard let identifier = Self.namedPlace(of: record) ?? record.coordinate.map(Self.area)
        else { return nil }
        let place = try context.findOrInsert(Place.self, \.identifier, identifier)
        if place.name.isEmpty {
            let name = record.placeNames?.fullName ?? ""
            place.update(from: PlaceRecord(identifier: identifier, name: name))
        }
        return place
    }

    /// The photographer with an identifier; none if the identifier is empty.
    private func photographer(_ owner: PhotoOwner) throws(ContextError) -> Photographer? {
        guard !owner.identifier.isEmpty else { return nil }
        let photographer = try context.findOrInsert(
            Photographer.self, \.identifier, owner.identifier)
        if !owner.name.isEmpty || photographer.name.isEmpty {
            photographer.name = owner.name.isEmpty ? owner.identifier : owner.name
        }
        return photographer
    }

    /// The identifier of the place that a record names; none if it is empty.
    private static func namedPlace(of record: PhotoRecord) -> String? {
        record.placeIdentifier.flatMap { $0.isEmpty ? nil : $0 }
    }

    private static func area(_ coordinate: Coordinate) -> String {
        let (latitude, longitude) = (
            (coordinate.latitude * 10).rounded(.down) / 10,
            (coordinate.longitude * 10).rounded(.down) / 10
        )
        return "area \(latitude.decimalText) \(longitude.decimalText)"
    }

    /// Whether a place is a grid cell, and none that a source named.
    private static func isArea(_ identifier: String) -> Bool {
        let parts = identifier.split(separator: " ", omittingEmptySubsequences: false)
        return parts.count == 3 && parts[0] == "area"
            && parts.dropFirst().allSatisfy { Double($0) != nil }
    }
}

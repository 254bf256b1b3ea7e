import Foundation
import PlacesKit

/// A document of photos, one of which changes and is saved.
final class SavedDocument {
    static let durabilities: [(String, ManagedDocument.Durability)] = [
        ("memory", .memory), ("system", .system), ("disk", .disk),
    ]

    private let document: ManagedDocument
    private let photos: [Photo]
    private var number = 0

    init(at folder: URL, photos count: Int) async throws {
        var options = ManagedDocument.Options()
        options.autosave = nil
        document = try await ManagedDocument.open(
            at: folder.appending(path: "\(count)"), model: [Photo.self, Place.self],
            options: options)
        let context = document.viewContext
        let place = Place(context: context)
        place.name = "Paris"
        var photos: [Photo] = []
        for number in 0..<count {
            let photo = Photo(context: context)
            photo.uniqueID = "\(number)"
            photo.title = "The photo of number \(number)"
            photo.takenAt = place
            // Some that lie far apart.
            if number.isMultiple(of: max(1, count / 500)) { photos.append(photo) }
        }
        self.photos = photos
        try await document.save()
    }

    /// The time of one save in microseconds.
    func median(
        of saves: Int, _ durability: ManagedDocument.Durability
    ) async throws -> Double {
        var times: [Duration] = []
        let clock = ContinuousClock()
        for save in 0..<saves + 50 {
            number += 1
            photos[number % photos.count].title = "Another title, of number \(number)"
            let start = clock.now
            try await document.save(durability: durability)
            if save >= 50 { times.append(clock.now - start) }
        }
        return times.median
    }

    func close() async throws { try await document.close() }
}

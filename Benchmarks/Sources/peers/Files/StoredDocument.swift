import Foundation
import PlacesKit

/// A document in one format, that is opened and written as a whole.
struct StoredDocument {
    let url: URL

    init(url: URL) { self.url = url }

    init(at folder: URL, as format: ManagedDocument.Format, _ world: World) async throws {
        url = folder.appending(path: format.rawValue)
        var options = ManagedDocument.Options()
        options.format = format
        let document = try await ManagedDocument.open(
            at: url, model: [Photo.self, Place.self], options: options)
        try PlacesKitContestant.insert(world, into: document.store)
        try await document.save()
        try await document.compact()
        try await document.close()
    }

    func open() async throws -> ManagedDocument {
        try await ManagedDocument.open(at: url, model: [Photo.self, Place.self])
    }

    static func checksum(of document: ManagedDocument) throws -> Checksum {
        try PlacesKitContestant.iterate(document.viewContext)
    }

    /// The sum of some bytes of three texts of each photo.
    static func readTexts(_ context: ManagedObjectContext) throws -> Int {
        var sum = 0
        for photo in try context.fetch(Photo.self) {
            sum &+=
                photo.title.utf8.lengthAndEnd &+ photo.subtitle.utf8.lengthAndEnd
                &+ photo.url.utf8.lengthAndEnd
        }
        return sum
    }
}

extension BidirectionalCollection<UInt8> {
    /// What needs a look at the text itself.
    var lengthAndEnd: Int { Int(last ?? 0) &+ count }
}

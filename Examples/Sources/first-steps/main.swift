import Foundation
import PlacesKit

final class Photo: ManagedObject {
    @Attribute(.unique) var uniqueID: String
    @Attribute var title = ""
    @Attribute var lastViewed: Date?
    @Relationship(inverse: \Place.photos) var takenAt: Place?
}

final class Place: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship(deleteRule: .cascade) var photos: ObjectSet<Photo>
}

let folder = URL(filePath: "Places.document")
let document = try await ManagedDocument.open(at: folder, model: [Photo.self, Place.self])
let context = document.viewContext
let photo = try context.findOrInsert(Photo.self, \.uniqueID, "42")
photo.title = "Dusk over the Seine"
photo.takenAt = try context.findOrInsert(Place.self, \.name, "Paris")  // Paris has it at once
let inParis = try context.fetch(
    Photo.self, where: #Predicate { $0.takenAt?.name == "Paris" },
    sortBy: [SortDescriptor(\.title)])
for photo in inParis { print(photo.title) }
try await document.close()  // cat Places.document/snapshot-1.json

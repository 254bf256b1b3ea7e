import Foundation
import PlacesKit

/// A value that has only a type: blocks are compiled, never run.
func given<Value>() -> Value { fatalError() }

final class Photo: ManagedObject {
    @Attribute(.unique) var uniqueID: String
    @Attribute(.searchable) var title = ""
    @Attribute var dateUploaded: Date
    @Attribute var lastViewed: Date?
    @Attribute var isFavorite = false
    @Attribute var views = 0
    @Attribute var rating = 0
    @Attribute var bytes = 0
    @Attribute var number = 0
    @Attribute var owner: String
    @Attribute var region: String?
    @Attribute(.externalStorage) var thumbnail: Data?
    @Relationship(inverse: \Place.photos) var takenAt: Place?
    @Relationship var takenBy: Photographer?
    @Relationship var album: Album?
    @Relationship(inverse: \Tag.photos) var tags: ObjectSet<Tag>
}

final class Place: ManagedObject {
    @Attribute(.unique) var name: String
    @Attribute var region: String?
    @Attribute var country: String?
    @Attribute var visits = 0
    @Relationship(deleteRule: .cascade) var photos: ObjectSet<Photo>
}

final class Photographer: ManagedObject {
    @Attribute(.unique) var name: String
}

final class Tag: ManagedObject {
    @Attribute(.unique) var name = ""
    @Attribute var weight = 0
    @Relationship var photos: ObjectSet<Photo>
}

final class Album: ManagedObject {
    @Relationship(inverse: \Photo.album) var photos: OrderedObjectSet<Photo>
}

final class Page: ManagedObject {
    @Attribute var number = 0
}

final class Doctor: ManagedObject {
    @Attribute var isOnCall = true
}

final class Account: ManagedObject {
    @Attribute var isOpen = true
}

final class Payment: ManagedObject {
    @Relationship var account: Account?
}

final class Person: ManagedObject {
    @Attribute var name = ""
    @Relationship(inverse: \Person.friendOf) var friends: ObjectSet<Person>
    @Relationship var friendOf: ObjectSet<Person>
}

final class Folder: ManagedObject {
    @Attribute var name = ""
    @Relationship(inverse: \Folder.parent) var children: ObjectSet<Folder>
    @Relationship var parent: Folder?
}

final class Part: ManagedObject {
    @Attribute var isSpare = false
    @Relationship(inverse: \Connection.source) var connections: ObjectSet<Connection>
}

final class Connection: ManagedObject {
    @Relationship var source: Part?
    @Relationship var destination: Part?
}

let model: [ManagedObject.Type] = [Photo.self, Place.self, Photographer.self, Tag.self]
let url: URL = given()
let other: URL = given()
let folder: URL = given()
@MainActor let document: ManagedDocument = given()
@MainActor let library: PlacesLibrary = given()
@MainActor let store: GraphStore = given()
@MainActor let reader: DocumentReader = given()
@MainActor let context: ManagedObjectContext = given()
let request: FetchRequest<Photo> = given()
@MainActor let results: FetchedResultsController<Photo> = given()
@MainActor let photos: [Photo] = given()
@MainActor let photo: Photo = given()
let ids: [String] = given()
@MainActor let root: Folder = given()
@MainActor let ann: Person = given()
@MainActor let part: Part = given()
@MainActor let album: Album = given()
@MainActor let cover: Photo = given()
@MainActor let doctor: Doctor = given()
@MainActor let otherDoctor: Doctor = given()
@MainActor let account: Account = given()
let id: ObjectID = given()
let change: ChangeRecord = given()
let bytes: Data = given()
let text = ""
let onlyFavorites = true
let limit = 0
let start = Date()
let end = Date()
let shelf: [PhotoRecord] = []
let calendar = Calendar.current
let source: any PhotoSource = given()
let paris = Coordinate(latitude: 48.857, longitude: 2.352)

/// What an import brings.
struct Record: Sendable {
    let id = ""
    let title = ""
}
let records: [Record] = []

/// What is on the screen.
@MainActor struct List {
    func apply(_ change: some Any) {}
    func reload(_ identifiers: some Any) {}
    func append(_ photos: some Any) {}
    func show(_ sections: some Any, _ identifiers: some Any, _ reloaded: some Any) async {}
}
@MainActor let list = List()

@MainActor final class Field {
    var text = ""
}
@MainActor let field = Field()
@MainActor let label = Field()

@MainActor struct ImageView {
    func show(_ bytes: Data?) {}
}
@MainActor let imageView = ImageView()

/// What follows a store or a document.
@MainActor struct Follower {
    func add(_ objects: some Any) {}
    func remove(_ objects: some Any) {}
    func apply(_ change: ChangeRecord) throws {}
}
@MainActor let index = Follower()
@MainActor let replica = Follower()
@MainActor var lastSeen = 0

func log(_ text: String) {}

import Foundation
import PlacesKit

@testable import PlacesKitTests

/// The classes of the random machine: every kind of relationship, sections of every type, a counter, dates
/// that conditions look at, and hooks that change something.
enum MachineModel {
    final class Photo: ManagedObject {
        @Attribute(.unique) var code: String?
        @Attribute var title = "a"
        /// Read, and written as one more.
        @Attribute(.indexed) var views = 0
        @Attribute var weight: Double?
        @Attribute var thumbnail: Data?
        /// In a file of its own.
        @Attribute(.externalStorage) var scan: Data?
        @Attribute var country: String?
        @Attribute(.indexed) var taken: Date?
        @Attribute var origin = "elsewhere"
        /// How often it was saved.
        @Attribute var stamp = 0
        @Relationship var album: Album?
        @Relationship(inverse: \Tag.photos) var tags: ObjectSet<Tag>
        @Relationship(deleteRule: .cascade, inverse: \Badge.photo) var badge: Badge?
        @Relationship var favorite: Tag?
        @Derived(\Photo.album?.parent?.name, .indexed) var series: String?
        @Derived(\Photo.badge?.number) var badgeNumber: Int?
        /// Along a relationship without inverse.
        @Derived(\Photo.favorite?.label) var favoriteLabel: String?
        @Derived(from: \Photo.title, \Photo.series, .indexed, by: { "\($0), \($1 ?? "alone")" })
        var caption: String

        /// Computed, so that a query must ask each object.
        var initial: String { String(title.prefix(1)) }

        override func awakeFromInsert() { origin = "here" }
        override func willSave() { Ear.heard(self, "will") }
        override func validate() { Ear.heard(self, "validate") }
        override func prepareForDeletion() { Ear.heard(self, "delete") }
    }

    final class Album: ManagedObject {
        @Attribute(.unique) var name: String
        @Attribute var stamp = 0
        /// How often one of its photos was saved, and one of its photos or children deleted.
        @Attribute var edits = 0
        @Relationship(inverse: \Photo.album) var photos: OrderedObjectSet<Photo>
        @Relationship(inverse: \Tag.albums) var tags: OrderedObjectSet<Tag>
        @Relationship(deleteRule: .cascade, inverse: \Album.parent) var children: ObjectSet<Album>
        @Relationship var parent: Album?
        @Derived(count: \Album.photos) var photoCount: Int
        /// No two have the same code when they are saved.
        @DerivedObject(max: \Album.photos, by: \Photo.code) var lastPhoto: Photo?
        @Derived(sum: \Album.photos, \Photo.views) var views: Int

        override func willSave() { Ear.heard(self, "will") }
        override func validate() { Ear.heard(self, "validate") }
        override func prepareForDeletion() { Ear.heard(self, "delete") }
    }

    final class Tag: ManagedObject {
        @Attribute var label = ""
        @Relationship var photos: ObjectSet<Photo>
        @Relationship var albums: ObjectSet<Album>
    }

    final class Badge: ManagedObject {
        @Attribute(.unique) var number: Int?
        /// How often it has been saved.
        @Attribute var echoes = 0
        @Relationship(deleteRule: .deny) var photo: Photo?

        override func didSave() { Ear.heard(self, "did") }
    }

    /// Only clerks change it.
    final class Counter: ManagedObject {
        @Attribute var value = 0
    }

    static let types: [ManagedObject.Type] = [
        Photo.self, Album.self, Tag.self, Badge.self, Counter.self,
    ]

    /// The world, whose dates are near the time that is told.
    static func world(now: @escaping () -> Date) -> RandomGraphWorld {
        RandomGraphWorld(
            types: types,
            access: [
                "Photo": photos(now: now), "Album": albums(),
                "Tag": EntityAccess(Tag.init(context:))
                    .attribute("label", \Tag.label) { "tag \($0.below(9))" }
                    .toMany("photos", \Tag.photos).toMany("albums", \Tag.albums),
                "Badge": EntityAccess(Badge.init(context:))
                    .attribute("number", \Badge.number) { $0.below(3) == 0 ? nil : $0.below(60) }
                    .attribute("echoes", \Badge.echoes) { $0.below(3) }
                    .toOne("photo", \Badge.photo),
                "Counter": EntityAccess(Counter.init(context:))
                    .attribute("value", \Counter.value) { $0.below(3) },
            ],
            inserted: ["Photo", "Photo", "Photo", "Album", "Tag", "Badge"],
            required: ["name", "code"],
            hooks: hooks)
    }

    private static func photos(now: @escaping () -> Date) -> EntityAccess {
        EntityAccess(Photo.init(context:))
            .attribute("code", \Photo.code) { $0.below(3) == 0 ? nil : "\($0.below(30))" }
            .attribute("title", \Photo.title) { $0.pick(["a", "ab", "b", "bc", "c"]) }
            .attribute("views", \Photo.views) { $0.below(4) }
            .attribute("weight", \Photo.weight) {
                $0.pick([nil, 0.0, -0.0, .nan, .infinity, 0.1, 0.1.nextUp])
            }
            .attribute("thumbnail", \Photo.thumbnail) {
                $0.below(4) == 0 ? nil : Data([UInt8($0.below(3)), 7])
            }
            .attribute("scan", \Photo.scan) {
                let short = Data([1, UInt8($0.below(3))])
                return $0.pick([nil, Data(), short, Data(repeating: 7, count: 99)])
            }
            .attribute("country", \Photo.country) { $0.pick([nil, "", "nil", "Peru"]) }
            .attribute("taken", \Photo.taken) {
                $0.below(5) == 0
                    ? nil : now() + $0.pick([-20, -5, -3.5, -0.5, -0.25, 0, 0.25, 0.5, 2, 6])
            }
            .attribute("origin", \Photo.origin) { $0.pick(["here", "there"]) }
            .attribute("stamp", \Photo.stamp) { $0.below(3) }
            .toOne("album", \Photo.album).toMany("tags", \Photo.tags)
            .toOne("badge", \Photo.badge).toOne("favorite", \Photo.favorite)
            .derived("series", \Photo.series) {
                $0.value("name", of: $1, along: "album", "parent", unset: .string(""))
            }
            .derived("badgeNumber", \Photo.badgeNumber) {
                $0.value("number", of: $1, along: "badge")
            }
            .derived("favoriteLabel", \Photo.favoriteLabel) {
                $0.value("label", of: $1, along: "favorite")
            }
            .derived("caption", \Photo.caption) { graph, id in
                func text(_ value: Datum) -> String? {
                    if case .string(let text) = value { text } else { nil }
                }
                let series = graph.value(
                    "name", of: id, along: "album", "parent", unset: .string(""))
                let title = graph.value("title", of: id, unset: .string("a"))
                return .string("\(text(title) ?? ""), \(text(series) ?? "alone")")
            }
    }

    private static func albums() -> EntityAccess {
        EntityAccess(Album.init(context:))
            .attribute("name", \Album.name) { "album \($0.below(60))" }
            .attribute("stamp", \Album.stamp) { $0.below(3) }
            .attribute("edits", \Album.edits) { $0.below(3) }
            .ordered("photos", \Album.photos).ordered("tags", \Album.tags)
            .toMany("children", \Album.children).toOne("parent", \Album.parent)
            .derived("photoCount", \Album.photoCount) { graph, id in
                .integer(Int64(graph.related(id, "photos").count))
            }
            .derived("views", \Album.views) { graph, id in
                let views = graph.related(id, "photos").map { graph.number("views", of: $0) }
                return .integer(views.reduce(0, +))
            }
    }
}

// MARK: - Hooks

extension MachineModel {
    private static var hooks: RandomHooks {
        RandomHooks(entities: ["Photo", "Album"]) { graph, id in
            if id.entity == "Photo" { graph.set("origin", of: id, to: .string("here")) }
        } willSave: { graph, id in
            graph.increment("stamp", of: id)
            if let album = graph.objects[id]?.toOne["album"] { graph.increment("edits", of: album) }
        } didSave: { graph, id in
            graph.increment("echoes", of: id)
        } prepareForDeletion: { graph, id in
            let owner = id.entity == "Photo" ? "album" : "parent"
            if let album = graph.objects[id]?.toOne[owner] { graph.increment("edits", of: album) }
        }
    }

    /// The ear of the hooks of this model's classes, which notes what it hears.
    static func ear(_ world: RandomGraphWorld) -> Ear {
        let (ear, log) = (Ear(), world.hooks?.log ?? RandomHooks.Log())
        let readers = world.access.mapValues(\.read)
        ear.reaction = { object, hook in
            switch object {
            case _ where hook == "validate":
                let id = object.objectID
                log.validated[id] = readers[id.entity]?.mapValues { $0(object) }
            case let photo as Photo where hook == "delete":
                log.prepareForDeletion.append(photo.objectID)
                photo.album?.edits += 1
            case let album as Album where hook == "delete":
                log.prepareForDeletion.append(album.objectID)
                album.parent?.edits += 1
            case let photo as Photo:
                log.noteWillSave(photo)
                photo.stamp += 1
                photo.album?.edits += 1
            case let album as Album:
                log.noteWillSave(album)
                album.stamp += 1
            case let badge as Badge:
                log.didSave.append(badge.objectID)
                badge.echoes += 1
            default: break
            }
        }
        return ear
    }
}

extension NaiveGraph {
    /// The value of an attribute that is a number.
    func number(_ name: String, of id: ObjectID) -> Int64 {
        if case .integer(let value) = objects[id]?.attributes[name] { value } else { 0 }
    }

    /// The value of an attribute at the end of to-one relationships, or what one that needs a value reads as
    /// without it.
    func value(
        _ name: String, of id: ObjectID, along path: String..., unset: Datum = .null
    ) -> Datum {
        var end: ObjectID? = id
        for relationship in path { end = end.flatMap { objects[$0]?.toOne[relationship] } }
        guard let end, let value = objects[end]?.attributes[name] else { return .null }
        return value == .null ? unset : value
    }

    mutating func increment(_ name: String, of id: ObjectID) {
        set(name, of: id, to: .integer(number(name, of: id) + 1))
    }
}

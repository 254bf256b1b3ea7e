import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Renamed and transient properties, and what a snapshot's schema says of rules.
@Suite struct DocumentOptionTests {
    enum Old {
        final class Photo: ManagedObject {
            @Attribute var name = ""
            @Attribute var caption = ""
            @Attribute var size = 0
            @Relationship(inverse: \Album.photos) var album: Album?
        }
        final class Album: ManagedObject {
            @Attribute var title = ""
            @Relationship var photos: ObjectSet<Photo>
        }
    }
    enum New {
        final class Photo: ManagedObject {
            @Attribute(.originalName("caption"), .length(...99)) var name = ""
            @Attribute(.originalName("name")) var caption = ""
            @Attribute(.range(0...)) var size = 0
            @Attribute(.transient) var isSelected = false
            @Attribute(.transient) var cache: [Int]?
            @Attribute(.externalStorage, .length(...9)) var thumbnail: Data?
            @Relationship(minimumCount: 1, originalName: "album", inverse: \Album.members)
            var container: Album?
        }
        final class Album: ManagedObject {
            @Attribute(.originalName("title"), .matches(".*")) var label = ""
            @Relationship(maximumCount: 9, originalName: "photos") var members: ObjectSet<Photo>
        }
    }
    enum Newer {
        final class Photo: ManagedObject {
            @Attribute(.originalName("name")) var title = ""
            @Attribute var size = 0
            @Attribute var width = 0
            @Attribute var thumbnail: Data?
            @Relationship(inverse: \Album.members) var container: Album?
        }
        final class Album: ManagedObject {
            @Attribute var label = ""
            @Relationship var members: ObjectSet<Photo>
        }
    }

    private func graph(_ bytes: [UInt8], _ types: [ManagedObject.Type]) throws -> GraphStore {
        let model = try ObjectModel(types)
        return GraphStore(model: model, graph: try SnapshotReader.read(bytes, schema: model.schema))
    }

    private func bytes(of store: GraphStore) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try SnapshotFormat.json.write(store.head.graph) { bytes.append(contentsOf: $0) }
        return bytes
    }

    @Test func `renamed properties are read under their earlier names, even if they swap`() throws {
        let store = try GraphStore(model: [Old.Photo.self, Old.Album.self])
        let context = ManagedObjectContext(store)
        let album = Old.Album(context: context)
        album.title = "Paris"
        for number in 0..<3 {
            let photo = Old.Photo(context: context)
            (photo.name, photo.caption, photo.size) = ("n\(number)", "c\(number)", number)
            photo.album = album
        }
        try context.save()
        // The new model has a property that the old one lacks, so the thumbnail is taken out.
        var text = String(decoding: try bytes(of: store), as: UTF8.self)
        text = text.replacing(
            #"{"name":"album""#,
            with: #"{"name":"thumbnail","type":"data","optional":true},{"name":"album""#)
        let renamed = try graph(Array(text.utf8), [New.Photo.self, New.Album.self])
        let other = ManagedObjectContext(renamed)
        let photos = Array(try other.fetch(New.Photo.self))
        #expect(photos.map(\.name) == ["c0", "c1", "c2"])
        #expect(photos.map(\.caption) == ["n0", "n1", "n2"])
        #expect(photos.map(\.size) == [0, 1, 2])
        #expect(photos.allSatisfy { $0.container?.label == "Paris" })
        #expect(photos.first?.container?.members.count == 3)
        // The file that the renamed model writes is its own: nothing swaps back.
        let again = ManagedObjectContext(
            try graph(try bytes(of: renamed), [New.Photo.self, New.Album.self]))
        #expect(try again.fetch(New.Photo.self).map(\.name) == ["c0", "c1", "c2"])
    }

    @Test func `a property whose earlier name the file never had is told`() throws {
        let store = try GraphStore(model: [New.Photo.self, New.Album.self])
        let bytes = try bytes(of: store)
        let error = #expect(throws: SnapshotError.self) {
            try graph(bytes, [Newer.Photo.self, Newer.Album.self])
        }
        guard case .differentModel(let differences)? = error else { return }
        #expect(
            differences == [
                "the model has no Photo.name", "the document has no Photo.width",
            ])
    }

    @Test func `transient values are in the graph, and not in the file`() throws {
        let store = try GraphStore(model: [New.Photo.self, New.Album.self])
        let context = ManagedObjectContext(store)
        let photo = New.Photo(context: context)
        photo.container = New.Album(context: context)
        try context.save()
        let before = try bytes(of: store)
        photo.isSelected = true
        photo.cache = [1]
        #expect(context.updatedObjects == [photo])
        try context.save()
        let other = ManagedObjectContext(store)
        #expect(try other.fetch(New.Photo.self).first?.isSelected == true)
        #expect(try bytes(of: store) == before)
        let reopened = ManagedObjectContext(try graph(before, [New.Photo.self, New.Album.self]))
        let found = try #require(try reopened.fetch(New.Photo.self).first)
        #expect(!found.isSelected && found.cache == nil)
        let edited = String(decoding: before, as: UTF8.self)
            .replacing(#""size":0"#, with: #""size":0,"isSelected":true"#)
        #expect(throws: JSONError.self) {
            try graph(Array(edited.utf8), [New.Photo.self, New.Album.self])
        }
    }

    @Test func `the schema in a file tells rules, counts, storage and earlier names`() throws {
        let store = try GraphStore(model: [New.Photo.self, New.Album.self])
        let text = String(decoding: try bytes(of: store), as: UTF8.self)
        for part in [
            #""name":"name","type":"string","rules":[{"length":[null,99]}],"originalName":"caption""#,
            #""rules":[{"range":[0,null]}]"#, #""rules":[{"matches":".*"}]"#,
            #""optional":true,"external":true,"rules":[{"length":[null,9]}]"#,
            #""onDelete":"nullify","minCount":1,"originalName":"album""#,
            #""onDelete":"nullify","maxCount":9"#,
        ] {
            #expect(text.contains(part), "\(text)")
        }
        #expect(!text.contains("isSelected"))
        let entities = try JSONReader.read(Array(text.utf8)) { json in
            try json.beginObject()
            var entities: [EntityDescription] = []
            while let key = try json.nextKey(in: SnapshotKeys.header) {
                if key == .entities {
                    entities = try [EntityDescription].read(from: &json)
                } else {
                    try json.skipValue()
                }
            }
            return entities
        }
        for (found, entity) in zip(entities, store.model.schema.entities) {
            for property in found.properties {
                let slot = try #require(entity.position(named: property.name))
                switch (property, entity.properties[slot]) {
                case (.attribute(let found), .attribute(let attribute)):
                    #expect(found.rules == attribute.rules)
                    #expect(found.usesExternalStorage == attribute.usesExternalStorage)
                case (.relationship(let found), .relationship(let relationship)):
                    #expect(found.minimumCount == relationship.minimumCount)
                    #expect(found.maximumCount == relationship.maximumCount)
                default: Issue.record("\(property)")
                }
                #expect(property.originalName == entity.properties[slot].originalName)
            }
        }
    }
}

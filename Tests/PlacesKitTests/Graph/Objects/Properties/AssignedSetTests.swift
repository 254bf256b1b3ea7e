import PlacesKit
import PlacesKitTesting
import Testing

/// What an assignment of one object's members to another object changes.
@Suite struct AssignedSetTests {
    private typealias Album = OrderedModel.Album
    private typealias Photo = OrderedModel.Photo
    private typealias Tag = OrderedModel.Tag
    private typealias Guide = OrderedModel.Guide

    private let context: ManagedObjectContext
    private let albums: [Album]
    private let guides: [Guide]
    private let tags: [Tag]

    /// Three albums, each with all of six guides and tags.
    init() throws {
        let context = try OrderedModel.context()
        self.context = context
        albums = (0..<3).map { number in
            let album = Album(context: context)
            album.title = "\(number)"
            return album
        }
        guides = (0..<6).map { number in
            let guide = Guide(context: context)
            guide.number = number
            return guide
        }
        tags = (0..<6).map { number in
            let tag = Tag(context: context)
            tag.number = number
            return tag
        }
        for album in albums {
            for guide in guides { album.guides.append(guide) }
            for tag in tags { album.tags.append(tag) }
        }
        try context.save()
    }

    private func titles(_ guide: Guide) -> String { guide.albums.map(\.title).joined() }

    @Test func `members that the object has already are no change`() throws {
        albums[0].guides = albums[1].guides
        tags[0].albums = tags[1].albums
        #expect(!context.hasChanges && context.updatedObjects.isEmpty)
        #expect(guides.allSatisfy { titles($0) == "012" })
        try context.checkIntegrity()
    }

    @Test func `of a set without an order only the difference is made`() throws {
        tags[0].albums.remove(albums[0])
        tags[1].albums.remove(albums[2])
        try context.save()
        tags[0].albums = tags[1].albums
        #expect(tags[0].albums.map(\.title) == ["1", "0"])
        #expect(context.updatedObjects == [tags[0], albums[0], albums[2]])
        #expect(albums[1].tags.map(\.number) == [0, 1, 2, 3, 4, 5])
        #expect(albums[0].tags.map(\.number) == [1, 2, 3, 4, 5, 0])
        try context.checkIntegrity()
        // The same members came in another order.
        try context.save()
        tags[1].albums = tags[0].albums
        #expect(!context.hasChanges && tags[1].albums.map(\.title) == ["0", "1"])
    }

    @Test func `an ordered set gets the order, and the other ends keep theirs`() throws {
        let orders = [
            [5, 4, 3, 2, 1, 0], [1, 2, 3, 4, 5, 0], [5, 0, 1, 2, 3, 4], [2], [0, 3, 1, 4], [],
            [0, 1, 2, 3, 4, 5],
        ]
        for from in orders {
            for to in orders {
                for (album, numbers) in [(albums[0], from), (albums[1], to)] {
                    album.guides.removeAll()
                    for number in numbers { album.guides.append(guides[number]) }
                }
                try context.save()
                let staying = guides.filter { albums[0].guides.contains($0) }
                let before = staying.map(titles)
                albums[0].guides = albums[1].guides
                #expect(albums[0].guides.map(\.number) == to)
                #expect(albums[1].guides.map(\.number) == to)
                #expect(context.hasChanges == (from != to))
                for (guide, titles) in zip(staying, before)
                where to.contains(guide.number) { #expect(self.titles(guide) == titles) }
                try context.checkIntegrity()
            }
        }
    }

    @Test func `objects of any sequence become the members, each once and in its order`() throws {
        let album = albums[0]
        album.guides.replaceAll(with: [5, 1, 5, 0].map { guides[$0] })
        #expect(album.guides.map(\.number) == [5, 1, 0])
        album.guides.replaceAll(with: album.guides.lazy.filter { $0.number != 1 })
        #expect(album.guides.map(\.number) == [5, 0])
        #expect(guides.map(titles) == ["012", "12", "12", "12", "12", "012"])
        tags[0].albums.replaceAll(with: [albums[2]])
        #expect(tags[0].albums.map(\.title) == ["2"])
        #expect(album.tags.map(\.number) == [1, 2, 3, 4, 5])
        try context.checkIntegrity()
    }

    @Test func `if one of the objects can't be a member, the members stay as they are`() throws {
        let stranger = Guide(context: ManagedObjectContext(context.store))
        albums[0].guides.replaceAll(with: [guides[3], stranger])
        #expect(albums[0].guides.map(\.number) == [0, 1, 2, 3, 4, 5])
        #expect(throws: ContextError.self) { try context.save() }
        try context.checkIntegrity()
    }

    @Test func `an assignment is one change, which is taken back and told of as one`() throws {
        context.isUndoEnabled = true
        var told: [String] = []
        let subscription = context.onChange { told.append($0.objects.text) }
        albums[0].guides.removeAll()
        for number in [3, 0, 5] { albums[0].guides.append(guides[number]) }
        try context.save()
        told = []
        albums[1].guides = albums[0].guides
        context.processPendingChanges()
        #expect(told.count == 1)
        context.undo()
        #expect(albums[1].guides.map(\.number) == [0, 1, 2, 3, 4, 5])
        context.redo()
        #expect(albums[1].guides.map(\.number) == [3, 0, 5])
        try context.save()
        let other = ManagedObjectContext(context.store)
        let twin = try #require(try other.existingObject(with: albums[1].objectID) as? Album)
        #expect(twin.guides.map(\.number) == [3, 0, 5])
        try context.checkIntegrity()
        subscription.cancel()
    }

    @Test func `members of another context are refused, and nothing changes`() throws {
        let photo = Photo(context: context)
        photo.album = albums[0]
        try context.save()
        let other = ManagedObjectContext(context.store)
        let twin = try #require(try other.existingObject(with: albums[1].objectID) as? Album)
        let stranger = Photo(context: other)
        stranger.album = twin
        func refusal(_ member: ObjectID, _ property: String) -> ContextError {
            .objectFromAnotherContext(
                albums[0].objectID, property: property, member)
        }
        albums[0].photos = twin.photos
        #expect(albums[0].photos.map { $0 } == [photo] && !context.hasChanges)
        #expect(throws: refusal(stranger.objectID, "photos")) { try context.save() }
        context.rollback()
        albums[0].tags = twin.tags
        #expect(albums[0].tags.count == 6 && !context.hasChanges)
        #expect(throws: refusal(tags[0].objectID, "tags")) { try context.save() }
        context.rollback()
        twin.guides.removeAll()
        albums[0].guides = twin.guides
        #expect(albums[0].guides.isEmpty)
        try context.save()
        try context.checkIntegrity()
    }

    @Test func `members of an object that was deleted are none`() throws {
        context.delete(albums[1])
        albums[0].guides = albums[1].guides
        #expect(albums[0].guides.isEmpty && guides.allSatisfy { titles($0) == "2" })
        try context.save()
        albums[1].guides = albums[2].guides
        #expect(
            throws: ContextError.deletedObjectChanged(albums[1].objectID, property: "guides")
        ) { try context.save() }
        context.rollback()
        #expect(albums[2].guides.count == 6)
        try context.checkIntegrity()
    }

    @Test func `thousands of members are assigned in any order`() throws {
        let album = albums[0]
        album.guides.removeAll()
        let many = (0..<4_000).map { number in
            let guide = Guide(context: context)
            guide.number = number
            return guide
        }
        for number in 0..<4_000 { album.guides.append(many[number * 1_237 % 4_000]) }
        for guide in many[1_000...].reversed() { albums[1].guides.append(guide) }
        let expected = album.guides.map(\.number)
        albums[1].guides = album.guides
        #expect(albums[1].guides.map(\.number) == expected)
        try context.checkIntegrity()
    }
}

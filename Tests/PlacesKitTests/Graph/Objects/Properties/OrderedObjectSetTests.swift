import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct OrderedObjectSetTests {
    typealias Album = OrderedModel.Album
    typealias Photo = OrderedModel.Photo
    typealias Tag = OrderedModel.Tag
    typealias Guide = OrderedModel.Guide

    let context: ManagedObjectContext
    let album: Album

    init() throws {
        context = try OrderedModel.context()
        album = Album(context: context)
    }

    private func photo(_ number: Int) -> Photo {
        let photo = Photo(context: context)
        photo.number = number
        return photo
    }

    private func fill(_ count: Int) {
        for number in 0..<count { album.photos.append(photo(number)) }
    }

    private var numbers: [Int] { album.photos.map(\.number) }

    @Test func `members come at the end, or where they are put`() {
        fill(3)
        #expect(album.photos.insert(photo(7), at: 0))
        #expect(album.photos.insert(photo(8), at: 2))
        #expect(album.photos.insert(photo(9), at: 5))
        photo(10).album = album
        #expect(numbers == [7, 0, 8, 1, 2, 9, 10])
        #expect(album.photos.map(\.number) == (0..<7).map { album.photos[$0].number })
        #expect(album.photos.enumerated().allSatisfy { album.photos.firstIndex(of: $1) == $0 })
        #expect(album.photos.reversed().map(\.number) == numbers.reversed())
        #expect(album.photos.last?.number == 10 && album.photos.count == 7)
        #expect(album.photos.allSatisfy { $0.album === album })
        #expect(context.brokenInvariants == [])
    }

    @Test func `a member stays where it is when it is added again`() {
        fill(3)
        #expect(!album.photos.append(album.photos[0]))
        #expect(!album.photos.insert(album.photos[2], at: 0))
        #expect(numbers == [0, 1, 2])
    }

    @Test func `members move as in a list on a screen`() {
        for (offsets, destination) in [
            ([0], 2), ([3], 0), ([1], 1), ([1], 2), ([0, 1], 4), ([4, 5], 0), ([0, 2, 4], 3),
            ([1, 2, 3], 2), ([0, 1, 2, 3, 4, 5], 6), ([5], 6), ([], 3),
        ] {
            let album = Album(context: context)
            for number in 0..<6 { album.photos.append(photo(number)) }
            var expected = Array(0..<6)
            let moving = offsets.map { expected[$0] }
            let target = destination - offsets.count { $0 < destination }
            expected.removeAll(where: moving.contains)
            expected.insert(contentsOf: moving, at: target)
            album.photos.move(fromOffsets: IndexSet(offsets), toOffset: destination)
            #expect(album.photos.map(\.number) == expected, "\(offsets) to \(destination)")
        }
        #expect(context.brokenInvariants == [])
    }

    @Test func `offsets without a member are passed over, however many there are`() {
        fill(4)
        album.photos.move(fromOffsets: IndexSet(integersIn: 2..<Int.max), toOffset: 0)
        #expect(numbers == [2, 3, 0, 1])
        let far = IndexSet(integersIn: 9..<Int.max)
        album.photos.move(fromOffsets: far.union([0, 2]), toOffset: .max)
        #expect(numbers == [3, 1, 2, 0])
    }

    @Test func `positions that do not exist change nothing`() throws {
        fill(2)
        for position in [-1, 2, .max, .min] {
            #expect(album.photos.remove(at: position) == nil)
            album.photos.move(from: position, to: 0)
            album.photos.move(from: 0, to: position)
        }
        album.photos.move(fromOffsets: [5, 9], toOffset: 0)
        #expect(numbers == [0, 1])
        album.photos.move(fromOffsets: [0, 7], toOffset: .max)
        #expect(numbers == [1, 0])
        album.photos.move(fromOffsets: [1], toOffset: .min)
        #expect(numbers == [0, 1])
        #expect(album.photos.insert(photo(2), at: .max))
        #expect(album.photos.insert(photo(3), at: .min))
        #expect(numbers == [3, 0, 1, 2])
        #expect(album.photos.firstIndex(of: photo(9)) == nil)
        let other = Photo(context: try OrderedModel.context())
        #expect(album.photos.firstIndex(of: other) == nil && !album.photos.insert(other, at: 0))
    }

    @Test func `the members of a deleted owner are none, and moving them is told`() throws {
        fill(3)
        try context.save()
        context.delete(album)
        #expect(album.photos.isEmpty && Array(album.photos) == [])
        album.photos.move(fromOffsets: [0], toOffset: 2)
        #expect(throws: ContextError.self) { try context.save() }
        context.rollback()
        #expect(numbers == [0, 1, 2])
    }

    @Test func `a new order is a change of the owner alone, and an old one none`() throws {
        fill(4)
        try context.save()
        album.photos.move(from: 0, to: 2)
        #expect(context.updatedObjects == [album])
        album.photos.move(from: 2, to: 0)
        #expect(numbers == [0, 1, 2, 3] && !context.hasChanges)
        album.photos.move(from: 3, to: 1)
        context.rollback()
        #expect(numbers == [0, 1, 2, 3])
        #expect(context.brokenInvariants == [])
    }

    @Test func `assigning one list to another brings its members in their order`() {
        fill(4)
        album.photos.move(from: 3, to: 0)
        let other = Album(context: context)
        other.photos.append(photo(9))
        other.photos = album.photos
        #expect(other.photos.map(\.number) == [3, 0, 1, 2] && album.photos.isEmpty)
    }

    @Test(arguments: [0, 1, 50])
    func `however often members come to one position, there is room`(position: Int) throws {
        fill(100)
        var expected = Array(0..<100)
        for number in 100..<1_500 {
            album.photos.insert(photo(number), at: position)
            expected.insert(number, at: position)
        }
        #expect(numbers == expected)
        #expect(context.brokenInvariants == [])
    }

    @Test func `both sides of a many-to-many relationship have orders of their own`() throws {
        let albums = (0..<3).map { number in
            let album = Album(context: context)
            album.title = "\(number)"
            return album
        }
        let guides = (0..<3).map { number in
            let guide = Guide(context: context)
            guide.number = number
            return guide
        }
        for album in albums { for guide in guides { album.guides.append(guide) } }
        albums[0].guides.move(from: 2, to: 0)
        guides[1].albums.move(from: 0, to: 2)
        #expect(albums.map { $0.guides.map(\.number) } == [[2, 0, 1], [0, 1, 2], [0, 1, 2]])
        #expect(
            guides.map { $0.albums.map(\.title) }
                == [["0", "1", "2"], ["1", "2", "0"], ["0", "1", "2"]])
        albums[0].guides.remove(at: 0)
        #expect(guides[2].albums.map(\.title) == ["1", "2"])
        try context.save()
        #expect(context.brokenInvariants == [])
    }

    // MARK: - Two contexts

    private func merge(
        _ first: (OrderedObjectSet<Photo>) -> Void, _ second: (OrderedObjectSet<Photo>) -> Void,
        by policy: MergePolicy = .error
    ) throws -> [Int] {
        fill(6)
        try context.save()
        let other = ManagedObjectContext(context.store)
        let copy = try #require(try other.existingObject(with: album.objectID) as? Album)
        first(album.photos)
        try context.save()
        second(copy.photos)
        other.mergePolicy = policy
        try other.save()
        #expect(other.brokenInvariants == [])
        let store = ManagedObjectContext(context.store)
        let saved = try #require(try store.existingObject(with: album.objectID) as? Album)
        #expect(saved.photos.map(\.number) == copy.photos.map(\.number))
        return saved.photos.map(\.number)
    }

    @Test func `moves of different members by two contexts are both kept`() throws {
        #expect(
            try merge({ $0.move(from: 0, to: 5) }, { $0.move(from: 2, to: 0) })
                == [2, 1, 3, 4, 5, 0])
    }

    @Test(arguments: MergePolicy.allCases)
    func `a member that two moved is where the merge policy says`(policy: MergePolicy) throws {
        let moves: [(OrderedObjectSet<Photo>) -> Void] = [
            { $0.move(from: 0, to: 5) }, { $0.move(from: 0, to: 2) },
        ]
        guard policy != .error else {
            #expect(throws: ContextError.self) { try merge(moves[0], moves[1]) }
            return
        }
        let isOwn = policy == .overwrite || policy == .mergeByPropertyObjectTrump
        #expect(
            try merge(moves[0], moves[1], by: policy)
                == (isOwn ? [1, 2, 0, 3, 4, 5] : [1, 2, 3, 4, 5, 0]))
    }

    @Test func `what one adds and the other moves is where both put it`() throws {
        #expect(
            try merge({ $0.insert(photo(9), at: 1) }, { $0.move(from: 5, to: 0) })
                == [5, 0, 9, 1, 2, 3, 4])
    }

    @Test func `a member whose predecessor is gone comes after the one before that`() throws {
        #expect(
            try merge({ $0.remove(at: 1) }, { $0.move(from: 5, to: 2) }) == [0, 5, 2, 3, 4])
    }

    // MARK: - Elsewhere

    @Test func `predicates and sort descriptors see ordered relationships`() throws {
        fill(3)
        let other = Album(context: context)
        try context.check(#Predicate<Album> { $0.photos.count > 1 }, .compiled)
        try context.check(#Predicate<Album> { $0.photos.isEmpty }, .compiled)
        try context.check(#Predicate<Album> { $0.photos.contains { $0.number == 2 } }, .compiled)
        try context.check(#Predicate<Album> { $0.tags.isEmpty || $0.guides.isEmpty }, .compiled)
        let sorted = try context.fetch(
            FetchRequest(sortBy: [SortDescriptor(\Album.photos.count)]))
        #expect(Array(sorted) == [other, album])
    }

    @Test func `the order survives a document`() async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: OrderedModel.types)
            let album = Album(context: document.viewContext)
            for number in 0..<5 {
                let photo = Photo(context: document.viewContext)
                photo.number = number
                album.photos.insert(photo, at: 0)
                let guide = Guide(context: document.viewContext)
                guide.number = number
                guide.albums.append(album)
                let tag = Tag(context: document.viewContext)
                tag.number = number
                album.tags.insert(tag, at: number / 2)
            }
            album.guides.move(from: 4, to: 1)
            try await document.close()
            let reopened = try await ManagedDocument.open(at: url, model: OrderedModel.types)
            let context = reopened.viewContext
            let found = try #require(try context.fetch(Album.self).first)
            #expect(found.photos.map(\.number) == [4, 3, 2, 1, 0])
            #expect(found.guides.map(\.number) == [0, 4, 1, 2, 3])
            #expect(found.tags.map(\.number) == [1, 3, 4, 2, 0])
            #expect(found.photos.firstIndex(of: found.photos[3]) == 3)
            found.photos.move(from: 0, to: 4)
            #expect(found.photos.map(\.number) == [3, 2, 1, 0, 4])
            #expect(context.brokenInvariants == [])
            try await reopened.close()
        }
    }
}

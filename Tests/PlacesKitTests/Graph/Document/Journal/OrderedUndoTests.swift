import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

/// Undo and redo of changes of ordered relationships, in memory, in the journal and in a document.
@Suite struct OrderedUndoTests {
    private typealias Album = OrderedModel.Album
    private typealias Photo = OrderedModel.Photo
    private typealias Tag = OrderedModel.Tag
    private typealias Guide = OrderedModel.Guide

    // MARK: - One by one

    private func album(_ count: Int) throws -> (ManagedObjectContext, Album, [Photo]) {
        let context = try OrderedModel.context()
        let album = Album(context: context)
        let photos = (0..<count).map { number in
            let photo = Photo(context: context)
            photo.number = number
            album.photos.append(photo)
            return photo
        }
        try context.save()
        context.isUndoEnabled = true
        return (context, album, photos)
    }

    /// Makes a change, takes it back, makes it again, and takes it back once more.
    private func expectUndo(
        _ context: ManagedObjectContext, _ album: Album,
        sourceLocation: SourceLocation = #_sourceLocation, _ change: () -> Void
    ) {
        func numbers() -> [Int] { album.photos.map(\.number) }
        /// What positions say, and not links.
        func positions() -> [Int] { album.photos.indices.map { album.photos[$0].number } }
        let before = numbers()
        change()
        let after = numbers()
        for round in 0..<2 {
            context.undo()
            #expect(numbers() == before, "round \(round)", sourceLocation: sourceLocation)
            #expect(positions() == before, "round \(round)", sourceLocation: sourceLocation)
            #expect(context.brokenInvariants == [], sourceLocation: sourceLocation)
            #expect(!context.hasChanges, sourceLocation: sourceLocation)
            context.redo()
            #expect(numbers() == after, "round \(round)", sourceLocation: sourceLocation)
            #expect(positions() == after, "round \(round)", sourceLocation: sourceLocation)
            #expect(context.brokenInvariants == [], sourceLocation: sourceLocation)
        }
        context.undo()
    }

    @Test(arguments: 0..<5)
    func `a member that was removed or deleted returns to its position`(position: Int) throws {
        let (context, album, photos) = try album(5)
        expectUndo(context, album) { album.photos.remove(at: position) }
        expectUndo(context, album) { context.delete(photos[position]) }
        expectUndo(context, album) { photos[position].album = Album(context: context) }
    }

    @Test func `members that were removed and moved at once return to their positions`() throws {
        let (context, album, photos) = try album(9)
        expectUndo(context, album) {
            album.photos.move(from: 0, to: 8)
            album.photos.remove(photos[1])
            context.delete(photos[2])
            album.photos.move(from: 3, to: 0)
            album.photos.insert(Photo(context: context), at: 2)
        }
        expectUndo(context, album) { album.photos.removeAll() }
        expectUndo(context, album) { context.delete(album) }
        expectUndo(context, album) {
            album.photos.remove(photos[4])
            album.photos.append(photos[4])
        }
    }

    @Test func `long parts of a long list return to their positions`() throws {
        let (context, album, photos) = try album(2_000)
        expectUndo(context, album) {
            album.photos.move(fromOffsets: IndexSet(100..<900), toOffset: 1_500)
            album.photos.move(from: 3, to: 1_990)
            for number in stride(from: 5, to: 2_000, by: 97) { context.delete(photos[number]) }
        }
        expectUndo(context, album) {
            for number in 0..<1_000 { album.photos.move(from: number, to: 1_999 - number) }
        }
    }

    @Test func `positions are found beside the neighbours that others left`() throws {
        let (context, album, photos) = try album(8)
        for number in 3...5 { album.photos.remove(photos[number]) }
        try context.save()
        let other = ManagedObjectContext(context.store)
        other.delete(try other.twin(of: photos[2]))
        try other.save(shownTo: context)
        context.undo()
        #expect(album.photos.map(\.number) == [0, 1, 3, 4, 5, 6, 7])
        #expect(context.brokenInvariants == [])
    }

    @Test func `both ends of a many-to-many relationship return to their positions`() throws {
        let context = try OrderedModel.context()
        let albums = (0..<4).map { _ in Album(context: context) }
        let guides = (0..<4).map { _ in Guide(context: context) }
        for album in albums { for guide in guides { album.guides.append(guide) } }
        guides[1].albums.move(from: 3, to: 0)
        try context.save()
        context.isUndoEnabled = true
        let order = Array(guides[1].albums)
        albums[1].guides.remove(guides[1])
        context.delete(guides[2])
        albums[3].guides.move(from: 2, to: 0)
        context.undo()
        #expect(albums.allSatisfy { Array($0.guides) == guides })
        #expect(Array(guides[1].albums) == order && Array(guides[2].albums) == albums)
        #expect(!context.hasChanges && context.brokenInvariants == [])
        context.redo()
        context.undo()
        #expect(!context.hasChanges && context.brokenInvariants == [])
    }

    // MARK: - At random

    /// What everything of a context is, by positions where there are any.
    private struct Account: Equatable {
        var photos: [Int64: [Int64]] = [:]
        var guides: [Int64: [Int64]] = [:]
        var albums: [Int64: [Int64]] = [:]
        var tags: [Int64: [Int64]] = [:]
        /// Sets have no order that an undo promises.
        var tagged: [Int64: Set<Int64>] = [:]
        var titles: [Int64: String] = [:]

        init(_ context: ManagedObjectContext) throws {
            func members<Member: ManagedObject>(_ set: OrderedObjectSet<Member>) -> [Int64] {
                set.indices.map { set[$0].objectID.number }
            }
            for album in try context.fetch(Album.self) {
                let number = album.objectID.number
                titles[number] = album.title
                photos[number] = members(album.photos)
                guides[number] = members(album.guides)
                tags[number] = members(album.tags)
            }
            for guide in try context.fetch(Guide.self) {
                albums[guide.objectID.number] = members(guide.albums)
            }
            for tag in try context.fetch(Tag.self) {
                tagged[tag.objectID.number] = Set(tag.albums.map(\.objectID.number))
            }
        }
    }

    private func change(
        _ context: ManagedObjectContext, _ random: inout SplitMix64
    ) throws {
        let albums = Array(try context.fetch(Album.self))
        let photos = Array(try context.fetch(Photo.self))
        let guides = Array(try context.fetch(Guide.self))
        let tags = Array(try context.fetch(Tag.self))
        guard albums.count > 1, photos.count > 4, guides.count > 1, tags.count > 1 else {
            Album(context: context).title = "\(random.below(99))"
            for _ in 0..<4 { Photo(context: context).album = try context.fetch(Album.self).first }
            _ = (Guide(context: context), Tag(context: context))
            return
        }
        let album = random.pick(albums)
        let (photo, guide, tag) = (random.pick(photos), random.pick(guides), random.pick(tags))
        switch random.below(16) {
        case 0:
            Photo(context: context).album = album
            if guides.count < 5 { _ = Guide(context: context) }
            if albums.count < 4 { _ = Album(context: context) }
        case 1: context.delete(photo)
        case 2: context.delete([album, guide, tag].randomElement(using: &random) ?? tag)
        case 3, 4: album.photos.insert(photo, at: random.below(album.photos.count + 1))
        case 5 where !album.photos.isEmpty:
            album.photos.remove(at: random.below(album.photos.count))
        case 6, 7:
            guard album.photos.count > 1 else { return }
            album.photos.move(
                from: random.below(album.photos.count), to: random.below(album.photos.count))
        case 8:
            let offsets = album.photos.indices.filter { _ in random.below(3) == 0 }
            album.photos.move(
                fromOffsets: IndexSet(offsets), toOffset: random.below(album.photos.count + 1))
        case 9:
            album.photos.remove(photo)
            photo.album = random.pick(albums)
        case 10: album.guides.insert(guide, at: random.below(album.guides.count + 1))
        case 11: guide.albums.insert(album, at: random.below(guide.albums.count + 1))
        case 12:
            album.guides.remove(guide)
            if random.below(2) == 0 { guide.albums.append(album) }
        case 13 where guide.albums.count > 1:
            guide.albums.move(from: 0, to: random.below(guide.albums.count))
        case 14: album.tags.insert(tag, at: random.below(album.tags.count + 1))
        default: album.title = "\(random.below(99))"
        }
    }

    @Test(arguments: [UInt64](1...6))
    func `whatever is undone and redone is the same in memory, journal and document`(
        seed: UInt64
    ) async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: OrderedModel.types, options: .savedByHand())
            let context = document.viewContext
            context.isUndoEnabled = true
            context.undoLimit = 0
            var random = SplitMix64(seed: seed)
            // What the context was after each group, and which of these it is.
            var states = [try Account(context)]
            var current = 0
            var changes = 0
            let subscription = context.onChange { if $0.kind == .didChange { changes += 1 } }
            defer { subscription.cancel() }
            for step in 0..<160 {
                switch random.below(10) {
                case 0..<3 where current > 0:
                    context.undo()
                    current -= 1
                case 3, 4:
                    if current < states.count - 1 { current += 1 }
                    context.redo()
                case 5: try await document.save(durability: .system)
                default:
                    let told = changes
                    for _ in 0...random.below(4) { try change(context, &random) }
                    context.processPendingChanges()
                    // What comes to nothing is no group.
                    guard changes > told else { continue }
                    states.removeSubrange((current + 1)...)
                    states.append(try Account(context))
                    current += 1
                }
                guard try Account(context) == states[current]
                else { throw Unexpected("seed \(seed), step \(step): not what it was") }
                try #require(context.brokenInvariants == [], "seed \(seed), step \(step)")
            }
            try await document.save()
            let expected = document.store.account
            #expect(try Account(context) == Account(ManagedObjectContext(document.store)))
            try await document.close()
            let reopened = try await ManagedDocument.open(at: url, model: OrderedModel.types)
            #expect(reopened.store.account == expected, "seed \(seed)")
            try await reopened.close()
        }
    }
}

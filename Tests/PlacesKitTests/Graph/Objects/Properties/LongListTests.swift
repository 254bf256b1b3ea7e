import PlacesKit
import Testing

/// Lists that are so long that only what differs between two states of a graph is looked at.
@Suite struct LongListTests {
    typealias Album = OrderedModel.Album

    @Test(arguments: [UInt64](1...2))
    func `a long list is changed where it has other members than were saved, or in another order`(
        seed: UInt64
    ) throws {
        var generator = SeededGenerator(seed: seed)
        let context = try OrderedModel.context()
        let album = Album(context: context)
        let other = Album(context: context)
        for number in 0..<8_000 {
            album.photos.append(photo(number, in: context))
            album.tags.append(tag(number, in: context))
            if number.isMultiple(of: 3) { other.photos.append(photo(number, in: context)) }
        }
        try context.save()
        // From here on, so that no undo takes the albums away.
        context.isUndoEnabled = true
        var saved = members(of: album)
        for step in 1...60 {
            switch Int.random(in: 0..<8, using: &generator) {
            case 0, 1:
                context.undo()
            case 2:
                context.redo()
            case 3:
                let middle = Int.random(in: 3_000..<5_000, using: &generator)
                album.photos.remove(at: middle)
                album.photos.insert(photo(step, in: context), at: middle + step % 2)
            case 4:
                let middle = Int.random(in: 3_000..<5_000, using: &generator)
                album.tags.remove(at: middle)
                album.tags.insert(tag(step, in: context), at: middle + step % 2)
            case 5:
                let middle = Int.random(in: 3_000..<5_000, using: &generator)
                album.photos.move(
                    from: middle, to: middle + Int.random(in: 0..<3, using: &generator))
            case 6:
                let middle = Int.random(in: 3_000..<5_000, using: &generator)
                album.tags.move(from: middle, to: middle + Int.random(in: 0..<3, using: &generator))
            default:
                other.photos.move(from: step, to: step * 2)
            }
            let found = members(of: album)
            let names = ["photos", "tags"].enumerated()
                .filter { found[$0.offset] != saved[$0.offset] }.map(\.element)
            #expect(album.changedValues().keys.sorted() == names, "seed \(seed), step \(step)")
            #expect(album.hasChanges == !names.isEmpty, "seed \(seed), step \(step)")
            if step.isMultiple(of: 20) {
                try context.save()
                saved = found
            }
        }
    }

    private func photo(_ number: Int, in context: ManagedObjectContext) -> OrderedModel.Photo {
        let photo = OrderedModel.Photo(context: context)
        photo.number = number
        return photo
    }

    private func tag(_ number: Int, in context: ManagedObjectContext) -> OrderedModel.Tag {
        let tag = OrderedModel.Tag(context: context)
        tag.number = number
        return tag
    }

    private func members(of album: Album) -> [[ObjectID]] {
        [album.photos.map(\.objectID), album.tags.map(\.objectID)]
    }
}

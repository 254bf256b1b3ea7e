import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Changes of ordered relationships and their inverses, random ones compared with plain arrays after every step.
@Suite struct RandomOrderTests {
    private typealias Album = OrderedModel.Album
    private typealias Photo = OrderedModel.Photo
    private typealias Tag = OrderedModel.Tag

    /// What two albums should hold.
    private struct Model: Equatable {
        var photos: [[Int]] = [[], []]
        var tags: [[Int]] = [[], []]
    }

    private final class Run {
        let context: ManagedObjectContext
        var random: SplitMix64
        var albums: [Album]
        var photos: [Photo] = []
        var tags: [Tag] = []
        var model = Model()
        var saved = Model()
        /// Graphs as they were, to go back to.
        var history: [(graph: Graph, model: Model)] = []

        init(seed: UInt64) throws {
            context = try OrderedModel.context()
            random = SplitMix64(seed: seed)
            albums = [Album(context: context), Album(context: context)]
            for number in 0..<30 {
                photos.append(Photo(context: context))
                photos[number].number = number
                tags.append(Tag(context: context))
                tags[number].number = number
            }
            try context.save()
        }

        func step() throws {
            let album = random.below(2)
            switch random.below(16) {
            case 0: try context.save(); saved = model
            case 1: context.rollback(); model = saved
            case 2: history.append((context.transaction.freeze(), model))
            case 3: try goBack()
            case 4..<10: changePhotos(of: album)
            default: changeTags(of: album)
            }
        }

        /// Undoes all since a graph of the past by the inverse change.
        private func goBack() throws {
            guard let (graph, model) = history.popLast() else { return }
            let now = context.transaction.freeze()
            context.transaction.apply(Replay(ChangeSet(from: now, to: graph)))
            self.model = model
        }

        private func changePhotos(of number: Int) {
            let album = albums[number]
            let photo = random.pick(photos)
            let count = model.photos[number].count
            let position = random.below(count + 1)
            switch random.below(5) {
            case 0:
                photo.album = album
                if !model.photos[number].contains(photo.number) {
                    take(photo)
                    model.photos[number].append(photo.number)
                }
            case 1, 2:
                if album.photos.insert(photo, at: position) {
                    take(photo)
                    model.photos[number].insert(photo.number, at: position)
                }
            case 3:
                let removed = album.photos.remove(at: position)
                if removed != nil { model.photos[number].remove(at: position) }
            default:
                guard count > 0 else { return }
                let (from, to) = (random.below(count), random.below(count))
                album.photos.move(from: from, to: to)
                model.photos[number].insert(model.photos[number].remove(at: from), at: to)
            }
        }

        private func take(_ photo: Photo) {
            for index in 0..<2 { model.photos[index].removeAll { $0 == photo.number } }
        }

        private func changeTags(of number: Int) {
            let album = albums[number]
            let tag = random.pick(tags)
            let count = model.tags[number].count
            switch random.below(4) {
            case 0:
                if tag.albums.insert(album) { model.tags[number].append(tag.number) }
            case 1:
                let position = random.below(count + 1)
                if album.tags.insert(tag, at: position) {
                    model.tags[number].insert(tag.number, at: position)
                }
            case 2:
                if album.tags.remove(tag) { model.tags[number].removeAll { $0 == tag.number } }
            default:
                let offsets = (0..<count).filter { _ in random.below(3) == 0 }
                let destination = random.below(count + 1)
                album.tags.move(fromOffsets: IndexSet(offsets), toOffset: destination)
                let moving = offsets.map { model.tags[number][$0] }
                let target = destination - offsets.count { $0 < destination }
                model.tags[number].removeAll(where: moving.contains)
                model.tags[number].insert(contentsOf: moving, at: target)
            }
        }

        var found: Model {
            Model(
                photos: albums.map { $0.photos.map(\.number) },
                tags: albums.map { $0.tags.map(\.number) })
        }

        /// Positions and members agree.
        var isConsistent: Bool {
            albums.allSatisfy { album in
                album.photos.indices.allSatisfy {
                    album.photos.firstIndex(of: album.photos[$0]) == $0
                }
                    && album.tags.indices.allSatisfy {
                        album.tags.firstIndex(of: album.tags[$0]) == $0
                    }
            }
        }
    }

    @Test(arguments: [UInt64](1...6))
    func `ordered relationships do what arrays do`(seed: UInt64) throws {
        let run = try Run(seed: seed)
        for step in 0..<250 {
            try run.step()
            guard run.found == run.model, run.isConsistent
            else {
                throw Unexpected("seed \(seed), step \(step): \(run.found) is not \(run.model)")
            }
            if step % 10 == 0 {
                #expect(run.context.brokenInvariants == [], "seed \(seed), step \(step)")
            }
        }
        #expect(run.context.brokenInvariants == [])
    }

    @Test func `an inverse change brings the order back`() throws {
        let context = try OrderedModel.context()
        let album = Album(context: context)
        func photo(_ number: Int) -> Photo {
            let photo = Photo(context: context)
            photo.number = number
            return photo
        }
        for number in 0..<6 { album.photos.append(photo(number)) }
        let before = context.transaction.freeze()
        album.photos.move(from: 0, to: 4)
        album.photos.remove(at: 1)
        album.photos.insert(photo(8), at: 3)
        let after = context.transaction.freeze()
        context.transaction.apply(Replay(ChangeSet(from: after, to: before)))
        #expect(album.photos.map(\.number) == [0, 1, 2, 3, 4, 5])
        context.transaction.apply(Replay(ChangeSet(from: before, to: after)))
        #expect(album.photos.map(\.number) == [1, 3, 4, 8, 0, 5])
        #expect(context.brokenInvariants == [])
    }
}

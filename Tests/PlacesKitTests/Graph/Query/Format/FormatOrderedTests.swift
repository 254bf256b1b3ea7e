import Foundation
import PlacesKit
import Testing

/// Indexes, `FIRST`, `LAST` and `SIZE` of ordered relationships in format strings.
@Suite struct FormatOrderedTests {
    private typealias Album = OrderedModel.Album
    private typealias Photo = OrderedModel.Photo

    /// Four albums of photos with these numbers, in this order, after some were moved.
    private func world() throws -> ManagedObjectContext {
        let context = try OrderedModel.context()
        for (album, numbers) in [[3, 1, 2], [5], [], [2, 2, 7, 1]].enumerated() {
            let new = Album(context: context)
            new.title = "\(album)"
            for number in numbers.reversed() {
                let photo = Photo(context: context)
                photo.number = number
                new.photos.insert(photo, at: 0)
            }
        }
        return context
    }

    private func check(_ table: String, in context: ManagedObjectContext) throws {
        for line in table.split(separator: "\n") {
            let parts = line.components(separatedBy: " ⇒")
            let expected = parts[1].trimmingCharacters(in: .whitespaces)
            let found = try context.fetch(Album.self, where: parts[0]).map(\.title)
            #expect(found.joined(separator: " ") == expected, "\(parts[0])")
        }
    }

    @Test func `members are found by their positions`() throws {
        try check(
            """
            photos[0].number == 3 ⇒ 0
            photos[1].number == 1 ⇒ 0
            photos[2].number > 1 ⇒ 0 3
            photos[3].number == 1 ⇒ 3
            photos[4].number == 1 ⇒
            photos[FIRST].number == 5 ⇒ 1
            photos[LAST].number == 5 ⇒ 1
            photos[first].number < photos[last].number ⇒
            photos[FIRST].number > photos[LAST].number ⇒ 0 3
            photos[FIRST].number == photos[0].number ⇒ 0 1 2 3
            photos[FIRST].number == nil ⇒ 2
            photos[0] == photos[LAST] ⇒ 1 2
            photos[SIZE] == 0 ⇒ 2
            photos[SIZE] > 2 ⇒ 0 3
            photos[SIZE] == photos.@count ⇒ 0 1 2 3
            photos[LAST].album.photos[FIRST].number == 2 ⇒ 3
            photos[1].number + photos[0].number == 4 ⇒ 0 3
            NOT photos[0].number IN {3, 5} ⇒ 2 3
            SUBQUERY(photos, $p, $p.number == 2)[SIZE] == 2 ⇒ 3
            photos[FIRST].number == photos.@max.number ⇒ 0 1 2
            """, in: world())
    }

    @Test func `moved, removed and inserted members have their new positions`() throws {
        let context = try world()
        let albums = Array(try context.fetch(Album.self))
        albums[0].photos.move(from: 0, to: 2)
        albums[3].photos.remove(at: 0)
        let photo = Photo(context: context)
        photo.number = 9
        albums[2].photos.append(photo)
        for _ in 0..<2 {
            try check(
                """
                photos[0].number == 1 ⇒ 0
                photos[LAST].number == 3 ⇒ 0
                photos[FIRST].number == 9 ⇒ 2
                photos[LAST].number == 9 ⇒ 2
                photos[1].number == 7 ⇒ 3
                photos[SIZE] == 1 ⇒ 1 2
                photos[SIZE] == 3 ⇒ 0 3
                """, in: context)
            try context.save()
        }
    }

    @Test func `random lists answer as arrays do`() throws {
        var random = SplitMix64(seed: 11)
        let context = try OrderedModel.context()
        let albums = (0..<30).map { number in
            let album = Album(context: context)
            album.title = "\(number)"
            return album
        }
        let photos = (0..<80).map { number in
            let photo = Photo(context: context)
            photo.number = number % 9
            return photo
        }
        for round in 0..<40 {
            for _ in 0..<20 {
                let album = random.pick(albums)
                album.photos.insert(
                    random.pick(photos), at: random.below(album.photos.count + 1))
            }
            let (index, number) = (random.below(4), random.below(9))
            func expect(_ format: String, _ isIncluded: (Album) -> Bool) throws {
                let found = try context.fetch(Album.self, where: format)
                #expect(
                    found.map(\.title) == albums.filter(isIncluded).map(\.title),
                    "Seed 11, round \(round), \(format)")
            }
            try expect("photos[\(index)].number == \(number)") { album in
                album.photos.count > index && album.photos[index].number == number
            }
            try expect("photos[FIRST].number < \(number)") { album in
                album.photos.first.map { $0.number < number } ?? false
            }
            try expect("photos[LAST].number >= \(number)") { album in
                album.photos.last.map { $0.number >= number } ?? false
            }
            try expect("photos[SIZE] > \(index)") { $0.photos.count > index }
        }
    }
}

import Foundation
import PlacesKit

/// Ordered relationships, a hierarchy, a unique attribute, one with external storage, and a relationship
/// without inverse.
enum JournalModel {
    final class Album: ManagedObject {
        @Attribute var title = ""
        @Attribute(.externalStorage) var cover: Data?
        @Relationship(inverse: \Work.album) var works: OrderedObjectSet<Work>
        @Relationship(inverse: \Reader.albums) var readers: OrderedObjectSet<Reader>
        @Relationship(deleteRule: .cascade, inverse: \Reader.home) var guests: ObjectSet<Reader>
    }
    class Work: ManagedObject {
        @Attribute(.unique) var code: String?
        @Attribute(.transient) var note = 0
        @Relationship var album: Album?
        @Relationship var source: Work?
    }
    final class Song: Work {
        @Attribute var seconds: Int? = 60
    }
    final class Reader: ManagedObject {
        @Attribute var name = "nobody"
        @Relationship var albums: OrderedObjectSet<Album>
        @Relationship var home: Album?
        @Relationship(inverse: \Reader.friendOf) var friends: ObjectSet<Reader>
        @Relationship var friendOf: ObjectSet<Reader>
    }

    static let types: [ManagedObject.Type] = [Album.self, Work.self, Song.self, Reader.self]
}

/// Changes of such objects, as a person or another might make them.
struct JournalEdits {
    private typealias Album = JournalModel.Album
    private typealias Work = JournalModel.Work
    private typealias Song = JournalModel.Song
    private typealias Reader = JournalModel.Reader

    var generator: DocumentRandom

    init(seed: UInt64) { generator = DocumentRandom(seed: seed) }

    private mutating func number(_ range: Range<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    /// Makes some changes.
    mutating func change(_ context: ManagedObjectContext, times: Int) throws {
        for _ in 0..<times {
            let albums = Array(try context.fetch(Album.self))
            let works = Array(try context.fetch(Work.self))
            let readers = Array(try context.fetch(Reader.self))
            guard let album = albums.randomElement(using: &generator),
                let other = albums.randomElement(using: &generator),
                let work = works.randomElement(using: &generator),
                let reader = readers.randomElement(using: &generator),
                let friend = readers.randomElement(using: &generator), works.count < 60
            else {
                if works.count >= 60 { for work in works.prefix(20) { context.delete(work) } }
                make(in: context)
                continue
            }
            switch number(0..<27) {
            case 0..<3: make(in: context)
            case 3:
                context.delete([work, album, reader].randomElement(using: &generator) ?? work)
            case 4..<7: album.works.insert(work, at: number(0..<album.works.count + 1))
            case 7 where !album.works.isEmpty:
                album.works.move(
                    from: number(0..<album.works.count), to: number(0..<album.works.count))
            case 8 where !album.works.isEmpty:
                let first = number(0..<album.works.count)
                album.works.move(
                    fromOffsets: IndexSet(first..<number(first..<album.works.count) + 1),
                    toOffset: number(0..<album.works.count + 1))
            case 9:
                album.works.remove(work)
                if number(0..<2) == 0 { album.works.append(work) }
            case 10..<12: album.readers.insert(reader, at: number(0..<album.readers.count + 1))
            case 12: reader.albums.insert(album, at: number(0..<reader.albums.count + 1))
            case 13:
                album.readers.remove(reader)
                if number(0..<2) == 0 { reader.albums.append(album) }
            case 14 where !reader.albums.isEmpty:
                reader.albums.move(
                    from: number(0..<reader.albums.count), to: number(0..<reader.albums.count))
            case 15:
                reader.home = number(0..<3) == 0 ? nil : other
                friend.home = reader.home
            case 16: reader.friends.insert(friend)
            case 17:
                reader.friends.remove(friend)
                if number(0..<2) == 0 { friend.friendOf.insert(reader) }
            case 18: work.source = number(0..<3) == 0 ? nil : works.randomElement(using: &generator)
            case 19:
                (work as? Song)?.seconds = number(0..<2) == 0 ? nil : number(0..<99)
                work.note += 1
            case 20:
                // Unique values that are exchanged.
                let rival = works.randomElement(using: &generator)
                let (one, two) = (work.code, rival?.code)
                work.code = nil
                rival?.code = one
                if rival !== work { work.code = two }
            case 21: context.undo()
            case 22: context.redo()
            case 23..<26: album.cover = number(0..<4) == 0 ? nil : makeCover()
            default: reader.name = "\(number(0..<99))"
            }
        }
    }

    /// One of few, so that the same come again.
    private mutating func makeCover() -> Data {
        Data(repeating: UInt8(number(0..<9)), count: number(0..<3) * 40)
    }

    private mutating func make(in context: ManagedObjectContext) {
        let work = number(0..<2) == 0 ? Work(context: context) : Song(context: context)
        work.code = number(0..<4) == 0 ? nil : "\(UInt64.random(in: 0 ... .max, using: &generator))"
        Reader(context: context).name = "\(number(0..<99))"
        if number(0..<4) == 0 { Album(context: context).title = "A\n\(number(0..<99))" }
    }
}

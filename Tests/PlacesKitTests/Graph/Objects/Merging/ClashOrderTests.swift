import PlacesKit
import PlacesKitTesting
import Testing

/// Where an object comes in ordered relationships when a new one becomes it.
@Suite struct ClashOrderTests {
    final class Track: ManagedObject {
        @Attribute(.unique(onClash: .update)) var code: String?
        @Attribute(.unique) var number: Int?
        @Relationship(inverse: \Playlist.tracks) var playlists: OrderedObjectSet<Playlist>
        @Relationship(inverse: \Album.tracks) var album: Album?
    }

    final class Playlist: ManagedObject {
        @Attribute(.unique(onClash: .update)) var name: String?
        @Relationship var tracks: OrderedObjectSet<Track>
    }

    final class Album: ManagedObject {
        @Relationship var tracks: OrderedObjectSet<Track>
    }

    private let store: GraphStore
    private let context: ManagedObjectContext

    init() throws {
        store = try GraphStore(model: [Track.self, Playlist.self, Album.self])
        context = ManagedObjectContext(store)
    }

    /// A playlist and an album of new tracks with a letter each.
    private func imported(_ letters: String) -> (playlist: Playlist, album: Album) {
        let (playlist, album) = (Playlist(context: context), Album(context: context))
        for letter in letters {
            let track = Track(context: context)
            track.code = String(letter)
            playlist.tracks.append(track)
            album.tracks.append(track)
        }
        return (playlist, album)
    }

    private func codes(_ tracks: OrderedObjectSet<Track>) -> String {
        tracks.map { $0.code ?? "?" }.joined()
    }

    @Test func `a saved object takes the place of the new one that becomes it`() throws {
        _ = imported("ac")
        try context.save()
        let (playlist, album) = imported("abcd")
        try context.save()
        #expect(codes(playlist.tracks) == "abcd" && codes(album.tracks) == "abcd")
        #expect(try context.count(Track.self) == 4)
        try context.checkIntegrity()
        let reader = ManagedObjectContext(store)
        let saved = try reader.existingObject(Playlist.self, with: playlist.objectID)
        #expect(codes(saved.tracks) == "abcd")
    }

    @Test func `a saved object takes its place in a list that was saved, too`() throws {
        _ = imported("xz")
        let (playlist, album) = imported("abc")
        try context.save()
        for (letter, position) in [("z", 1), ("x", 0), ("y", 2)] {
            let track = Track(context: context)
            track.code = letter
            playlist.tracks.insert(track, at: position)
            album.tracks.insert(track, at: position)
        }
        try context.save()
        #expect(codes(playlist.tracks) == "xayzbc" && codes(album.tracks) == "xayzbc")
        try context.checkIntegrity()
    }

    @Test func `a member that was there already stays where it is`() throws {
        let (playlist, album) = imported("ab")
        try context.save()
        let track = Track(context: context)
        track.code = "a"
        playlist.tracks.append(track)
        album.tracks.append(track)
        let (other, _) = imported("xyx")
        try context.save()
        #expect(codes(playlist.tracks) == "ab" && codes(album.tracks) == "ab")
        #expect(codes(other.tracks) == "xy")
        try context.checkIntegrity()
    }

    @Test func `the new one's place counts at either end of a relationship`() throws {
        let saved = Playlist(context: context)
        saved.name = "saved"
        try context.save()
        let track = Track(context: context)
        let playlists = ["first", "saved", "last"].map { name in
            let playlist = Playlist(context: context)
            playlist.name = name
            playlist.tracks.append(track)
            return playlist
        }
        let second = Track(context: context)
        playlists[1].tracks.append(second)
        try context.save()
        #expect(track.playlists.map(\.name) == ["first", "saved", "last"])
        #expect(Array(track.playlists) == [playlists[0], saved, playlists[2]])
        #expect(Array(saved.tracks) == [track, second])
        try context.checkIntegrity()
    }

    @Test(arguments: MergePolicy.allCases.filter { $0 != .error })
    func `what another context saved first takes the new one's place`(policy: MergePolicy) throws {
        context.mergePolicy = policy
        let other = ManagedObjectContext(store)
        Track(context: other).number = 2
        let (playlist, album) = (Playlist(context: context), Album(context: context))
        for number in 1...3 {
            let track = Track(context: context)
            track.number = number
            playlist.tracks.append(track)
            album.tracks.append(track)
        }
        try other.save()
        try context.save()
        #expect(playlist.tracks.map(\.number) == [1, 2, 3])
        // Whoever keeps the saved values keeps that it has no album.
        let isTaken = policy == .overwrite || policy == .mergeByPropertyObjectTrump
        #expect(album.tracks.map(\.number) == (isTaken ? [1, 2, 3] : [1, 3]))
        try context.checkIntegrity()
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// The numbers of commits in the store of a shared document, and in its feed.
@Suite(.serialized) struct SharedNumbersTests {
    private typealias Trip = SharingModel.Trip

    private nonisolated(nonsending) func save(
        _ titles: [String], in member: SharingMember, _ durability: ManagedDocument.Durability
    ) async throws {
        for title in titles {
            Trip(context: try member.context).title = title
            try await member.opened.save(durability: durability)
        }
    }

    /// The titles of the trips that some commits of the feed insert.
    private nonisolated(nonsending) func inserted(
        in document: ManagedDocument, since number: Int, count: Int
    ) async throws -> [String] {
        var titles: [String] = []
        for try await change in document.changes(since: number) {
            for object in change.inserted {
                if case .string(let title)? = object.values["title"] { titles.append(title) }
            }
            if titles.count >= count { break }
        }
        return titles
    }

    @Test func `who was too slow goes on in the feed, also after many commits came as one`()
        async throws
    {
        try await withTwoMembers { first, second, _ in
            try await save((0..<70).map { "a\($0)" }, in: first, .memory)
            try await first.synchronize()
            var all = try second.opened.store.commits.makeAsyncIterator()
            try await second.synchronize()
            let joined = try #require(await all.next())
            #expect(joined.number == 70 && joined.missed == 1..<70)
            let document = try second.opened
            var commits = document.store.commits(waiting: 2).makeAsyncIterator()
            let titles = (0..<6).map { "b\($0)" }
            try await save(titles, in: second, .shared)
            let commit = try #require(await commits.next())
            let missed = try #require(commit.missed)
            #expect(commit.number == 76)
            let found = try await inserted(
                in: document, since: missed.lowerBound - 1, count: titles.count)
            #expect(found == titles)
            let snapshot = try await document.snapshot(at: document.store.commitNumber)
            #expect(try snapshot.count(Trip.self) == 76)
        }
    }

    @Test func `who was told of a save before that of another has the other's in the feed`()
        async throws
    {
        try await withTwoMembers { first, second, _ in
            let document = try second.opened
            var commits = document.store.commits.makeAsyncIterator()
            try await save(["own"], in: second, .disk)
            #expect(await commits.next()?.number == 1)
            try await save(["other"], in: first, .shared)
            try await second.synchronize()
            let commit = try #require(await commits.next())
            #expect(commit.number == 2 && commit.missed == 1..<2)
            let found = try await inserted(in: document, since: 0, count: 2)
            #expect(found == ["other", "own"])
        }
    }

    @Test func `the store keeps earlier states though commits of others came as one`()
        async throws
    {
        try await withTwoMembers { first, second, _ in
            let store = try second.opened.store
            store.historyLimit = 3
            try await save(["own"], in: second, .shared)
            try await first.synchronize()
            try await save((0..<70).map { "a\($0)" }, in: first, .memory)
            try await first.synchronize()
            try await second.synchronize()
            #expect(store.history.map(\.number) == [0, 1, 71])
            #expect(try store.snapshot(at: 1).count(Trip.self) == 1)
            #expect(throws: HistoryError.notKept(5, kept: 0...71)) { try store.snapshot(at: 5) }
        }
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// The ranges of numbers that a log gives to a folder.
@Suite(.serialized) struct SharingRangeTests {
    private typealias Trip = SharingModel.Trip

    /// Lets a document have been opened so many times.
    private func open(_ member: SharingMember, times count: Int) throws {
        let file = member.url.appending(path: "sharing.json")
        let text = try String(contentsOf: file, encoding: .utf8)
        let changed = text.replacing("\"openings\":1", with: "\"openings\":\(count)")
        #expect(changed != text)
        try Data(changed.utf8).write(to: file)
    }

    @Test(arguments: [3_071, 3_072, 4_000, 4_095])
    func `a document that was opened 4,096 times can be opened without the log`(
        count: Int
    ) async throws {
        try await withTwoMembers { first, second, _ in
            try await first.close()
            try open(first, times: count)
            try await first.open()
            Trip(context: try first.context).title = "with the log"
            try await first.opened.save(durability: .shared)
            try await first.synchronize()
            try await first.close()
            first.connection.cut()
            for title in ["without", "again"] {
                try await first.open()
                Trip(context: try first.context).title = title
                try await first.opened.save()
                try await first.close()
            }
            first.connection.heal()
            try await first.open()
            try await first.synchronize()
            try await second.synchronize()
            #expect(try first.content().count == 3)
            #expect(try first.content() == second.content())
        }
    }

    @Test func `a range that can't be noted, as for lack of room, is kept for the next attempt`()
        async throws
    {
        let (link, files) = (MemorySharedLog().connection(), CrashingFiles())
        func open() async throws -> ManagedDocument {
            try await ManagedDocument.open(
                at: URL(filePath: "/Trips", directoryHint: .notDirectory),
                model: SharingModel.classes, options: .exchangedByHand(), sharing: link,
                files: files)
        }
        try await open().close()
        let file = FilePath("/Trips/sharing.json")
        let text = String(decoding: try files.read(file), as: UTF8.self)
        let changed = text.replacing("\"openings\":1", with: "\"openings\":4000")
        #expect(changed != text)
        try files.replaceFile(at: file, with: Array(changed.utf8))
        let document = try await open()
        files.fail { step in
            guard case .create(_, let path) = step, path.name.contains("sharing") else {
                return nil
            }
            return ENOSPC
        }
        for _ in 0..<3 { try await document.sharing?.synchronize() }
        files.mend()
        try await document.sharing?.synchronize()
        try await document.close()
        // The folder was given the first two.
        #expect(try await link.claimRange() == 3)
    }
}

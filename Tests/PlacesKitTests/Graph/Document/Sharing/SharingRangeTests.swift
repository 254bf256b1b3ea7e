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
}

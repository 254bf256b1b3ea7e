import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

#if os(Linux) || os(macOS)
    @Suite struct LinkLimitTests {
        /// Adds members to a club in a graph that has had nearly all links that there can be.
        private static func insert(_ count: Int, withRoomFor room: Int) {
            guard let context = try? TownModel.context() else { return }
            let transaction = context.transaction
            let club = Club("Full", in: context)
            for table in transaction.layout.edgeTables {
                transaction.current.tables[table].upperBound = Int(Int32.max) - room
            }
            for _ in 0..<count { club.members.insert(context.citizen("New")) }
        }

        @Test func `more links than can have a number end the program with a sentence`() async {
            await #expect(processExitsWith: .success) { Self.insert(2, withRoomFor: 2) }
            let result = await #expect(
                processExitsWith: .failure, observing: [\.standardErrorContent]
            ) {
                Self.insert(3, withRoomFor: 2)
            }
            let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
            #expect(text.contains("at most 2147483647 links of a many-to-many"), "\(text)")
        }
    }
#endif

import Foundation
import PlacesKitTesting
import Testing

@testable import PlacesKit
@testable import PlacesKitTests

@MainActor @Suite(.endsWaiting) struct DeletionMemoryTests {
    @Test func `of more deletions than are remembered the oldest are forgotten`() async throws {
        try await LibraryFixture.with(TestSource()) { library, fixture in
            let context = library.context
            let count = PlacesLibrary.rememberedDeletions + 2
            for number in 0..<count {
                let deletion = try context.findOrInsert(
                    DeletedPhoto.self, \.uniqueID, "\(number)")
                deletion.date = fixture.now + Double(number - count)
            }
            try await library.delete(try library.view(record("last")))
            let deleted = try library.deletedPhotos().objects
            #expect(deleted.count == PlacesLibrary.rememberedDeletions)
            #expect(deleted.first?.uniqueID == "last" && deleted.last?.uniqueID == "3")
        }
    }
}

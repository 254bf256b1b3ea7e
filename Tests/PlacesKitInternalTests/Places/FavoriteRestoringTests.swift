import PlacesKitTesting
import Testing

@testable import PlacesKit
@testable import PlacesKitTests

@MainActor @Suite(.endsWaiting) struct FavoriteRestoringTests {
    @Test func `a mark or an unmark after the list of favorites was made is not undone by it`()
        async throws
    {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let images = try #require(library.favoriteImages)
            let (a, b) = (try library.view(record("a")), try library.view(record("b")))
            for round in 0..<20 {
                try await library.setFavorite(true, for: b)
                var isListed = false
                let restoring = Task {
                    // It lists before it waits for anything.
                    isListed = true
                    return try await library.restoreFavoriteImages()
                }
                while !isListed { await Task.yield() }
                // What follows the save of a mark, or of an unmark.
                let isMark = round % 2 == 0
                if isMark {
                    try await images.add(a.pictureRequest)
                } else {
                    try await images.remove(photo: "b")
                }
                _ = try await restoring.value
                #expect(images.contains(photo: "a") == isMark, "round \(round)")
                #expect(images.contains(photo: "b") == isMark, "round \(round)")
                try await images.remove(photo: "a")
                try await library.setFavorite(false, for: b)
            }
        }
    }
}

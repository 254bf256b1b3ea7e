import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What the steps of a view are called that it can take back.
@MainActor @Suite(.endsWaiting) struct StepNameTests {
    private let paris = Coordinate(latitude: 48.85, longitude: 2.35)
    private let rome = Coordinate(latitude: 41.9, longitude: 12.5)

    /// What the next undo and the next redo of a view are called.
    private func names(in view: PlacesLibrary) -> [String] {
        [view.context.undoActionName, view.context.redoActionName]
    }

    @Test func `each step has its own name, also one that fails after it was saved`() async throws {
        let source = TestSource()
        try await LibraryFixture.with(source) { library, _ in
            let view = library.makeView()
            let pin = try view.dropPin(at: paris, named: "Home")
            #expect(names(in: view) == ["Drop pin", ""])
            try view.move(pin, to: rome)
            #expect(names(in: view) == ["Move “Home”", ""])
            try view.move(pin, to: rome)
            #expect(names(in: view) == ["Move “Home”", ""])
            try await view.undo()
            #expect(names(in: view) == ["Drop pin", "Move “Home”"])
            try view.delete(pin)
            #expect(names(in: view) == ["Delete “Home”", ""])

            let photo = try view.view(record("1"))
            let title = photo.title
            #expect(names(in: view) == ["View “\(title)”", ""])
            source.with { $0.failingPictures = ["1-large": 9] }
            await #expect(throws: PhotoSourceError.self) {
                try await view.setFavorite(true, for: photo)
            }
            #expect(photo.isFavorite && names(in: view) == ["Star “\(title)”", ""])
            try await view.setFavorite(false, for: photo)
            #expect(names(in: view) == ["Unstar “\(title)”", ""])
            try view.removeFromRecents(photo)
            #expect(names(in: view) == ["Remove “\(title)” from recents", ""])
            try await view.delete(photo)
            #expect(names(in: view) == ["Delete “\(title)”", ""])
            try await view.undo()
            #expect(names(in: view) == ["Remove “\(title)” from recents", "Delete “\(title)”"])
        }
    }

    @Test func `what a listener changes because of a step is a part of it`() async throws {
        try await LibraryFixture.with(TestSource()) { library, _ in
            let view = library.makeView()
            let pin = try view.dropPin(at: paris, named: "Home")
            let subscription = view.context.onChange { [rome] _ in
                if pin.coordinate == rome, pin.name == "Home" { pin.name = "Away" }
            }
            defer { subscription.cancel() }
            try view.move(pin, to: rome)
            #expect(pin.name == "Away" && names(in: view) == ["Move “Home”", ""])
            try await view.undo()
            #expect(pin.coordinate == paris && pin.name == "Home")
            #expect(names(in: view) == ["Drop pin", "Move “Home”"])
        }
    }
}

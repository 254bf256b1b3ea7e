import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization

/// A folder, a clock and a source for a library that is opened again and again.
@MainActor final class LibraryFixture {
    let folder: URL
    let clock = ManualClock()
    var options = PlacesLibrary.Options()
    /// Noon, so that an hour more or less is the same day.
    nonisolated static let start = Date(timeIntervalSince1970: 1_750_075_200)

    var now: Date { Self.start + clock.now.offset / .seconds(1) }

    private init(_ folder: URL) {
        self.folder = folder
        options.now = { [clock] in Self.start + clock.now.offset / .seconds(1) }
        options.clock = clock
        options.generator = SeededGenerator(seed: 7)
        // What a test has not saved itself is lost when it drops the library.
        options.document.autosave = nil
        options.calendar = Calendar(identifier: .gregorian)
        options.calendar.timeZone = .gmt
    }

    static func with<Value>(
        _ body: @MainActor (LibraryFixture) async throws -> Value
    ) async throws -> Value {
        try await withTemporaryDirectory { try await body(LibraryFixture($0)) }
    }

    /// Opens a library before all else.
    static func with<Value>(
        _ source: any PhotoSource,
        _ body: @MainActor (PlacesLibrary, LibraryFixture) async throws -> Value
    ) async throws -> Value {
        try await with { try await body($0.open(source), $0) }
    }

    /// Lets the clock of libraries that are opened from now on be stopped.
    func pausedClock() -> PausedClock {
        let (pause, now) = (PausedClock(), options.now)
        options.now = {
            pause.pass()
            return now()
        }
        return pause
    }

    func open(_ source: any PhotoSource) async throws -> PlacesLibrary {
        try await PlacesLibrary.open(
            at: folder.appending(path: "Library"), source: source, options: options)
    }

    /// The files of favorites' pictures.
    var imageFiles: [String] {
        let path = folder.appending(path: "Library.images").path()
        let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
        return names.filter { $0.hasSuffix(".kept") }.sorted()
    }
}

/// A source of a few photos that remembers what it was asked, and does as a test says.
final class TestSource: PhotoSource {
    struct State {
        var photos: [PhotoRecord] = []
        /// What the places of photos are called, by the photos' place identifiers.
        var regions: [String: String] = [:]
        /// The photos around every point, in pages; `nil` makes pages of `photos`.
        var usablePages: Int?
        var namesAsked: [String] = []
        var picturesAsked: [String] = []
        var detailsAsked: [String] = []
        var pagesAsked: [Int] = []
        /// Photos that were deleted at the source after it had listed them.
        var gonePhotos: Set<String> = []
        var failure: (any Error)?
        /// Pictures that fail, with how often they still do.
        var failingPictures: [String: Int] = [:]
        /// How they fail.
        var pictureFailure: any Error = PhotoSourceError.timedOut(after: .seconds(1))
        /// How many pictures come before all others wait until they are let go, or cancelled.
        var picturesBeforeGate = Int.max
    }

    let state: Mutex<State>
    let name = "Test"
    let capabilities = Set(PhotoSourceCapability.allCases)

    init(_ photos: [PhotoRecord] = []) {
        state = Mutex(State(photos: photos))
    }

    func with<Value>(_ body: (inout State) -> Value) -> Value { state.withLock { body(&$0) } }

    private func checked<Value>(_ body: (inout State) throws -> Value) throws -> Value {
        try Task.checkCancellation()
        return try state.withLock { state in
            if let failure = state.failure { throw failure }
            return try body(&state)
        }
    }

    func places() async throws -> [PlaceRecord] {
        try checked { state in
            Set(state.photos.compactMap(\.placeIdentifier)).sorted()
                .map { PlaceRecord(identifier: $0, name: $0) }
        }
    }

    func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        try checked { state in
            Array(state.photos.filter { $0.placeIdentifier == place.identifier }.prefix(limit))
        }
    }

    func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        try checked { Array($0.photos.prefix(limit)) }
    }

    func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try checked { state in
            state.pagesAsked.append(page)
            let count = (state.photos.count + perPage - 1) / perPage
            let skipped = min(page - 1, count) * perPage
            return PhotoPage(
                page: page, usablePages: state.usablePages ?? count,
                photos: Array(state.photos.dropFirst(skipped).prefix(perPage)))
        }
    }

    func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try checked { state in
            state.detailsAsked.append(identifier)
            guard !state.gonePhotos.contains(identifier) else {
                throw PhotoSourceError.gone(what: "Photo \(identifier)")
            }
            return state.photos.first { $0.identifier == identifier } ?? record(identifier)
        }
    }

    func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        try checked { state in
            guard !state.gonePhotos.contains(photo.identifier) else {
                throw PhotoSourceError.gone(what: "Photo \(photo.identifier)")
            }
            let place = state.photos.first { $0.identifier == photo.identifier }?.placeIdentifier
            state.namesAsked.append(place ?? photo.identifier)
            return PlaceNames(
                locality: "City", region: place.flatMap { state.regions[$0] }, country: "Land")
        }
    }

    func data(for variant: PhotoVariant) async throws -> Data {
        let name = variant.url.lastPathComponent
        let isWaiting = try checked { state in
            state.picturesAsked.append(name)
            if let count = state.failingPictures[name], count > 0 {
                state.failingPictures[name] = count - 1
                throw state.pictureFailure
            }
            state.picturesBeforeGate -= 1
            return state.picturesBeforeGate < 0
        }
        while isWaiting, with({ $0.picturesBeforeGate < 0 }) {
            try Task.checkCancellation()
            await Task.yield()
        }
        return .picture(name)
    }
}

/// The same object in another view, which shows all that is saved.
@MainActor func same<Object: ManagedObject>(
    _ object: Object, in view: PlacesLibrary
) throws -> Object {
    view.context.refreshAllObjects()
    return try view.context.existingObject(Object.self, with: object.objectID)
}

/// What a source says of a photo.
func record(
    _ identifier: String, title: String? = nil, by owner: String = "ada",
    in place: String? = "Paris, France", uploaded seconds: Double = 0,
    at coordinate: Coordinate? = Coordinate(latitude: 48.85, longitude: 2.35)
) -> PhotoRecord {
    PhotoRecord(
        identifier: identifier, title: title ?? identifier,
        owner: PhotoOwner(identifier: owner, name: owner),
        uploaded: LibraryFixture.start + seconds, coordinate: coordinate, placeIdentifier: place,
        variants: [("small", 150), ("large", 1_024)].compactMap { name, edge in
            URL(string: "test://pictures/\(identifier)-\(name)").map {
                PhotoVariant(name: name, url: $0, width: edge, height: edge * 3 / 4)
            }
        })
}

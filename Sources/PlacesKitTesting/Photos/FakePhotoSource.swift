public import Foundation
public import PlacesKit
import Synchronization

/// A photo source that answers as a test tells it, and records the calls.
///
/// ```swift
/// let source = FakePhotoSource()
/// source.answerPlaces(.failure(PhotoSourceError.notConnected(reason: "no network")))
/// source.answerPlaces(.value(places))         // the second call, and all after it
/// ```
///
/// A call without an answer throws `PhotoSourceError.unavailable`; a call for a picture throws
/// `gone`. A call in a cancelled task throws `CancellationError`, and leaves its answer to the next.
public final class FakePhotoSource: PhotoSource {
    /// A call that was made.
    public enum Call: Hashable, Sendable {
        /// The top places were asked for.
        case places
        /// The photos of a place were asked for.
        case photosInPlace(identifier: String, limit: Int)
        /// The recent photos were asked for.
        case recentPhotos(limit: Int)
        /// The photos in an area were asked for.
        case photosInArea(CoordinateArea, page: Int, perPage: Int)
        /// All about a photo was asked for.
        case details(identifier: String)
        /// The names of a point were asked for.
        case placeNames(Coordinate)
        /// A picture was asked for.
        case data(PhotoVariant)
    }

    private struct State {
        var calls: [Call] = []
        var places = Script<[PlaceRecord]>()
        var photosInPlace = Script<[PhotoRecord]>()
        var recentPhotos = Script<[PhotoRecord]>()
        var photosInArea = Script<PhotoPage>()
        var details = Script<PhotoRecord>()
        var placeNames = Script<PlaceNames?>()
        var data = Script<Data>()
    }

    /// The name that the initializer was given.
    public let name: String

    /// All capabilities, also those for which there are no answers yet.
    public var capabilities: Set<PhotoSourceCapability> { Set(PhotoSourceCapability.allCases) }

    private let state = Mutex(State())

    /// Creates a source without answers.
    public init(name: String = "Fake") {
        self.name = name
    }

    /// The calls made so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Adds an answer to `places()`; the last answer is repeated forever.
    public func answerPlaces(_ reply: ScriptedReply<[PlaceRecord]>) {
        state.withLock { $0.places.append(reply) }
    }

    /// Adds an answer to `photos(in:limit:)`; the last answer is repeated forever.
    public func answerPhotosInPlace(_ reply: ScriptedReply<[PhotoRecord]>) {
        state.withLock { $0.photosInPlace.append(reply) }
    }

    /// Adds an answer to `recentPhotos(limit:)`; the last answer is repeated forever.
    public func answerRecentPhotos(_ reply: ScriptedReply<[PhotoRecord]>) {
        state.withLock { $0.recentPhotos.append(reply) }
    }

    /// Adds an answer to `photos(in:page:perPage:)`; the last answer is repeated forever.
    public func answerPhotosInArea(_ reply: ScriptedReply<PhotoPage>) {
        state.withLock { $0.photosInArea.append(reply) }
    }

    /// Adds an answer to `details(ofPhoto:)`; the last answer is repeated forever.
    public func answerDetails(_ reply: ScriptedReply<PhotoRecord>) {
        state.withLock { $0.details.append(reply) }
    }

    /// Adds an answer to `placeNames(at:)`; the last answer is repeated forever.
    public func answerPlaceNames(_ reply: ScriptedReply<PlaceNames?>) {
        state.withLock { $0.placeNames.append(reply) }
    }

    /// Adds an answer to `data(for:)`; the last answer is repeated forever.
    public func answerData(_ reply: ScriptedReply<Data>) {
        state.withLock { $0.data.append(reply) }
    }

    /// Returns the next scripted places.
    public func places() async throws -> [PlaceRecord] {
        try await answer(.places, \.places, notSupported(.places))
    }

    /// Returns the next scripted photos of a place, at most `limit`.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        let photos = try await answer(
            .photosInPlace(identifier: place.identifier, limit: limit), \.photosInPlace,
            notSupported(.photosOfPlaces))
        return Array(photos.prefix(max(0, limit)))
    }

    /// Returns the next scripted recent photos, at most `limit`.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let photos = try await answer(
            .recentPhotos(limit: limit), \.recentPhotos, notSupported(.recentPhotos))
        return Array(photos.prefix(max(0, limit)))
    }

    /// Returns the next scripted page.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try await answer(
            .photosInArea(area, page: page, perPage: perPage), \.photosInArea,
            notSupported(area.capability))
    }

    /// Returns the next scripted details.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try await answer(.details(identifier: identifier), \.details, notSupported(.details))
    }

    /// Returns the next scripted names.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try await answer(.placeNames(coordinate), \.placeNames, notSupported(.placeNames))
    }

    /// Returns the next scripted picture.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try await answer(
            .data(variant), \.data,
            .gone(what: "The picture \(variant.name), which has no answer,"))
    }

    /// Notes a call, and answers it as its script says; a call without a script fails.
    ///
    /// In a cancelled task it fails by that, and the answer is for the next call.
    private func answer<Value>(
        _ call: Call, _ script: WritableKeyPath<State, Script<Value>>, _ failure: PhotoSourceError
    ) async throws -> Value {
        let reply = try state.withLock { state in
            state.calls.append(call)
            try Task.checkCancellation()
            return state[keyPath: script].next()
        }
        guard let reply else { throw failure }
        return try await reply.resolve()
    }
}

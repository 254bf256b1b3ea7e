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
/// `gone`.
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
        case photosInArea(PhotoArea, page: Int, perPage: Int)
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

    /// All capabilities, as far as there are answers.
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
        let reply = state.withLock { state in
            state.calls.append(.places)
            return state.places.next()
        }
        return try await resolve(reply, .places)
    }

    /// Returns the next scripted photos of a place, at most `limit`.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        let reply = state.withLock { state in
            state.calls.append(.photosInPlace(identifier: place.identifier, limit: limit))
            return state.photosInPlace.next()
        }
        return Array(try await resolve(reply, .photosOfPlaces).prefix(max(0, limit)))
    }

    /// Returns the next scripted recent photos, at most `limit`.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let reply = state.withLock { state in
            state.calls.append(.recentPhotos(limit: limit))
            return state.recentPhotos.next()
        }
        return Array(try await resolve(reply, .recentPhotos).prefix(max(0, limit)))
    }

    /// Returns the next scripted page.
    public func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
        let reply = state.withLock { state in
            state.calls.append(.photosInArea(area, page: page, perPage: perPage))
            return state.photosInArea.next()
        }
        return try await resolve(reply, area.capability)
    }

    /// Returns the next scripted details.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        let reply = state.withLock { state in
            state.calls.append(.details(identifier: identifier))
            return state.details.next()
        }
        return try await resolve(reply, .details)
    }

    /// Returns the next scripted names.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        let reply = state.withLock { state in
            state.calls.append(.placeNames(coordinate))
            return state.placeNames.next()
        }
        return try await resolve(reply, .placeNames)
    }

    /// Returns the next scripted picture.
    public func data(for variant: PhotoVariant) async throws -> Data {
        let reply = state.withLock { state in
            state.calls.append(.data(variant))
            return state.data.next()
        }
        guard let reply else {
            throw PhotoSourceError.gone(what: "The picture \(variant.name), which has no answer,")
        }
        return try await reply.resolve()
    }

    private func resolve<Value>(
        _ reply: ScriptedReply<Value>?, _ capability: PhotoSourceCapability
    ) async throws -> Value {
        guard let reply else { throw notSupported(capability) }
        return try await reply.resolve()
    }
}

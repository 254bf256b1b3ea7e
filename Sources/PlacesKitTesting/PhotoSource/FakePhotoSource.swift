public import Foundation
public import PlacesKit
import Synchronization

/// A photo source that does what a test tells it, and remembers what it was asked.
///
/// ```swift
/// let source = FakePhotoSource()
/// source.answerPlaces(.failure(PhotoSourceError.notConnected(reason: "no network")))
/// source.answerPlaces(.value([paris]))        // the second call, and all after it
/// ```
///
/// A call without an answer throws `PhotoSourceError.unavailable`.
public final class FakePhotoSource: PhotoSource {
    /// A call that was made.
    public enum Call: Hashable, Sendable {
        /// The top places were asked for.
        case places
        /// The photos of a place were asked for.
        case photosInPlace(identifier: String, limit: Int)
        /// The recent photos were asked for.
        case recentPhotos(limit: Int)
        /// The photos around a point were asked for.
        case photosNear(Coordinate, radius: Double, page: Int, perPage: Int)
        /// A picture was asked for.
        case data(PhotoVariant)
    }

    private struct State {
        var calls: [Call] = []
        var places = Script<[PlaceRecord]>()
        var photosInPlace = Script<[PhotoRecord]>()
        var recentPhotos = Script<[PhotoRecord]>()
        var photosNear = Script<PhotoPage>()
        var data = Script<Data>()
    }

    /// The name given to it.
    public let name: String

    private let state = Mutex(State())

    /// Creates a source without answers.
    public init(name: String = "Fake") {
        self.name = name
    }

    /// The calls made so far, in order.
    public var calls: [Call] { state.withLock { $0.calls } }

    /// Adds an answer to `places()`; the last one added is given for ever.
    public func answerPlaces(_ reply: ScriptedReply<[PlaceRecord]>) {
        state.withLock { $0.places.append(reply) }
    }

    /// Adds an answer to `photos(in:limit:)`; the last one added is given for ever.
    public func answerPhotosInPlace(_ reply: ScriptedReply<[PhotoRecord]>) {
        state.withLock { $0.photosInPlace.append(reply) }
    }

    /// Adds an answer to `recentPhotos(limit:)`; the last one added is given for ever.
    public func answerRecentPhotos(_ reply: ScriptedReply<[PhotoRecord]>) {
        state.withLock { $0.recentPhotos.append(reply) }
    }

    /// Adds an answer to `photos(near:radius:page:perPage:)`; the last one added is given for ever.
    public func answerPhotosNear(_ reply: ScriptedReply<PhotoPage>) {
        state.withLock { $0.photosNear.append(reply) }
    }

    /// Adds an answer to `data(for:)`; the last one added is given for ever.
    public func answerData(_ reply: ScriptedReply<Data>) {
        state.withLock { $0.data.append(reply) }
    }

    /// Gives the next scripted places.
    public func places() async throws -> [PlaceRecord] {
        let reply = state.withLock { state in
            state.calls.append(.places)
            return state.places.next()
        }
        return try await resolve(reply, "places()")
    }

    /// Gives the next scripted photos of a place, at most so many.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        let reply = state.withLock { state in
            state.calls.append(.photosInPlace(identifier: place.identifier, limit: limit))
            return state.photosInPlace.next()
        }
        return Array(try await resolve(reply, "photos(in:)").prefix(max(0, limit)))
    }

    /// Gives the next scripted recent photos, at most so many.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        let reply = state.withLock { state in
            state.calls.append(.recentPhotos(limit: limit))
            return state.recentPhotos.next()
        }
        return Array(try await resolve(reply, "recentPhotos(limit:)").prefix(max(0, limit)))
    }

    /// Gives the next scripted page.
    public func photos(
        near coordinate: Coordinate, radius kilometers: Double, page: Int, perPage: Int
    ) async throws -> PhotoPage {
        let reply = state.withLock { state in
            state.calls.append(
                .photosNear(coordinate, radius: kilometers, page: page, perPage: perPage))
            return state.photosNear.next()
        }
        return try await resolve(reply, "photos(near:)")
    }

    /// Gives the next scripted picture.
    public func data(for variant: PhotoVariant) async throws -> Data {
        let reply = state.withLock { state in
            state.calls.append(.data(variant))
            return state.data.next()
        }
        return try await resolve(reply, "data(for:)")
    }

    private func resolve<Value>(
        _ reply: ScriptedReply<Value>?, _ operation: String
    ) async throws -> Value {
        guard let reply else {
            throw PhotoSourceError.unavailable(
                reason: .notSupported(provider: name, operation: operation))
        }
        return try await reply.resolve()
    }
}

public import Foundation
public import PlacesKit

/// A photo source that asks another one once, and replays its answers for ever.
///
/// It records answers, where `RecordedTransport` records replies: it works over any source, without
/// exercising its decoder. Errors that asking again cannot mend are recorded too.
public struct RecordedPhotoSource: PhotoSource {
    /// An answer as it is written.
    private enum Answer<Value: Codable>: Codable {
        case value(Value)
        case gone(String)
    }

    /// The name of the source that was recorded.
    public let name: String
    /// The capabilities of the source that was recorded.
    public let capabilities: Set<PhotoSourceCapability>
    /// The caps of the source that was recorded.
    public let caps: PhotoSourceCaps
    /// The policy of the source that was recorded.
    public let cachingPolicy: PhotoCachingPolicy

    private let folder: URL
    private let base: (any PhotoSource)?

    /// What a source says of itself, as it is written.
    private struct Traits: Codable {
        let name: String
        let capabilities: Set<PhotoSourceCapability>
        let caps: PhotoSourceCaps
        let cachingPolicy: PhotoCachingPolicy
    }

    /// Opens a recording, or begins one.
    ///
    /// - Parameters:
    ///   - folder: Where the answers lie.
    ///   - base: What is asked for answers that are missing; nil if that is an error.
    /// - Throws: An error of Foundation if there is neither a recording nor a source, or the folder cannot be
    ///   written.
    public init(folder: URL, recording base: (any PhotoSource)? = nil) throws {
        self.folder = folder
        self.base = base
        let file = folder.appending(path: "source.json")
        let traits: Traits
        if let base {
            traits = Traits(
                name: base.name, capabilities: base.capabilities, caps: base.caps,
                cachingPolicy: base.cachingPolicy)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try JSONEncoder().encode(traits).write(to: file, options: .atomic)
        } else {
            traits = try JSONDecoder().decode(Traits.self, from: Data(contentsOf: file))
        }
        name = traits.name
        capabilities = traits.capabilities
        caps = traits.caps
        cachingPolicy = traits.cachingPolicy
    }

    /// The places.
    public func places() async throws -> [PlaceRecord] {
        try await answer("places", "", needs: .places) { try await $0.places() }
    }

    /// The photos of a place.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        try await answer("place", "\(place.identifier) \(limit)", needs: .photosOfPlaces) {
            try await $0.photos(in: place, limit: limit)
        }
    }

    /// The recent photos.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        try await answer("recent", "\(limit)", needs: .recentPhotos) {
            try await $0.recentPhotos(limit: limit)
        }
    }

    /// A page.
    public func photos(in area: PhotoArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        return try await answer("area", "\(area) \(page) \(perPage)", needs: area.capability) {
            try await $0.photos(in: area, page: page, perPage: perPage)
        }
    }

    /// The details of a photo.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try await answer("details", identifier, needs: .details) {
            try await $0.details(ofPhoto: identifier)
        }
    }

    /// The names of a point.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try await answer("names", "\(coordinate)", needs: .placeNames) {
            try await $0.placeNames(at: coordinate)
        }
    }

    /// The names of a photo's place.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        try await answer("photonames", photo.identifier) { try await $0.placeNames(of: photo) }
    }

    /// The sizes of a photo.
    public func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] {
        try await answer("variants", photo.identifier) { try await $0.variants(of: photo) }
    }

    /// A picture.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try await answer("data", variant.url.absoluteString) { try await $0.data(for: variant) }
    }

    private func answer<Value: Codable>(
        _ operation: String, _ arguments: String, needs capability: PhotoSourceCapability? = nil,
        _ ask: (any PhotoSource) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        if let capability, !capabilities.contains(capability) { throw notSupported(capability) }
        let file = folder.appending(path: recordingName(operation, of: arguments))
        if let data = try? Data(contentsOf: file) {
            switch try JSONDecoder().decode(Answer<Value>.self, from: data) {
            case .value(let value): return value
            case .gone(let what): throw PhotoSourceError.gone(what: what)
            }
        }
        guard let base else {
            throw PhotoSourceError.notConnected(
                reason: "there is no recording of \(operation) \(arguments)")
        }
        let answer: Answer<Value>
        do {
            answer = .value(try await ask(base))
        } catch PhotoSourceError.gone(let what) {
            answer = .gone(what)
        }
        try JSONEncoder().encode(answer).write(to: file, options: .atomic)
        switch answer {
        case .value(let value): return value
        case .gone(let what): throw PhotoSourceError.gone(what: what)
        }
    }
}

public import Foundation
public import PlacesKit

/// A photo source that asks another source once, and replays its answers forever.
///
/// It records answers, whereas `RecordedTransport` records replies. So it works over any source,
/// but does not exercise the source's decoder. It also records errors that would be the same on a
/// second call, whoever makes it: not those that depend on a key or a limit.
public struct RecordedPhotoSource: PhotoSource {
    /// An answer in its file.
    private enum Answer<Value: Codable & Sendable>: Codable, Sendable {
        case value(Value)
        case gone(String)
        case invalidRequest(String)
        case nothing(provider: String, method: String)
        case notSupported(provider: String, operation: String)
        case status(Int)

        /// The answer that an error is; `nil` for one that another call may not have.
        init?(_ error: PhotoSourceError) {
            switch error {
            case .gone(let what): self = .gone(what)
            case .invalidRequest(let reason): self = .invalidRequest(reason)
            case .unavailable(reason: .methodReturnsNothing(let provider, let method)):
                self = .nothing(provider: provider, method: method)
            case .unavailable(reason: .notSupported(let provider, let operation)):
                self = .notSupported(provider: provider, operation: operation)
            case .http(let status, _) where status == 404 || status == 410: self = .status(status)
            default: return nil
            }
        }

        func get() throws(PhotoSourceError) -> Value {
            switch self {
            case .value(let value): value
            case .gone(let what): throw .gone(what: what)
            case .invalidRequest(let reason): throw .invalidRequest(reason: reason)
            case .nothing(let provider, let method):
                throw .unavailable(
                    reason: .methodReturnsNothing(provider: provider, method: method))
            case .notSupported(let provider, let operation):
                throw .unavailable(
                    reason: .notSupported(provider: provider, operation: operation))
            case .status(let status): throw .http(status: status, retryAfter: nil)
            }
        }
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
    /// Questions that are being asked; each has an `Answer` of its own type.
    private let questions = SharedWork<String, any Sendable>()

    /// What a source says about itself, in its file.
    private struct Traits: Codable {
        let name: String
        let capabilities: Set<PhotoSourceCapability>
        let caps: PhotoSourceCaps
        let cachingPolicy: PhotoCachingPolicy
    }

    /// Opens a recording, or begins one.
    ///
    /// - Parameters:
    ///   - folder: The folder of the recorded answers.
    ///   - base: The source to ask for answers that are missing; nil if a missing answer is an
    ///     error.
    /// - Throws: An error of Foundation if there is neither a recording nor a source, or the folder
    ///   cannot be written.
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
        try await answer("places", needs: .places) { try await $0.places() }
    }

    /// The photos of a place.
    public func photos(in place: PlaceRecord, limit: Int) async throws -> [PhotoRecord] {
        try await answer(
            "photosOfPlaces", [("place", place.identifier), ("limit", "\(limit)")],
            needs: .photosOfPlaces
        ) {
            try await $0.photos(in: place, limit: limit)
        }
    }

    /// The recent photos.
    public func recentPhotos(limit: Int) async throws -> [PhotoRecord] {
        try await answer("recentPhotos", [("limit", "\(limit)")], needs: .recentPhotos) {
            try await $0.recentPhotos(limit: limit)
        }
    }

    /// A page.
    public func photos(in area: CoordinateArea, page: Int, perPage: Int) async throws -> PhotoPage {
        try caps.validate(area, page: page, perPage: perPage)
        let place: [(name: String, value: String)] =
            switch area {
            case .circle(let center, let radius): Self.point(center) + [("radius", "\(radius)")]
            case .box(let box): Self.point(box.southwest) + Self.point(box.northeast)
            }
        return try await answer(
            area.capability.rawValue,
            place + [("per_page", "\(perPage)"), ("page", "\(page)")], needs: area.capability
        ) {
            try await $0.photos(in: area, page: page, perPage: perPage)
        }
    }

    /// The details of a photo.
    public func details(ofPhoto identifier: String) async throws -> PhotoRecord {
        try await answer("details", [("photo", identifier)], needs: .details) {
            try await $0.details(ofPhoto: identifier)
        }
    }

    /// The names of a point.
    public func placeNames(at coordinate: Coordinate) async throws -> PlaceNames? {
        try coordinate.validate()
        return try await answer("placeNames", Self.point(coordinate), needs: .placeNames) {
            try await $0.placeNames(at: coordinate)
        }
    }

    /// The names of a photo's place.
    public func placeNames(of photo: PhotoRecord) async throws -> PlaceNames? {
        // A record that has moved, or has names of its own, is another question.
        var record = [(name: "photo", value: photo.identifier)]
        if let place = photo.placeIdentifier { record.append(("place", place)) }
        if let coordinate = photo.coordinate { record += Self.point(coordinate) }
        if let names = photo.placeNames {
            record += [
                ("locality", names.locality ?? ""), ("region", names.region ?? ""),
                ("country", names.country ?? ""),
            ]
        }
        return try await answer("placeNames", record) { try await $0.placeNames(of: photo) }
    }

    /// The sizes of a photo.
    public func variants(of photo: PhotoRecord) async throws -> [PhotoVariant] {
        let known = photo.variants.map { (name: $0.name, value: $0.url.absoluteString) }
        return try await answer("variants", [("photo", photo.identifier)] + known) {
            try await $0.variants(of: photo)
        }
    }

    /// A picture.
    public func data(for variant: PhotoVariant) async throws -> Data {
        try await answer("data", [("variant", variant.url.absoluteString)]) {
            try await $0.data(for: variant)
        }
    }

    private static func point(_ point: Coordinate) -> [(name: String, value: String)] {
        [("latitude", "\(point.latitude)"), ("longitude", "\(point.longitude)")]
    }

    private func answer<Value: Codable & Sendable>(
        _ operation: String, _ arguments: [(name: String, value: String)] = [],
        needs capability: PhotoSourceCapability? = nil,
        _ ask: @escaping @Sendable (any PhotoSource) async throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        if let capability, !capabilities.contains(capability) { throw notSupported(capability) }
        let question = ([operation] + arguments.map { "\($0.name): \($0.value)" })
            .joined(separator: ", ")
        let name = RecordingName(operation, arguments, of: question)
        let recordings = RecordingFolder<Answer<Value>>(url: folder)
        let found = try await questions.value(for: question) {
            if let answer = try recordings.answer(to: question, name) { return answer }
            guard let base else { throw recordings.missing(question, name) }
            let answer: Answer<Value>
            do {
                answer = .value(try await ask(base))
            } catch let error as PhotoSourceError {
                guard let known = Answer<Value>(error) else { throw error }
                answer = known
            }
            try recordings.record(answer, to: question, name)
            return answer
        }
        guard let answer = found as? Answer<Value> else {
            preconditionFailure("“\(question)” has answers of two types")
        }
        return try answer.get()
    }
}

package import Foundation

extension ImageLoader {
    /// Asks about a photo, none of whose addresses leads anywhere: returns a request by its present
    /// addresses, or nil if its source has removed it.
    package typealias Readdress = @Sendable (ImageRequest) async throws -> ImageRequest?

    /// A picture, from its photo's present address where the known ones lead nowhere.
    ///
    /// - Throws: What ``image(_:priority:)`` throws, but `gone` only if the source says so of the photo.
    package func image(
        _ request: ImageRequest, priority: ImagePriority = .visible,
        readdressing readdress: @escaping Readdress
    ) async throws -> Data {
        try await loaded(request, priority: LivePriority(priority), readdressing: readdress)
            .image.data
    }

    /// The best picture of a ladder, or of that which `readdress` returns in its place; and its key.
    func loaded(
        _ request: ImageRequest, priority: LivePriority, evenIfKept: Bool = false,
        readdressing readdress: Readdress?
    ) async throws -> (image: MemoryImage, key: ImageKey) {
        do {
            return try await loaded(request, priority: priority, evenIfKept: evenIfKept)
        } catch let error as PhotoSourceError where error.meansGone {
            guard let readdress else { throw error }
            guard let present = try await readdress(request) else {
                throw PhotoSourceError.gone(what: "The photo “\(request.photo)”")
            }
            guard !present.ladder.isEmpty else {
                throw PhotoSourceError.noAddress(ofPhoto: request.photo)
            }
            guard present.ladder != request.ladder else {
                throw PhotoSourceError.deadAddress(ofPhoto: request.photo)
            }
            do {
                return try await loaded(present, priority: priority, evenIfKept: evenIfKept)
            } catch let error as PhotoSourceError where error.meansGone {
                throw PhotoSourceError.deadAddress(ofPhoto: request.photo)
            }
        }
    }
}

extension PhotoSourceError {
    /// The error for a picture whose address nobody told.
    static func noAddress(ofPhoto photo: String) -> PhotoSourceError {
        .unavailable(
            reason: .unreadable(
                provider: "The picture of photo “\(photo)”",
                reason: "Its source tells no address of it, but did not say that it removed the "
                    + "photo; fetch a list with the photo, to see whether it has one now."))
    }

    /// The error for a picture whose address leads nowhere, which says little about its photo.
    static func deadAddress(ofPhoto photo: String) -> PhotoSourceError {
        .unavailable(
            reason: .unreadable(
                provider: "The picture of photo “\(photo)”",
                reason: "Its address leads nowhere any more, but its source did not say that it "
                    + "removed the photo; fetch a list with the photo, to get its new address."))
    }
}

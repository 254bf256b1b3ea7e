public import Foundation

extension HTTPResponse {
    /// What the pictures are called that services send in place of a photo that is no more.
    private static let placeholders = ["photo_unavailable", "photo_not_found", "image_not_found"]

    /// The picture that was asked for.
    ///
    /// Services send a placeholder for a photo that was removed: with status 200, after a redirect.
    ///
    /// - Parameter name: What the picture is called in an error.
    /// - Returns: The body.
    /// - Throws: `PhotoSourceError`: `gone` for a placeholder, or a status that says the same.
    public func picture(named name: String) throws(PhotoSourceError) -> Data {
        guard status != 404, status != 410 else { throw .gone(what: name) }
        guard (200...299).contains(status) else {
            throw .http(status: status, retryAfter: retryAfter)
        }
        if let file = url?.lastPathComponent.lowercased(),
            Self.placeholders.contains(where: file.hasPrefix)
        {
            throw .gone(what: name)
        }
        guard !body.isEmpty, !isHTML else {
            throw .malformedReply(
                what: "a picture was asked for, but \(isHTML ? "a web page" : "nothing") came",
                position: nil)
        }
        return body
    }
}

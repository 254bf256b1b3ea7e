public import Foundation

extension HTTPResponse {
    /// What the pictures are called that services send in place of a photo that is no more.
    private static let placeholders = ["photo_unavailable", "photo_not_found", "image_not_found"]

    /// The picture that was asked for.
    ///
    /// Services send a placeholder for a photo that was removed: with status 200, after a redirect. Whether
    /// anything else is a picture is told by its first bytes, whatever its type is said to be.
    ///
    /// - Parameter name: What the picture is called in an error.
    /// - Returns: The body.
    /// - Throws: `PhotoSourceError`: `gone` for a placeholder, or a status that says the same; `noPicture` for a
    ///   body that is none.
    public func picture(named name: String) throws(PhotoSourceError) -> Data {
        guard status != 404, status != 410 else { throw .gone(what: name) }
        if let statusFailure { throw statusFailure }
        if let file = url?.lastPathComponent.lowercased(),
            Self.placeholders.contains(where: file.hasPrefix)
        {
            throw .gone(what: name)
        }
        guard PictureSignature.begins(body) else {
            throw .noPicture(name, body: body, type: header("Content-Type"), from: url?.host())
        }
        return body
    }
}

public import Foundation

extension HTTPResponse {
    /// Names of the pictures that services send in place of a deleted photo.
    private static let placeholders = ["photo_unavailable", "photo_not_found", "image_not_found"]

    /// The picture that the request asked for.
    ///
    /// For a photo that was removed, services redirect to a placeholder and send it with status
    /// 200. The first bytes tell whether a body is a picture, whatever its declared type is.
    ///
    /// - Parameter name: How errors name the picture.
    /// - Returns: The body.
    /// - Throws: `PhotoSourceError`: `gone` for a placeholder, or a status with that meaning;
    ///   `noPicture` for a body that is not a picture.
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

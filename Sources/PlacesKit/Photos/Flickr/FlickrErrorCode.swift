/// What Flickr's error codes mean.
///
/// Low codes differ between methods, codes from 95 on are common to all. They are listed at
/// https://www.flickr.com/services/api/ , except 201 and 0, which are undocumented and come with a
/// message that says that the service is not available.
enum FlickrErrorCode {
    static let notFound = 1
    static let noLocation = 2
    static let methodNotFound = 112

    /// The failure that a method reports.
    static func failure(
        method: String, code: Int, message: String
    ) -> PhotoSourceError.ServiceFailure {
        PhotoSourceError.ServiceFailure(
            provider: FlickrPhotoSource.providerName, method: method, code: String(code),
            message: message,
            isRetryable: isRetryable(method: method, code: code, message: message),
            remedy: remedy(code: code))
    }

    /// Whether the same call can succeed later; an unknown code counts as final.
    static func isRetryable(method: String, code: Int, message: String) -> Bool {
        switch code {
        case 105, 106, 201: true
        case 10 where method == "flickr.photos.search": true
        default: message.lowercased().contains("not currently available")
        }
    }

    private static func remedy(code: Int) -> String? {
        switch code {
        case 20: "ask for an earlier page"
        case 100: "check the API key, as Flickr takes no call with this one"
        case methodNotFound: "use another method, as Flickr has retired this one"
        default: nil
        }
    }
}

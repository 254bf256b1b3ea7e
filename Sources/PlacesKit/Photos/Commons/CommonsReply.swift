import PlacesBase
import Foundation

/// The body of a reply from a MediaWiki API, after a check for the API's own errors.
struct CommonsReply {
    let root: LenientJSON

    /// Reads a reply.
    ///
    /// - Throws: `PhotoSourceError.service` if the reply reports an error, `malformedReply` if it
    ///   is not a JSON object.
    init(_ response: HTTPResponse) throws {
        let bytes = Array(response.body)
        do {
            root = try LenientJSON(parsing: bytes)
        } catch {
            throw PhotoSourceError.malformedReply(
                what: "the reply of Wikimedia Commons is not JSON",
                position: PhotoSourceError.ReplyPosition(
                    byte: error.byteOffset, line: error.line))
        }
        guard root.isObject else {
            throw PhotoSourceError.malformedReply(
                what: "the reply of Wikimedia Commons is JSON, but not an object", position: nil)
        }
        let error = root["errors"].elements.first ?? root["error"]
        guard error.isObject else { return }
        throw PhotoSourceError.service(Self.failure(error, response.retryAfter))
    }

    /// The pages in the reply; a reply without results has no list of them.
    var pages: [LenientJSON] { root["query"]["pages"].elements }

    /// Whether the pages in this and the replies before it have all that was asked for.
    var isComplete: Bool { root["batchcomplete"].exists }

    /// The parameters to add to the query to get the rest; empty at the end.
    ///
    /// `iistart` alone leads to older versions of a file, not to more files.
    var continuation: [(name: String, value: String)] {
        let members = root["continue"].members
        guard members.contains(where: { $0.name != "continue" && $0.name != "iistart" }) else {
            return []
        }
        return members.map { ($0.name, $0.value.text ?? "") }
    }

    private static func failure(
        _ error: LenientJSON, _ retryAfter: Duration?
    ) -> PhotoSourceError.ServiceFailure {
        let code = error["code"].nonEmptyText ?? "unknown"
        let isRetryable =
            ["maxlag", "readonly", "ratelimited", "cirrussearch-too-busy-error"].contains(code)
            || code.hasPrefix("internal_api_error")
        let wait = code == "maxlag" ? max(retryAfter ?? .zero, .seconds(5)) : retryAfter
        return PhotoSourceError.ServiceFailure(
            provider: CommonsPhotoSource.providerName, method: "query", code: code,
            message: PlainText.rendering(html: (error["info"].text ?? error["text"].text ?? "")),
            isRetryable: isRetryable, retryAfter: wait)
    }
}

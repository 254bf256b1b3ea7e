public import Foundation

/// What can go wrong between asking a photo source and having its answer.
///
/// Cancellation is not among it: a cancelled call throws `CancellationError`. No error ever holds an API
/// key.
public enum PhotoSourceError: Error, Hashable, Sendable {
    /// The source needs an API key and was given none; the remedy says how to supply it.
    case missingKey(provider: String, remedy: String)
    /// The arguments cannot be meant: a page below 1, a radius that is not a number.
    case invalidRequest(reason: String)
    /// The service answered with an error of its own.
    case service(
        provider: String, method: String, code: Int, message: String, isRetryable: Bool)
    /// The source has this ability by contract but not in fact.
    case unavailable(reason: Unavailability)
    /// The server answered with a status other than success.
    case http(status: Int, retryAfter: Duration?)
    /// No answer arrived: no network, no such host, connection refused or lost, time-out.
    case notConnected(reason: String)
    /// An answer arrived that is not what the service documents.
    case malformedReply(what: String, position: ReplyPosition?)
    /// The photo or picture was removed for good.
    case gone(what: String)

    /// Why a source cannot do what its protocol offers.
    public enum Unavailability: Hashable, Sendable {
        /// The service's method succeeds but has nothing to say, and no substitute had either.
        case methodReturnsNothing(provider: String, method: String)
        /// The source does not have this ability at all.
        case notSupported(provider: String, operation: String)
    }

    /// A position in a reply, counted from its first byte.
    public struct ReplyPosition: Hashable, Sendable {
        /// The number of bytes before the position.
        public let byte: Int
        /// The line, from 1.
        public let line: Int
    }

    /// Whether asking again later, unchanged, can succeed.
    public var isRetryable: Bool {
        switch self {
        case .service(_, _, _, _, let isRetryable): isRetryable
        case .http(let status, _): status == 408 || status == 429 || (500...599).contains(status)
        case .notConnected, .malformedReply: true
        case .missingKey, .invalidRequest, .unavailable, .gone: false
        }
    }
}

extension PhotoSourceError: CustomStringConvertible, LocalizedError {
    /// One sentence that says what happened and what to do.
    public var description: String {
        switch self {
        case .missingKey(let provider, let remedy):
            "\(provider) needs an API key: \(remedy)."
        case .invalidRequest(let reason):
            "The request makes no sense and was not sent: \(reason)."
        case .service(let provider, let method, let code, let message, let isRetryable):
            "\(provider) answered \(method) with error \(code), “\(message)”; "
                + (isRetryable ? "try again later." : "asking again unchanged will not help.")
        case .unavailable(.methodReturnsNothing(let provider, let method)):
            "\(provider) has nothing to offer at present (\(method) returns nothing, and neither did "
                + "its substitute); search near a coordinate or use another photo source."
        case .unavailable(.notSupported(let provider, let operation)):
            "\(provider) does not support \(operation); use another photo source for it."
        case .http(let status, let retryAfter):
            "The server answered with HTTP status \(status); " + Self.advice(status, retryAfter)
        case .notConnected(let reason):
            "The server could not be reached (\(reason)); check the network connection and try again."
        case .malformedReply(let what, let position):
            "The reply could not be read: \(what)"
                + (position.map { " at line \($0.line), byte \($0.byte)" } ?? "")
                + "; try again, and report it if it stays so."
        case .gone(let what):
            "\(what) has been removed from its source; drop it from your lists."
        }
    }

    /// The same sentence as `description`.
    public var errorDescription: String? { description }

    private static func advice(_ status: Int, _ retryAfter: Duration?) -> String {
        if let retryAfter { return "wait \(retryAfter.components.seconds) s and try again." }
        return switch status {
        case 429: "ask less often, and try again later."
        case 408, 500...599: "try again later."
        default: "check the address and that you may use it."
        }
    }
}

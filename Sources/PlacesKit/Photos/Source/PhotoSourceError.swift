import Foundation
public import PlacesBase

/// What can go wrong when a photo source is asked for something.
///
/// Cancellation is not an error of this type: a cancelled call throws `CancellationError`. No error
/// ever contains an API key.
public enum PhotoSourceError: DescribedError, Hashable {
    /// The source needs an API key and was given none; the remedy says how to supply it.
    case missingKey(provider: String, remedy: String)
    /// The arguments make no sense: a page below 1, a radius that is not a number.
    case invalidRequest(reason: String)
    /// The service replied with an error of its own.
    case service(ServiceFailure)
    /// The source cannot do this, although its protocol offers it.
    case unavailable(reason: Unavailability)
    /// The server replied with a status other than success.
    case http(status: Int, retryAfter: Duration?)
    /// No reply arrived: no network, no such host, connection refused or lost.
    case notConnected(reason: String)
    /// The server's redirects do not end; `host` is the one that was asked first.
    case tooManyRedirects(host: String?)
    /// No reply arrived within the allowed time.
    case timedOut(after: Duration)
    /// The next request would have to wait too long: those that the service allows are used up, or
    /// its host asked for a pause.
    case budgetExhausted(retryAfter: Duration)
    /// A reply arrived that is not what the service documents.
    case malformedReply(what: String, position: ReplyPosition?)
    /// The reply to a request for a picture does not begin like one, whatever the server calls it.
    case noPicture(what: String, came: String)
    /// A reply is longer than the limit, in bytes, that the source was given; see ``ReplyLimits``.
    case tooLarge(limit: Int)
    /// The photo or picture was removed for good.
    case gone(what: String)

    /// An error that a service reported in its own words.
    public struct ServiceFailure: Hashable, Sendable {
        /// The service's name.
        public var provider: String
        /// The method that was called.
        public var method: String
        /// The service's own code.
        public var code: String
        /// The service's own message.
        public var message: String
        /// Whether the same request can succeed later.
        public var isRetryable: Bool
        /// How long the service asks to wait, if it does.
        public var retryAfter: Duration?
        /// What to do, as the end of a sentence.
        public var remedy: String

        /// Creates a failure; without a remedy it gets the usual one for its kind.
        public init(
            provider: String, method: String, code: String, message: String, isRetryable: Bool,
            retryAfter: Duration? = nil, remedy: String? = nil
        ) {
            self.provider = provider
            self.method = method
            self.code = code
            self.message = message
            self.isRetryable = isRetryable
            self.retryAfter = retryAfter
            self.remedy =
                remedy
                ?? (isRetryable ? "try again later" : "asking again unchanged will not help")
        }
    }

    /// Why a source cannot do what its protocol offers.
    public enum Unavailability: Hashable, Sendable {
        /// The service's method succeeds but returns nothing, and neither does any substitute.
        case methodReturnsNothing(provider: String, method: String)
        /// The source does not have this capability at all.
        case notSupported(provider: String, operation: String)
        /// The source's data, such as a folder, cannot be read.
        case unreadable(provider: String, reason: String)
    }

    /// A position in a reply, counted from its first byte.
    public struct ReplyPosition: Hashable, Sendable {
        /// The number of bytes before the position.
        public let byte: Int
        /// The line, from 1.
        public let line: Int

        /// Creates a position.
        public init(byte: Int, line: Int) {
            self.byte = byte
            self.line = line
        }
    }

    /// Whether the same request can succeed later.
    public var isRetryable: Bool {
        switch self {
        case .service(let failure): failure.isRetryable
        case .http(let status, _): status == 408 || status == 429 || (500...599).contains(status)
        case .notConnected, .timedOut, .budgetExhausted, .malformedReply, .noPicture: true
        case .missingKey, .invalidRequest, .unavailable, .tooManyRedirects, .tooLarge, .gone: false
        }
    }

    /// Whether nothing came of a request that others to the same service are likely to share.
    package var isOutOfReach: Bool {
        switch self {
        case .notConnected, .timedOut, .budgetExhausted: true
        default: false
        }
    }

    /// How long to wait before asking again, if that is known.
    public var retryAfter: Duration? {
        switch self {
        case .service(let failure): failure.retryAfter
        case .http(_, let duration): duration
        case .budgetExhausted(let duration): duration
        default: nil
        }
    }
}

extension PhotoSourceError {
    /// One sentence that says what happened and what to do.
    public var description: String {
        switch self {
        case .missingKey(let provider, let remedy):
            "\(provider) needs an API key: \(remedy)."
        case .invalidRequest(let reason):
            "The request makes no sense and was not sent: \(reason)."
        case .service(let failure):
            "\(failure.provider) answered \(failure.method) with error \(failure.code), "
                + "“\(failure.message)”; \(failure.remedy)."
        case .unavailable(.methodReturnsNothing(let provider, let method)):
            "\(provider) has nothing to offer at present (\(method) returns nothing, and neither did "
                + "its substitute); search near a coordinate or use another photo source."
        case .unavailable(.notSupported(let provider, let operation)):
            "\(provider) does not support \(operation); use another photo source for it."
        case .unavailable(.unreadable(let provider, let reason)):
            "\(provider) cannot be read. \(reason)"
        case .http(let status, let retryAfter):
            "The server answered with HTTP status \(status); " + Self.advice(status, retryAfter)
        case .notConnected(let reason):
            "The server could not be reached (\(reason)); check the network connection and try again."
        case .tooManyRedirects(let host):
            "\(host ?? "The server") redirects without end; check the address, and whether the network "
                + "asks you to sign in."
        case .timedOut(let duration):
            "No answer came within \(Self.seconds(duration)); check the network connection and try "
                + "again."
        case .budgetExhausted(let retryAfter):
            "The requests that the service allows are used up; "
                + (Self.wait(retryAfter) ?? "try again.")
        case .malformedReply(let what, let position):
            "The reply could not be read: \(what)"
                + (position.map { " at line \($0.line), byte \($0.byte)" } ?? "")
                + "; try again, and report it if it stays so."
        case .noPicture(let what, let came):
            "\(what) was asked for, but what came is no picture: \(came); check whether the network "
                + "asks you to sign in, and try again."
        case .tooLarge(let limit):
            "The reply was not taken because it is longer than \(limit) bytes; raise the source's limit "
                + "if such replies are meant."
        case .gone(let what):
            "\(what) has been removed from its source; drop it from your lists."
        }
    }

    private static func advice(_ status: Int, _ retryAfter: Duration?) -> String {
        if let wait = wait(retryAfter) { return wait }
        return switch status {
        case 429: "ask less often, and try again later."
        case 408, 500...599: "try again later."
        default: "check the address and that you may use it."
        }
    }

    /// The advice to wait; nil if there is nothing to wait for.
    private static func wait(_ duration: Duration?) -> String? {
        guard let duration, duration > .zero else { return nil }
        return "wait \(seconds(duration)) and try again."
    }

    /// The duration in whole seconds, rounded up.
    private static func seconds(_ duration: Duration) -> String {
        let (seconds, attoseconds) = duration.components
        return "\(attoseconds > 0 && seconds < .max ? seconds + 1 : seconds) s"
    }
}

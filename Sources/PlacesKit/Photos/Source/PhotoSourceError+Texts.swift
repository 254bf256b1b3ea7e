extension PhotoSourceError {
    /// The error with all texts in it changed.
    func mapTexts(_ change: (String) -> String) -> PhotoSourceError {
        switch self {
        case .missingKey(let provider, let remedy):
            return .missingKey(provider: change(provider), remedy: change(remedy))
        case .invalidRequest(let reason):
            return .invalidRequest(reason: change(reason))
        case .service(var failure):
            failure.provider = change(failure.provider)
            failure.method = change(failure.method)
            failure.code = change(failure.code)
            failure.message = change(failure.message)
            failure.remedy = change(failure.remedy)
            return .service(failure)
        case .unavailable(let reason):
            return .unavailable(reason: reason.mapTexts(change))
        case .notConnected(let reason):
            return .notConnected(reason: change(reason))
        case .tooManyRedirects(let host):
            return .tooManyRedirects(host: host.map(change))
        case .malformedReply(let what, let position):
            return .malformedReply(what: change(what), position: position)
        case .noPicture(let what, let came):
            return .noPicture(what: change(what), came: change(came))
        case .gone(let what):
            return .gone(what: change(what))
        case .http, .timedOut, .budgetExhausted, .tooLarge:
            return self
        }
    }
}

extension PhotoSourceError.Unavailability {
    fileprivate func mapTexts(_ change: (String) -> String) -> Self {
        switch self {
        case .methodReturnsNothing(let provider, let method):
            .methodReturnsNothing(provider: change(provider), method: change(method))
        case .notSupported(let provider, let operation):
            .notSupported(provider: change(provider), operation: change(operation))
        case .unreadable(let provider, let reason):
            .unreadable(provider: change(provider), reason: change(reason))
        }
    }
}

import Foundation

extension PhotoSourceError {
    /// What an error of `URLSession` is to callers.
    ///
    /// It carries the address it failed for, key and all, so only its message and code are kept.
    static func failure(of error: URLError, host: String?) -> PhotoSourceError {
        guard error.code != .httpTooManyRedirects else { return .tooManyRedirects(host: host) }
        return .notConnected(reason: "\(error.localizedDescription), error \(error.errorCode)")
    }

    /// What an error of a transport is to the callers of a photo source.
    ///
    /// What an unknown error says about itself may quote the address, and with it a key, so only its type is
    /// kept, and the code of a `URLError`.
    static func passing(on error: any Error) -> any Error {
        switch error {
        case is CancellationError, is PhotoSourceError: error
        case let error as URLError where error.code == .cancelled: CancellationError()
        case let error as URLError where error.code == .httpTooManyRedirects:
            PhotoSourceError.tooManyRedirects(host: nil)
        case let error as URLError:
            PhotoSourceError.notConnected(reason: "URLError \(error.errorCode)")
        default: PhotoSourceError.notConnected(reason: "\(type(of: error))")
        }
    }
}

import Foundation

extension PhotoSourceError {
    /// The error that callers get for an error of `URLSession`.
    ///
    /// A `URLError` contains the address that failed, and with it a key, so only its message and
    /// code are kept.
    static func failure(of error: URLError, host: String?) -> PhotoSourceError {
        guard error.code != .httpTooManyRedirects else { return .tooManyRedirects(host: host) }
        return .notConnected(reason: "\(error.localizedDescription), error \(error.errorCode)")
    }

    /// The error that callers of a photo source get for an error of a transport.
    ///
    /// An unknown error may describe itself with the address, and so with a key. Only its type is
    /// kept, and the code of a `URLError`. A transport whose own work was cancelled, and not the
    /// caller, has failed like any other.
    static func passing(on error: any Error) -> any Error {
        switch error {
        case is PhotoSourceError: error
        case is CancellationError where Task.isCancelled: error
        case let error as URLError where error.code == .cancelled && Task.isCancelled:
            CancellationError()
        case let error as URLError where error.code == .httpTooManyRedirects:
            PhotoSourceError.tooManyRedirects(host: nil)
        case let error as URLError:
            PhotoSourceError.notConnected(reason: "URLError \(error.errorCode)")
        default: PhotoSourceError.notConnected(reason: "\(type(of: error))")
        }
    }
}

import Foundation

extension PhotoSourceError {
    /// What an error of a transport is to the callers of a photo source.
    ///
    /// What an unknown error says about itself may quote the address, and with it a key, so only its type is
    /// kept.
    static func passing(on error: any Error) -> any Error {
        switch error {
        case is CancellationError, is PhotoSourceError: error
        case let error as URLError where error.code == .cancelled: CancellationError()
        default: PhotoSourceError.notConnected(reason: "\(type(of: error))")
        }
    }
}

import ArgumentParser
import Foundation

/// Why something could not be written.
enum WriteFailure {
    /// What the user should read of an error: `words` if it is not about space, and nothing if whoever reads the output
    /// has closed it.
    static func translated(_ error: any Error, _ words: String) -> any Error {
        switch code(of: error as NSError) {
        case ENOSPC, EDQUOT: Problem("There is no space left for the output.")
        case EPIPE: ExitCode.failure
        default: Problem(words)
        }
    }

    /// The system's number of an error, or of the one that led to it.
    private static func code(of error: NSError) -> Int32? {
        if error.domain == NSPOSIXErrorDomain { return Int32(exactly: error.code) }
        return (error.userInfo[NSUnderlyingErrorKey] as? NSError).flatMap(code)
    }
}

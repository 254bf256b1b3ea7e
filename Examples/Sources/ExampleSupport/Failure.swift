import ArgumentParser
import Foundation
import PlacesKit

/// What a person reads when something went wrong.
public enum Failure {
    /// The error as something that reads well.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError: ValidationError("Interrupted.")
        case is ValidationError, is ExitCode, is CleanExit: error
        default: ValidationError(message(of: error))
        }
    }

    /// One or two sentences.
    public static func message(of error: any Error) -> String {
        (error as? any LocalizedError)?.errorDescription
            ?? "Something unexpected went wrong. Nothing that was kept before is lost; try again."
    }

    /// What was found wrong with a document, and done about it.
    static func lines(of recovery: DocumentRecovery) -> [String] {
        recovery.findings.map(\.description)
    }
}

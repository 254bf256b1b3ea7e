import ArgumentParser
public import Foundation
import PlacesKit

/// What a person reads when something went wrong.
public enum Failure {
    /// The error as something that reads well.
    static func translated(_ error: any Error) -> any Error {
        switch error {
        case is CancellationError: Problem("Interrupted.")
        case is ValidationError, is ExitCode, is CleanExit: error
        default: Problem(message(of: error))
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

/// What cannot be done, in one or two sentences for a person.
public struct Problem: LocalizedError {
    /// The sentences.
    public let errorDescription: String?

    /// Says what cannot be done, and what to do.
    public init(_ description: String) {
        errorDescription = description
    }
}

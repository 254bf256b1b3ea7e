import ArgumentParser
public import Foundation
import PlacesKit

/// What a person reads when something went wrong.
public enum Failure {
    /// The error as something that reads well.
    public static func translated(_ error: any Error) -> any Error {
        switch error {
        case is ValidationError, is ExitCode, is CleanExit: error
        // It may quote names of a file or a source.
        default: Problem(message(of: error).forTerminal)
        }
    }

    /// One or two sentences.
    public static func message(of error: any Error) -> String {
        switch error {
        case DocumentError.missing(let path): "There is no document at \(path)."
        case DocumentError.damaged(let file, let error):
            """
            \(file) is damaged at \(error.description). See all that is wrong with document-inspector \
            verify, and make a new document of what can be read with document-inspector salvage.
            """
        case DocumentError.incomplete(let file):
            """
            \(file) is missing, or ends before the file that goes on from it. Make a new document of \
            what can be read with document-inspector salvage.
            """
        case HistoryError.notKept(let number, let kept):
            """
            Commit \(number) is not kept: there are commits \(kept.lowerBound) to \(kept.upperBound).
            """
        case PhotoSourceError.missingKey(let provider, _):
            """
            \(provider) needs an API key, which everyone gets from it for the asking. Set the \
            environment variable \(provider.uppercased())_API_KEY to yours.
            """
        default:
            (error as? any LocalizedError)?.errorDescription
                ?? "Something unexpected went wrong. Nothing that was kept before is lost; try again."
        }
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

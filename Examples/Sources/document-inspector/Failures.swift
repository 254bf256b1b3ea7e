import ArgumentParser
import Foundation
import PlacesKit

/// What a program that was told to do something says by its exit code.
enum Outcome {
    /// It was done, and something was found that should not be.
    static let findings = ExitCode(1)
    /// It could not be done.
    static let failure = ExitCode(2)
}

/// Runs a command; an error is told in words, whatever it is.
nonisolated(nonsending) func reportingErrors(
    _ body: nonisolated(nonsending) () async throws -> Void
) async throws {
    do {
        try await body()
    } catch let code as ExitCode {
        throw code
    } catch let error as ValidationError {
        throw error
    } catch {
        warn(message(of: error))
        throw Outcome.failure
    }
}

/// Prints a line to standard error.
func warn(_ text: String) {
    FileHandle.standardError.write(Data("document-inspector: \(text)\n".utf8))
}

/// What is wrong, and what to do about it here.
private func message(of error: any Error) -> String {
    switch error {
    case DocumentError.missing(let path): "There is no document at \(path)."
    case DocumentError.notADocument(let path): "\(path) is not a PlacesKit document."
    case DocumentError.damaged(let file, let error):
        """
        \(file) is damaged at \(error.description). See all that is wrong with verify, and make a new \
        document of what can be read with salvage.
        """
    case DocumentError.incomplete(let file):
        """
        \(file) is missing, or ends before the file that goes on from it. Make a new document of what \
        can be read with salvage.
        """
    case HistoryError.notKept(let number, let kept):
        """
        Commit \(number) is not kept: there are commits \(kept.lowerBound) to \(kept.upperBound).
        """
    case let error as DocumentError: error.description
    case let error as HistoryError: error.description
    case let error as PredicateFormatError: error.description
    case let error as FileSystemError: error.description
    default: error.localizedDescription
    }
}

import ArgumentParser
import ExampleSupport

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
        try Terminal.finishOutput()
    } catch let code as ExitCode {
        throw code
    } catch let error as ValidationError {
        throw error
    } catch {
        warn(Failure.message(of: error))
        throw Outcome.failure
    }
}

/// Prints a line to standard error, and those that a text has below it.
func warn(_ text: String) {
    for line in "document-inspector: \(text)".linesForTerminal { Terminal.note(line) }
}

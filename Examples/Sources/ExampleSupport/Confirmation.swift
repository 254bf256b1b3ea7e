public import ArgumentParser

/// The flag of commands that delete what does not come back by itself.
public struct Confirmation: ParsableArguments {
    @Flag(
        name: [.customShort("y"), .customLong("yes")],
        help: """
            Delete without asking. In a terminal you are asked; elsewhere, as in a script, nothing is \
            deleted without this.
            """)
    var isGiven = false

    /// Made by the argument parser.
    public init() {}

    /// Goes on if the person wants what a question says.
    ///
    /// - Throws: An exit code if they do not, a ``Problem`` if they cannot be asked.
    public nonisolated(nonsending) func check(_ question: String) async throws {
        guard !isGiven else { return }
        guard Terminal.isInteractive else {
            throw Problem(
                "Nothing was deleted: nobody can be asked here. Give --yes to delete without asking."
            )
        }
        guard await Terminal.confirms(question) else {
            Terminal.note("Nothing was deleted.")
            throw ExitCode.failure
        }
    }
}

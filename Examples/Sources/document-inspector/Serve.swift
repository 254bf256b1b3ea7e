import ArgumentParser
import ExampleSupport
import Foundation

struct Serve: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Tells how to look into a document in a browser.")

    @Argument(help: "The document's folder.") var folder: String

    func run() async throws {
        try await reportingErrors {
            print(
                """
                To look into it in a browser, run \
                swift run --package-path Examples/PlacesWeb document-web \(folder.forShell.forTerminal)
                """)
        }
    }
}

extension String {
    /// The text as one word of a shell's command.
    fileprivate var forShell: String {
        let isPlain =
            !isEmpty
            && allSatisfy {
                $0.isASCII && ($0.isLetter || $0.isNumber || "/._-+@:,".contains($0))
            }
        return isPlain ? self : "'" + replacingOccurrences(of: "'", with: "'\\''") + "'"
    }
}

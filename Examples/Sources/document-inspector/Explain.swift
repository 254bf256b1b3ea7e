import ArgumentParser
import ExampleSupport
import PlacesKit

struct Explain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Runs a query and shows how: its plan, the rows that each step found, and times.")

    @Argument(help: "The document.") var document: DocumentArgument
    @Argument(help: "The query.") var query: String

    func run() async throws {
        try await reportingErrors {
            let query = try RecordQuery(query)
            let explanation = try await document.open().explain(query)
            for line in explanation.description.linesForTerminal { print(line) }
        }
    }
}

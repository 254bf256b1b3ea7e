import ArgumentParser
import ExampleSupport

@main
struct DocumentInspector: Program {
    static let name = "document-inspector"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Looks into any PlacesKit document, without the classes it was made with.",
        discussion: """
            A document is named by its folder; FOLDER@7 means the document after its commit 7. No \
            command changes a document that there is: salvage and convert write new ones.

            The exit code is 0 where all is well; 1 where verify finds something wrong, diff a \
            difference, or salvage something lost; 2 where a command could not be carried out; 64 \
            for a command that makes no sense.
            """,
        version: version,
        subcommands: [
            Info.self, Entities.self, Query.self, Explain.self, Verify.self, Salvage.self,
            Convert.self, History.self, Diff.self, Serve.self,
        ])
}

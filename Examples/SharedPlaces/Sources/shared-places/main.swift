import Foundation
import PlacesGraph
import PlacesPostgres

/// Pins on a map that several people drop, each in a terminal of their own.

/// The lines that a person types.
func typedLines() -> AsyncStream<String> {
    AsyncStream { lines in
        Thread.detachNewThread {
            while let line = readLine() { lines.yield(line) }
            lines.finish()
        }
    }
}

guard CommandLine.arguments.count == 3 else {
    Terminal.say(
        """
        usage: shared-places FOLDER NAME

        FOLDER is a document's own, NAME is yours. The database is that of the environment: PGHOST, PGDATABASE, …
        """, to: .standardError)
    exit(64)
}
do {
    let plug = Plug(try PostgresSharedLog(document: "shared-places"))
    let document = try await ManagedDocument.open(
        at: URL(filePath: CommandLine.arguments[1]), model: [Spot.self], sharing: plug)
    guard let sharing = document.sharing else { exit(70) }
    document.viewContext.transactionAuthor = CommandLine.arguments[2]
    let terminal = try Terminal(document, sharing, plug)
    terminal.showChanges()
    for await line in typedLines() {
        guard await terminal.run(line) else { break }
    }
    try await document.close()
} catch {
    Terminal.say("shared-places: \(error)", to: .standardError)
    exit(1)
}

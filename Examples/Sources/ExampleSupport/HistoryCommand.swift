public import ArgumentParser
import PlacesKit

/// The command of programs that keep a history.
public struct HistoryCommand<Main: Program>: AsyncParsableCommand {
    /// What `--help` says.
    public static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: "history", abstract: "Lists the 20 photos viewed last.",
            discussion: """
                A photo counts as viewed when view shows it, when you open it in a terminal, and when \
                the program shows one of its own accord.
                """)
    }

    @OptionGroup var search: PhotoSearch
    @OptionGroup var listing: ListingOptions
    @OptionGroup var options: LibraryOptions

    /// Made by the argument parser.
    public init() {}

    /// Shows the list.
    @MainActor
    public func run() async throws {
        try await options.withLibrary(of: Main.name, to: .show) { library in
            try await library.show(
                try library.history(), titled: "Viewed last", search: search.text, listing,
                as: { PhotoOutput($0) })
        }
    }
}

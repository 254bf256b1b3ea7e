import ArgumentParser
import ExampleSupport

@main
struct TopPlaces: Program {
    static let name = "top-places"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Shows the top places by country, the photos of one, and what was viewed.",
        discussion: """
            In a terminal it leads you through the lists. Piped, it loads the places, shows the \
            newest photos of one of them, views one, and prints the history, which is kept in a \
            document between runs. Options may stand anywhere.
            """,
        version: version,
        subcommands: [
            Tour.self, Places.self, Photos.self, View.self, HistoryCommand<TopPlaces>.self,
        ],
        defaultSubcommand: Tour.self)
}

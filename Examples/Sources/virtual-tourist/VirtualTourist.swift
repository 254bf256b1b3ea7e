import ArgumentParser
import ExampleSupport

@main
struct VirtualTourist: Program {
    static let name = "virtual-tourist"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Drops pins on the map and collects an album of photos for each.",
        discussion: """
            Pictures are kept in the document as they arrive, so a download that is cut short goes \
            on with what is missing. In a terminal the program leads you through pins and albums; \
            piped, it prints the pins.
            """,
        version: version,
        subcommands: [
            Overview.self, Pins.self, Drop.self, Move.self, Delete.self, Album.self,
            NewCollection.self, Remove.self, Resume.self, Picture.self, Map.self,
        ],
        defaultSubcommand: Overview.self)
}

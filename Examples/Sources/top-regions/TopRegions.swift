import ArgumentParser
import ExampleSupport

@main
struct TopRegions: Program {
    static let name = "top-regions"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Shows the 50 regions in which most photographers take photos.",
        discussion: """
            Recent photos are fetched on demand, or again and again with fetch --every, beside which \
            lists can be shown. A fetch that is cut short is taken up by the next one. In a terminal \
            the program leads you through the lists; piped, it prints the regions, and fetches first \
            where there are none. What view shows, and each photo that you open in a terminal, counts \
            as viewed.
            """,
        version: version,
        subcommands: [
            Overview.self, Fetch.self, Regions.self, Photos.self, Tags.self, View.self,
            HistoryCommand<TopRegions>.self, Thumbnail.self, Prune.self,
        ],
        defaultSubcommand: Overview.self)
}

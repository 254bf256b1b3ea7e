import ArgumentParser
import ExampleSupport

@main
struct FavoritePlaces: Program {
    static let name = "favorite-places"

    static let configuration = CommandConfiguration(
        commandName: name,
        abstract: "Keeps what you view and what you like: places, photos, and their pictures.",
        discussion: """
            In a terminal it leads you through the lists. Piped, it prints the favorites and what \
            was viewed in the last 48 hours. A photo counts as viewed when view shows it or when you \
            open it in a terminal. Pictures of favorites, and no others, lie as files beside the \
            document.
            """,
        version: version,
        subcommands: [
            Overview.self, Browse.self, View.self, Favorite.self, Unfavorite.self, Places.self,
            Photos.self, Recents.self, Forget.self, Picture.self,
        ],
        defaultSubcommand: Overview.self)
}

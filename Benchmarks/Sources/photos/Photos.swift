import ArgumentParser

/// Compares what photo sources and loaders of images do with what Foundation does.
@main
struct Photos: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "photos",
        abstract: "Compares photo sources and loaders of images with Foundation.",
        subcommands: [DecodeFlickr.self, Thumbnails.self])
}

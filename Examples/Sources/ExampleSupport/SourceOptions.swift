public import ArgumentParser
public import PlacesKit

/// The options that choose where photos come from.
public struct SourceOptions: ParsableArguments {
    /// The sources to choose from.
    public enum Kind: String, ExpressibleByArgument, CaseIterable, Sendable {
        case sample, flickr
    }

    @Option(help: "Where photos come from: an invented world, or Flickr (with FLICKR_API_KEY).")
    var source: Kind = .sample

    @Option(help: "The number from which the sample world is invented.")
    var seed: UInt64 = 1

    @Option(help: "How many places the sample world has.")
    var samplePlaces = 126

    /// Made by the argument parser.
    public init() {}

    /// Refuses numbers that make no world.
    public func validate() throws {
        guard (1...1_000_000).contains(samplePlaces) else {
            throw ValidationError("--sample-places must be between 1 and 1000000.")
        }
    }

    /// The source that was chosen.
    public func makeSource() throws -> any PhotoSource {
        switch source {
        case .sample: SamplePhotoSource(seed: seed, placeCount: samplePlaces)
        case .flickr: try FlickrPhotoSource()
        }
    }
}

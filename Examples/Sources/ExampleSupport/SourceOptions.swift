public import ArgumentParser
import Foundation
public import PlacesKit

/// The options that choose where photos come from.
public struct SourceOptions: ParsableArguments {
    /// Who asks, as Wikimedia wants to know.
    private static let application = "PlacesKitExamples/\(ProgramVersion.current)"
    private static let contact = "https://github.com/placeskit/PlacesKit"

    private static let (usualPlaces, usualPhotos) = (126, 60)

    @Option(
        parsing: .upToNextOption,
        help: ArgumentHelp(
            "Where photos come from: sample, folder PATH, commons or flickr.",
            discussion: """
                sample is an invented world and needs no network; folder reads the JPEG files of \
                a folder; commons is Wikimedia Commons; flickr needs a key in FLICKR_API_KEY.
                """,
            valueName: "source"))
    var source = ["sample"]

    @Option(help: "The number from which the sample world is invented.")
    var seed: UInt64 = 1

    @Option(help: "How many places the sample world has.")
    var samplePlaces = Self.usualPlaces

    @Option(help: "How many photos each place of the sample world has.")
    var samplePhotos = Self.usualPhotos

    @Option(help: "How many milliseconds the sample world takes for an answer.")
    var sampleDelay = 0

    /// Made by the argument parser.
    public init() {}

    /// Refuses what makes no source.
    public func validate() throws {
        guard (1...1_000_000).contains(samplePlaces) else {
            throw ValidationError("--sample-places must be between 1 and 1000000.")
        }
        guard (1...1_000_000).contains(samplePhotos) else {
            throw ValidationError("--sample-photos must be between 1 and 1000000.")
        }
        guard (0...60_000).contains(sampleDelay) else {
            throw ValidationError("--sample-delay must be between 0 and 60000.")
        }
        switch (source.first ?? "", source.count) {
        case ("sample", 1), ("commons", 1), ("flickr", 1), ("folder", 2): break
        case ("folder", 1):
            throw ValidationError("--source folder needs the path of the folder behind it.")
        default:
            let name = source.joined(separator: " ")
            let near = name.suggestion(among: ["sample", "folder", "commons", "flickr"])
            throw ValidationError(
                "There is no source “\(name)”.\(near) Choose sample, folder PATH, commons or flickr."
            )
        }
    }

    /// What the name of a document has behind it, so that sources do not mix: photos of two folders, or of
    /// two sample worlds, may have the same identifiers.
    public var suffix: String {
        switch source.first {
        case "sample": sampleSuffix
        case "folder": "-folder-\(folder.standardizedFileURL.path().digest)"
        case let name: "-\(name ?? "")"
        }
    }

    /// The size of a sample world decides which photo an identifier means, as the seed does.
    private var sampleSuffix: String {
        let isUsual = samplePlaces == Self.usualPlaces && samplePhotos == Self.usualPhotos
        let size = isUsual ? "" : "-\(samplePlaces)x\(samplePhotos)"
        return seed == 1 && isUsual ? "" : "-sample-\(seed)\(size)"
    }

    private var folder: URL { URL(filePath: source[1], directoryHint: .isDirectory) }

    /// The source that was chosen.
    public func makeSource() throws -> any PhotoSource {
        switch source.first {
        case "folder":
            return DirectoryPhotoSource(directory: folder)
        case "commons":
            return try CommonsPhotoSource(application: Self.application, contact: Self.contact)
        case "flickr": return try FlickrPhotoSource()
        default:
            let sample = SamplePhotoSource(
                seed: seed, placeCount: samplePlaces, photosPerPlace: samplePhotos)
            guard sampleDelay > 0 else { return sample }
            return SlowPhotoSource(sample, delay: .milliseconds(sampleDelay))
        }
    }
}

public import ArgumentParser
import Foundation
public import PlacesKit

/// The option that searches a list of photos.
public struct PhotoSearch: ParsableArguments {
    @Option(
        name: .customLong("search"),
        help: "Only photos whose title, description or tags have this text.")
    var value = ""

    /// Made by the argument parser.
    public init() {}

    /// What is searched for; nothing is if it is empty.
    public var text: String { value }
}

extension String {
    /// Whether the text has another one in it; every text has the empty one.
    public func has(_ text: String) -> Bool {
        text.isEmpty || localizedStandardContains(text)
    }
}

extension PhotoRecord {
    /// Whether a search for a text finds the photo, as it does in lists of what is kept.
    public func has(_ text: String) -> Bool {
        displayTitle.has(text) || plainCaption.has(text) || tags.contains { $0.has(text) }
    }
}

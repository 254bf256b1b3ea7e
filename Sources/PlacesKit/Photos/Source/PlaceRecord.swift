/// A place as a photo source describes it.
///
/// Lists show its full name in parts. The commas in the name separate the parts, be they Latin,
/// Arabic or CJK commas. Surrounding space is removed, and empty parts do not count:
///
/// | name | title | subtitle | section |
/// |---|---|---|---|
/// | London, England, United Kingdom | London | England | United Kingdom |
/// | Hunters Point, New York, NY, United States | Hunters Point | New York, NY | United States |
/// | Reykjavík, Iceland | Reykjavík | | Iceland |
/// | Singapore | Singapore | | Singapore |
/// | (empty) | Unknown | | Unknown |
public struct PlaceRecord: Sendable, Codable, Hashable {
    /// The identifier within its source.
    public var identifier: String
    /// The full name, from near to far: "London, England, United Kingdom".
    public var name: String
    /// The middle of the place, if known.
    public var coordinate: Coordinate?
    /// How many photos the source counted there, if it tells.
    public var photoCount: Int?

    /// Creates a place.
    public init(
        identifier: String, name: String, coordinate: Coordinate? = nil, photoCount: Int? = nil
    ) {
        self.identifier = identifier
        self.name = name
        self.coordinate = coordinate
        self.photoCount = photoCount
    }

    /// The first part of the name; "Unknown" if it has none.
    public var title: String { lines.title }

    /// The parts between the first and the last, joined by commas; often empty.
    public var subtitle: String { lines.subtitle }

    /// The last part of the name, usually the country; the whole name if it has one part.
    public var section: String { lines.section }

    /// The country, if the name has more than one part.
    public var country: String? { parts.count > 1 ? parts.last : nil }

    /// The title, the subtitle and the section, for who needs all of them.
    package var lines: (title: String, subtitle: String, section: String) {
        let parts = parts
        return (
            parts.first ?? Self.unknown, parts.dropFirst().dropLast().joined(separator: ", "),
            parts.last ?? Self.unknown
        )
    }

    private var parts: [String] {
        // Most names are ASCII, whose characters need not be put together.
        let isASCII = name.utf8.allSatisfy { $0 < 0x80 }
        let parts =
            isASCII
            ? name.utf8.split(separator: UInt8(ascii: ",")).map(Substring.init)
            : name.split { ",،、，".contains($0) }
        return parts.map { $0.trimmingWhitespace }.filter { !$0.isEmpty }
    }

    private static let unknown = "Unknown"
}

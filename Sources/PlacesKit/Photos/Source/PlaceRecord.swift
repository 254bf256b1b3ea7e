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
    public var title: String { parts.first ?? Self.unknown }

    /// The parts between the first and the last, joined by commas; often empty.
    public var subtitle: String { parts.dropFirst().dropLast().joined(separator: ", ") }

    /// The last part of the name, usually the country; the whole name if it has one part.
    public var section: String { parts.last ?? Self.unknown }

    /// The country, if the name has more than one part.
    public var country: String? { parts.count > 1 ? parts.last : nil }

    private var parts: [String] {
        name.split { ",،、，".contains($0) }
            .map { $0.trimmingWhitespace }
            .filter { !$0.isEmpty }
    }

    private static let unknown = "Unknown"
}

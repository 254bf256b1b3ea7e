/// The names of the place of a photo, from near to far.
public struct PlaceNames: Sendable, Codable, Hashable {
    /// The city, town or village, or the nearest equivalent.
    public var locality: String?
    /// The state, province or region.
    public var region: String?
    /// The country.
    public var country: String?

    /// Creates the names of a place.
    public init(locality: String? = nil, region: String? = nil, country: String? = nil) {
        self.locality = locality
        self.region = region
        self.country = country
    }

    /// The known names from near to far, separated by commas, in the form of `PlaceRecord.name`.
    public var fullName: String {
        [locality, region, country].compactMap { $0 }.filter { !$0.isEmpty }
            .joined(separator: ", ")
    }
}

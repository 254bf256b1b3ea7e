import PlacesBase

extension Coordinate {
    /// Makes a coordinate of what a file or a reply says; nil if it is incomplete or invalid, or 0, 0
    /// as from a receiver without a fix.
    init?(measured latitude: Double?, _ longitude: Double?) {
        guard let latitude, let longitude, latitude != 0 || longitude != 0 else { return nil }
        self.init(latitude: latitude, longitude: longitude)
        guard isValid else { return nil }
    }

    /// Checks a point before a source is asked about it.
    ///
    /// - Throws: `PhotoSourceError.invalidRequest` with both numbers, if they are not a point on
    ///   the Earth.
    package func validate() throws(PhotoSourceError) {
        guard isValid else {
            throw .invalidRequest(reason: "\(latitude), \(longitude) is no point of the Earth")
        }
    }
}

import PlacesBase

extension Coordinate {
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

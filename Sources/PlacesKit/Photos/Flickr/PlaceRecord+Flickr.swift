extension PlaceRecord {
    /// Reads an element of a list of places; nil if it has no identifier.
    init?(flickr place: LenientJSON) {
        guard let key = FlickrPlaceKey(preferringPlaceID: place) else { return nil }
        let names = [place["_content"], place["name"], place["woe_name"]]
        self.init(
            identifier: key.identifier,
            name: names.compactMap(\.nonEmptyText).first ?? "",
            coordinate: Coordinate(flickr: place),
            photoCount: place["photo_count"].int)
    }
}

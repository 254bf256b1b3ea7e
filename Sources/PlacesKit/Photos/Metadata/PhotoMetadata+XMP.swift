import Foundation

extension PhotoMetadata {
    /// Takes values from XMP for everything that is not known yet.
    mutating func fill(
        fromXMP xmp: XMPProperties, dates: inout CaptureDates,
        orientation: inout PhotoOrientation?
    ) {
        dates.add(Self.time(xmp, "Original"), of: .shot)
        dates.add(CaptureTime(xmp: xmp["photoshop:DateCreated"]), of: .shot)
        dates.add(CaptureTime(xmp: xmp["xmp:CreateDate"]), of: .digitized)
        dates.add(Self.time(xmp, "Digitized"), of: .digitized)
        coordinate = coordinate ?? Self.coordinate(xmp)
        orientation =
            orientation ?? Int(xmp["tiff:Orientation"]).flatMap(PhotoOrientation.init(rawValue:))
        title.fillWords(xmp["dc:title"])
        caption.fillWords(xmp["dc:description"])
        artist.fill(xmp["dc:creator"])
        copyright.fill(xmp["dc:rights"])
        if keywords.isEmpty { keywords = xmp.all("dc:subject") }
        if placeNames == nil {
            let names = PlaceNames(
                locality: xmp["photoshop:City"].ifNotEmpty,
                region: xmp["photoshop:State"].ifNotEmpty,
                country: xmp["photoshop:Country"].ifNotEmpty)
            placeNames = names == PlaceNames() ? nil : names
        }
    }

    /// A date of EXIF's, whose zone and fraction may be properties of their own.
    private static func time(_ xmp: XMPProperties, _ event: String) -> CaptureTime? {
        guard var time = CaptureTime(xmp: xmp["exif:DateTime\(event)"]) else { return nil }
        time.nanosecond =
            time.nanosecond ?? CaptureTime.nanoseconds(xmp["exif:SubSecTime\(event)"])
        time.secondsFromGMT =
            time.secondsFromGMT ?? CaptureTime.offset(xmp["exif:OffsetTime\(event)"])
        return time
    }

    /// The coordinate in "48,51.4166N", "48,51,25N" and the like.
    private static func coordinate(_ xmp: XMPProperties) -> Coordinate? {
        Coordinate(
            measured: degrees(xmp["exif:GPSLatitude"], positive: "N", negative: "S"),
            degrees(xmp["exif:GPSLongitude"], positive: "E", negative: "W"))
    }

    private static func degrees(
        _ text: String, positive: Character, negative: Character
    ) -> Double? {
        guard let hemisphere = text.last, hemisphere == positive || hemisphere == negative else {
            return nil
        }
        let parts = text.dropLast().split(separator: ",").map { Double($0) }
        guard (1...3).contains(parts.count) else { return nil }
        var degrees = 0.0
        for (part, unit) in zip(parts, [1.0, 60, 3_600]) {
            guard let part, part >= 0 else { return nil }
            degrees += part / unit
        }
        return hemisphere == negative ? -degrees : degrees
    }
}

extension String {
    fileprivate var ifNotEmpty: String? { isEmpty ? nil : self }
}

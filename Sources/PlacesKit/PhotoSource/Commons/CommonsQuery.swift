/// The parameters of the queries that Commons is asked.
///
/// Modules and limits are those of https://commons.wikimedia.org/w/api.php and of the GeoData extension.
enum CommonsQuery {
    typealias Parameters = [(name: String, value: String)]

    /// The most files that a list has.
    static let listLimit = 500
    /// The most files that details are given of at once.
    static let detailLimit = 50

    /// The files in an area, with their positions.
    static func files(in area: PhotoArea) -> Parameters {
        let place: (name: String, value: String) =
            switch area {
            case .circle(let center, _):
                ("gscoord", "\(center.latitude.decimalText)|\(center.longitude.decimalText)")
            case .box(let box):
                (
                    "gsbbox",
                    [
                        box.northeast.latitude, box.southwest.longitude, box.southwest.latitude,
                        box.northeast.longitude,
                    ].map(\.decimalText).joined(separator: "|")
                )
            }
        var parameters: Parameters = [
            ("list", "geosearch"), place, ("gsnamespace", "6"), ("gsprimary", "all"),
            ("gslimit", String(listLimit)),
        ]
        if case .circle(_, let kilometers) = area {
            parameters.append(("gsradius", String(Int((kilometers * 1_000).rounded()))))
        }
        return parameters
    }

    /// The newest uploads, with their positions.
    static let recentUploads: Parameters = [
        ("generator", "allimages"), ("gaisort", "timestamp"), ("gaidir", "older"),
        ("gailimit", String(listLimit)), ("prop", "coordinates"), ("colimit", "max"),
    ]

    /// All about some files, by the numbers of their pages.
    ///
    /// The width makes the reply name a thumbnail, from whose address those of other widths follow.
    static func details(of pages: [String]) -> Parameters {
        [
            ("pageids", pages.joined(separator: "|")), ("prop", "imageinfo|coordinates"),
            ("iiprop", "url|size|mime|extmetadata|timestamp|user"),
            ("iiurlwidth", String(CommonsVariants.referenceWidth)),
            ("iiextmetadatafilter", metadata.joined(separator: "|")),
            ("coprimary", "all"), ("colimit", "max"),
        ]
    }

    private static let metadata = [
        "Artist", "Attribution", "Credit", "DateTimeOriginal", "ImageDescription", "License",
        "LicenseShortName", "LicenseUrl", "ObjectName", "UsageTerms", "GPSLatitude", "GPSLongitude",
    ]
}

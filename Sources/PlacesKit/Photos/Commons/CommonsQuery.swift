/// The parameters of the queries to Commons.
///
/// The modules and limits are those of https://commons.wikimedia.org/w/api.php and of the GeoData
/// extension.
enum CommonsQuery {
    typealias Parameters = [(name: String, value: String)]

    /// The largest number of files in a list.
    static let listLimit = 500
    /// The largest number of files whose details one query may ask for.
    static let detailLimit = 50

    /// The files in an area, with their positions.
    static func files(in area: CoordinateArea) -> Parameters {
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

    /// The newest uploads, with their dates and positions; the order of pages in a reply is another.
    static let recentUploads: Parameters = [
        ("generator", "allimages"), ("gaisort", "timestamp"), ("gaidir", "older"),
        ("gailimit", String(listLimit)), ("prop", "coordinates|imageinfo"),
        ("iiprop", "timestamp"), ("colimit", "max"),
    ]

    /// All about some files, by the numbers of their pages.
    ///
    /// One module returns a thumbnail of one width only, so the query uses two modules for two
    /// widths: `imageinfo` and `pageimages`. The image of a file's page is the file itself.
    static func details(of pages: [String]) -> Parameters {
        [
            ("pageids", pages.joined(separator: "|")), ("prop", "imageinfo|coordinates|pageimages"),
            ("iiprop", "url|size|mime|extmetadata|timestamp|user"),
            ("iiurlwidth", String(CommonsVariants.thumbnailWidth)),
            ("piprop", "thumbnail"), ("pilimit", String(detailLimit)),
            ("pithumbsize", String(CommonsVariants.previewEdge)),
            ("iiextmetadatafilter", metadata.joined(separator: "|")),
            ("coprimary", "all"), ("colimit", "max"),
        ]
    }

    private static let metadata = [
        "Artist", "Attribution", "Credit", "DateTimeOriginal", "ImageDescription", "License",
        "LicenseShortName", "LicenseUrl", "ObjectName", "UsageTerms", "GPSLatitude", "GPSLongitude",
    ]
}

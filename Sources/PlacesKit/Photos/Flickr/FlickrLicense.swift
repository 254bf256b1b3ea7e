import Foundation

extension PhotoLicense {
    /// The license with a Flickr id; an unknown id is kept as its number.
    ///
    /// The table is that of https://www.flickr.com/services/api/flickr.photos.licenses.getInfo.html
    static func flickr(_ identifier: String) -> PhotoLicense {
        known[identifier]
            ?? PhotoLicense(identifier: identifier, name: "Flickr license \(identifier)")
    }

    private static let known: [String: PhotoLicense] = Dictionary(
        uniqueKeysWithValues: (0...10).map { ("\($0)", named("\($0)")) })

    private static func named(_ identifier: String) -> PhotoLicense {
        switch identifier {
        case "0": PhotoLicense(identifier: identifier, name: "All rights reserved")
        case "1": creativeCommons("BY-NC-SA", version: "2.0", identifier: identifier)
        case "2": creativeCommons("BY-NC", version: "2.0", identifier: identifier)
        case "3": creativeCommons("BY-NC-ND", version: "2.0", identifier: identifier)
        case "4": creativeCommons("BY", version: "2.0", identifier: identifier)
        case "5": creativeCommons("BY-SA", version: "2.0", identifier: identifier)
        case "6": creativeCommons("BY-ND", version: "2.0", identifier: identifier)
        case "7":
            PhotoLicense(
                identifier: identifier, name: "No known copyright restrictions",
                url: URL(string: "https://www.flickr.com/commons/usage/"))
        case "8":
            PhotoLicense(
                identifier: identifier, name: "United States Government work",
                url: URL(string: "https://www.usa.gov/government-copyright"))
        case "9":
            PhotoLicense(
                identifier: identifier, name: "CC0 1.0",
                url: URL(string: "https://creativecommons.org/publicdomain/zero/1.0/"))
        case "10":
            PhotoLicense(
                identifier: identifier, name: "Public Domain Mark 1.0",
                url: URL(string: "https://creativecommons.org/publicdomain/mark/1.0/"))
        default: PhotoLicense(identifier: identifier, name: "Flickr license \(identifier)")
        }
    }
}

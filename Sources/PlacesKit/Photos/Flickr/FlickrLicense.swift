import Foundation

extension PhotoLicense {
    /// The license with a Flickr id; an unknown id is kept as its number.
    ///
    /// The table is that of https://www.flickr.com/services/api/flickr.photos.licenses.getInfo.html
    static func flickr(_ identifier: String) -> PhotoLicense {
        known[identifier]
            ?? PhotoLicense(identifier: identifier, name: "Flickr license \(identifier)")
    }

    private static let known: [String: PhotoLicense] = {
        let attributions = ["BY-NC-SA", "BY-NC", "BY-NC-ND", "BY", "BY-SA", "BY-ND"]
        let domain = "https://creativecommons.org/publicdomain"
        let others: [(name: String, address: String)] = [
            ("No known copyright restrictions", "https://www.flickr.com/commons/usage/"),
            ("United States Government work", "https://www.usa.gov/government-copyright"),
            ("CC0 1.0", "\(domain)/zero/1.0/"), ("Public Domain Mark 1.0", "\(domain)/mark/1.0/"),
        ]
        let licenses =
            [PhotoLicense(identifier: "0", name: "All rights reserved")]
            + attributions.enumerated().map { index, clauses in
                creativeCommons(clauses, version: "2.0", identifier: "\(1 + index)")
            }
            + others.enumerated().map { index, license in
                PhotoLicense(
                    identifier: "\(7 + index)", name: license.name,
                    url: URL(string: license.address))
            }
        return Dictionary(uniqueKeysWithValues: licenses.map { ($0.identifier, $0) })
    }()
}

public import Foundation

/// The terms under which a photo may be used.
public struct PhotoLicense: Sendable, Codable, Hashable {
    /// The identifier of the license within its source.
    public var identifier: String
    /// A short name for a credit line, such as "CC BY 2.0".
    public var name: String
    /// The address of the full terms, if the source gives one.
    public var url: URL?

    /// Creates a license.
    public init(identifier: String, name: String, url: URL? = nil) {
        self.identifier = identifier
        self.name = name
        self.url = url
    }

    /// A Creative Commons license, whose name and address follow from its clauses ("BY-SA").
    package static func creativeCommons(_ clauses: String, version: String, identifier: String)
        -> Self
    {
        let path = "\(clauses.lowercased())/\(version)"
        return Self(
            identifier: identifier, name: "CC \(clauses) \(version)",
            url: URL(string: "https://creativecommons.org/licenses/\(path)/"))
    }
}

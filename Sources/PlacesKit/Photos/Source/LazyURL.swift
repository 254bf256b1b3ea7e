import Foundation

/// The text of a URL that nobody may ever ask for, which costs far more to make than the text.
struct LazyURL: Sendable, Codable {
    private let beginning: String
    /// What comes after the beginning that other URLs may have in common with this one.
    private let rest: String

    private var text: String { rest.isEmpty ? beginning : beginning + rest }

    init(_ url: URL) {
        beginning = url.absoluteString
        rest = ""
    }

    /// An address that is certain to be a URL.
    init(_ address: HTTPAddress) {
        beginning = address.beginning
        rest = address.rest
    }

    /// The URL.
    var url: URL { URL(string: text) ?? URL(filePath: text) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        beginning = try container.decode(String.self)
        rest = ""
        guard URL(string: beginning) != nil else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(beginning)” is no URL")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

extension LazyURL: Hashable {
    static func == (first: LazyURL, second: LazyURL) -> Bool {
        (first.beginning == second.beginning && first.rest == second.rest)
            || first.text == second.text
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}

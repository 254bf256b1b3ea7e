import Foundation

/// The text of a URL; it costs far more to make a `URL`, which many callers never ask for.
struct LazyURL: Sendable, Codable {
    private let beginning: String
    /// The end of the text; other URLs may share the memory of its beginning.
    private let rest: String

    private var text: String { rest.isEmpty ? beginning : beginning + rest }

    init(_ url: URL) {
        beginning = url.absoluteString
        rest = ""
    }

    /// Creates a URL from an address that is certain to be valid.
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

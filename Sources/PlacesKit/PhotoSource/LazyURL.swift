import Foundation

/// The text of a URL that nobody may ever ask for, which costs far more to make than the text.
struct LazyURL: Sendable, Hashable, Codable {
    private let text: String

    init(_ url: URL) {
        text = url.absoluteString
    }

    /// An address that is certain to be a URL.
    init(_ address: HTTPAddress) {
        text = address.text
    }

    /// The URL.
    var url: URL { URL(string: text) ?? URL(filePath: text) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        text = try container.decode(String.self)
        guard URL(string: text) != nil else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "“\(text)” is no URL")
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(text)
    }
}

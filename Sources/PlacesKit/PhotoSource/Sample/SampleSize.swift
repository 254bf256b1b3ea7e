import Foundation

/// The sizes sample photos come in, all small.
enum SampleSize: String, CaseIterable, Sendable {
    case square
    case small
    case large

    var width: Int {
        switch self {
        case .square: 8
        case .small: 16
        case .large: 64
        }
    }

    var height: Int {
        switch self {
        case .square: 8
        case .small: 12
        case .large: 48
        }
    }

    func variant(ofPhotoAt index: Int) -> PhotoVariant? {
        URL(string: "sample:\(index)/\(rawValue)").map {
            PhotoVariant(
                name: rawValue, url: $0, longestEdge: width, isCropped: self == .square)
        }
    }

    /// The size and the photo an address stands for.
    static func parse(_ url: URL) -> (size: SampleSize, index: Int)? {
        let text = url.absoluteString
        guard text.hasPrefix("sample:") else { return nil }
        let parts = text.dropFirst("sample:".count).split(separator: "/")
        guard parts.count == 2, let index = Int(parts[0]),
            let size = Self(rawValue: String(parts[1]))
        else { return nil }
        return (size, index)
    }
}

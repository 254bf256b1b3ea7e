import Foundation
import PlacesPhotos

/// The sizes of sample photos.
enum SampleSize: String, CaseIterable, Sendable {
    case square
    case small
    case medium
    case large
    case original

    var longestEdge: Int {
        switch self {
        case .square: 75
        case .small: 240
        case .medium: 640
        case .large: 1_024
        case .original: 2_048
        }
    }

    /// The width and height of a photo with a shape.
    func pixels(_ shape: SampleShape) -> (width: Int, height: Int) {
        guard self != .square else { return (longestEdge, longestEdge) }
        let shorter = Int((Double(longestEdge) * shape.ratio).rounded())
        return shape.isPortrait ? (shorter, longestEdge) : (longestEdge, shorter)
    }

    func variant(ofPhotoAt index: Int, shape: SampleShape) -> PhotoVariant? {
        let (width, height) = pixels(shape)
        return URL(string: "sample:\(index)/\(rawValue)").map {
            PhotoVariant(
                name: rawValue, url: $0, width: width, height: height,
                isCropped: self == .square)
        }
    }

    /// The size and the photo in the address of a variant.
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

/// The proportions of a sample photo.
struct SampleShape: Sendable, Hashable {
    /// The shorter side divided by the longer one.
    let ratio: Double
    let isPortrait: Bool

    /// Mostly the shapes of cameras and telephones, some squares and panoramas.
    static let all: [SampleShape] = [
        SampleShape(ratio: 3 / 4, isPortrait: false), SampleShape(ratio: 3 / 4, isPortrait: true),
        SampleShape(ratio: 2 / 3, isPortrait: false), SampleShape(ratio: 2 / 3, isPortrait: true),
        SampleShape(ratio: 9 / 16, isPortrait: false), SampleShape(ratio: 9 / 16, isPortrait: true),
        SampleShape(ratio: 1, isPortrait: false), SampleShape(ratio: 1 / 3, isPortrait: false),
    ]
}

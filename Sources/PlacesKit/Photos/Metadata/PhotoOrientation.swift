package import Foundation

/// How the pixels of a picture file have to be turned to stand upright, as EXIF numbers it.
package enum PhotoOrientation: Int, Sendable, Codable, Hashable, CaseIterable {
    /// As they are.
    case up = 1
    /// Mirrored left to right.
    case upMirrored = 2
    /// By half a turn.
    case down = 3
    /// Mirrored top to bottom.
    case downMirrored = 4
    /// By a quarter turn clockwise, then mirrored left to right.
    case leftMirrored = 5
    /// By a quarter turn clockwise.
    case right = 6
    /// By a quarter turn counterclockwise, then mirrored left to right.
    case rightMirrored = 7
    /// By a quarter turn counterclockwise.
    case left = 8

    /// Whether the picture's width becomes its height.
    package var swapsSides: Bool { rawValue >= 5 }

    /// The size of the upright picture.
    package func uprightSize(of size: CGSize) -> CGSize {
        swapsSides ? CGSize(width: size.height, height: size.width) : size
    }
}

public import Foundation

/// The position of a photo on a screen that pans and zooms it.
///
/// A new framing shows as much of the photo as possible while it covers the whole screen. It still
/// does when the screen turns, until the user zooms.
///
/// ```swift
/// var framing = PhotoFraming(
///     photo: CGSize(width: 1_024, height: 683), screen: CGSize(width: 390, height: 844))
/// framing.setZoom(framing.zoom * 2)                                  // around the middle of the screen
/// framing.pan(by: CGPoint(x: -40, y: 0))                             // the photo moves to the left
/// framing.resize(to: CGSize(width: 844, height: 390))                // the screen turns
/// ```
///
/// Lengths on the screen are in points, lengths on the photo in its pixels; a zoom is points per
/// pixel. Lengths outside the range from a millionth to a million millions count as the nearest
/// length in it. If a side of a size is not a number above 0, the framing shows nothing: the
/// visible part is empty, and the zoom is 1.
public struct PhotoFraming: Equatable, Sendable {
    /// How many times the filling zoom a user can zoom in at least.
    private static let furtherZoom = 4.0

    /// The size of the upright photo in pixels; zero if it has no valid size.
    public let photo: CGSize
    /// The size of the screen, or of its part that shows the photo; zero if it has no valid size.
    public private(set) var screen: CGSize
    /// The current zoom, in points of the screen for each pixel of the photo.
    public private(set) var zoom: Double
    /// The pixel of the photo in the middle of the screen, from the photo's top left corner.
    public private(set) var center: CGPoint

    /// Creates a framing that covers the screen with as much of the photo's middle as possible.
    public init(photo: CGSize, screen: CGSize) {
        self.photo = Self.measurable(photo)
        self.screen = Self.measurable(screen)
        zoom = 1
        center = CGPoint(x: self.photo.width / 2, y: self.photo.height / 2)
        zoom = fillingZoom
    }

    /// Whether there is no photo, or no screen to show it.
    public var isEmpty: Bool { photo == .zero || screen == .zero }

    /// The smallest zoom at which the photo covers the screen.
    public var fillingZoom: Double {
        guard !isEmpty else { return 1 }
        var zoom = max(screen.width / photo.width, screen.height / photo.height)
        // If the quotient was rounded down, a hairline of the screen would stay uncovered.
        while photo.width * zoom < screen.width || photo.height * zoom < screen.height {
            zoom = zoom.nextUp
        }
        return zoom
    }

    /// The zoom that shows the whole photo, as large as possible.
    public var fittingZoom: Double {
        guard !isEmpty else { return 1 }
        return min(screen.width / photo.width, screen.height / photo.height)
    }

    /// The zooms from the whole photo to its single pixels.
    ///
    /// The largest is four times the filling zoom, or one pixel a point if that is more.
    public var zoomLimits: ClosedRange<Double> {
        guard !isEmpty else { return 1...1 }
        return fittingZoom...max(1, Self.furtherZoom * fillingZoom)
    }

    /// The part of the photo that the screen shows, in pixels from the photo's top left corner.
    public var visibleRect: CGRect {
        guard !isEmpty else { return .zero }
        let (x, width) = Self.visible(
            screen.width / zoom, of: photo.width, around: center.x)
        let (y, height) = Self.visible(
            screen.height / zoom, of: photo.height, around: center.y)
        return CGRect(x: x, y: y, width: width, height: height)
    }

    /// The frame of the whole photo, in points from the screen's top left corner.
    ///
    /// It is often larger than the screen.
    public var photoFrame: CGRect {
        guard !isEmpty else { return .zero }
        return CGRect(
            x: screen.width / 2 - center.x * zoom, y: screen.height / 2 - center.y * zoom,
            width: photo.width * zoom, height: photo.height * zoom)
    }

    /// Zooms within the limits; if possible, the photo keeps its place at one point of the screen.
    ///
    /// - Parameters:
    ///   - zoom: The new zoom; one that is not a number changes nothing.
    ///   - anchor: The point of the screen; its middle by default.
    public mutating func setZoom(_ zoom: Double, around anchor: CGPoint? = nil) {
        guard !isEmpty, !zoom.isNaN else { return }
        let limits = zoomLimits
        let zoom = min(max(zoom, limits.lowerBound), limits.upperBound)
        if let anchor, anchor.x.isFinite, anchor.y.isFinite {
            let shift = 1 / self.zoom - 1 / zoom
            center.x += (anchor.x - screen.width / 2) * shift
            center.y += (anchor.y - screen.height / 2) * shift
        }
        self.zoom = zoom
        keepInPlace()
    }

    /// Moves the photo on the screen, but not past its edges.
    public mutating func pan(by translation: CGPoint) {
        guard !isEmpty, !translation.x.isNaN, !translation.y.isNaN else { return }
        center.x -= translation.x / zoom
        center.y -= translation.y / zoom
        keepInPlace()
    }

    /// Changes the size of the screen, as when it turns, and keeps its middle in place if possible.
    ///
    /// A photo that covered the screen covers it again; any other keeps its zoom as far as the
    /// limits allow.
    public mutating func resize(to screen: CGSize) {
        let wasFilling = isEmpty || zoom == fillingZoom
        self.screen = Self.measurable(screen)
        guard !isEmpty else {
            zoom = 1
            return
        }
        setZoom(wasFilling ? fillingZoom : zoom)
    }

    /// Covers the sides of the screen for which the photo is long enough, else centers the photo.
    private mutating func keepInPlace() {
        center.x = Self.kept(center.x, showing: screen.width / zoom, of: photo.width)
        center.y = Self.kept(center.y, showing: screen.height / zoom, of: photo.height)
    }

    private static func kept(_ center: Double, showing length: Double, of side: Double) -> Double {
        length >= side ? side / 2 : min(max(center, length / 2), side - length / 2)
    }

    private static func visible(
        _ length: Double, of side: Double, around center: Double
    ) -> (start: Double, length: Double) {
        let length = min(length, side)
        return (min(max(0, center - length / 2), side - length), length)
    }

    private static func measurable(_ size: CGSize) -> CGSize {
        guard size.width > 0, size.height > 0 else { return .zero }
        return CGSize(
            width: min(max(size.width, 1e-6), 1e12), height: min(max(size.height, 1e-6), 1e12))
    }
}

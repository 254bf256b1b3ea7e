import Foundation
import PlacesKit
import Testing

@Suite struct PhotoFramingTests {
    /// Sizes of all shapes, from a line of pixels to a panorama.
    private static func sizes(_ count: Int, seed: UInt64) -> [(photo: CGSize, screen: CGSize)] {
        var generator = SplitMix64(seed: seed)
        func length() -> Double {
            let power = Double.random(in: 0...5, using: &generator)
            let length = pow(10, power)
            return Bool.random(using: &generator) ? length : length.rounded()
        }
        return (0..<count).map { _ in
            (
                CGSize(width: length(), height: length()),
                CGSize(width: length(), height: length())
            )
        }
    }

    @Test func `a new framing leaves no space unused and shows as much as possible`() {
        for (photo, screen) in Self.sizes(2_000, seed: 1) {
            let framing = PhotoFraming(photo: photo, screen: screen)
            let covered = CGSize(
                width: photo.width * framing.zoom, height: photo.height * framing.zoom)
            #expect(covered.width >= screen.width && covered.height >= screen.height)
            let less = framing.zoom * (1 - 1e-9)
            #expect(
                photo.width * less < screen.width || photo.height * less < screen.height,
                "\(photo) on \(screen) could be smaller")
            let visible = framing.visibleRect
            #expect(
                visible.width >= photo.width * (1 - 1e-12)
                    || visible.height >= photo.height * (1 - 1e-12))
            #expect(abs(visible.midX - photo.width / 2) <= photo.width * 1e-9)
            #expect(abs(visible.midY - photo.height / 2) <= photo.height * 1e-9)
        }
    }

    @Test func `whatever the user does, the visible part lies in the photo and the photo in reach`()
    {
        var generator = SplitMix64(seed: 2)
        for (photo, screen) in Self.sizes(300, seed: 3) {
            var framing = PhotoFraming(photo: photo, screen: screen)
            for _ in 0..<20 {
                let point = CGPoint(
                    x: Double.random(in: -2...2, using: &generator) * screen.width,
                    y: Double.random(in: -2...2, using: &generator) * screen.height)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: framing.pan(by: point)
                case 1: framing.setZoom(framing.zoom * .random(in: 0.2...5, using: &generator))
                case 2:
                    framing.setZoom(
                        framing.zoom * .random(in: 0.2...5, using: &generator), around: point)
                default:
                    framing.resize(
                        to: CGSize(width: framing.screen.height, height: framing.screen.width))
                }
                check(framing)
            }
        }
    }

    private func check(_ framing: PhotoFraming) {
        let (photo, screen) = (framing.photo, framing.screen)
        let (visible, frame) = (framing.visibleRect, framing.photoFrame)
        #expect(framing.zoomLimits.contains(framing.zoom))
        #expect(visible.minX >= 0 && visible.maxX <= photo.width * (1 + 1e-12))
        #expect(visible.minY >= 0 && visible.maxY <= photo.height * (1 + 1e-12))
        #expect(visible.width > 0 && visible.height > 0)
        // Along a side that the photo covers it reaches both edges; along another it lies in the middle.
        for (start, end, length) in [
            (frame.minX, frame.maxX, screen.width), (frame.minY, frame.maxY, screen.height),
        ] {
            let slack = (abs(start) + abs(end) + length) * 1e-9
            if end - start >= length {
                #expect(start <= slack && end >= length - slack)
            } else {
                #expect(abs(start + end - length) <= slack)
            }
        }
    }

    @Test(arguments: [
        (CGSize(width: 1_024, height: 768), CGSize(width: 320, height: 480), 0.625),
        (CGSize(width: 1_024, height: 768), CGSize(width: 480, height: 320), 0.46875),
        (CGSize(width: 100, height: 100), CGSize(width: 200, height: 400), 4.0),
        (CGSize(width: 50, height: 5_000), CGSize(width: 100, height: 100), 2.0),
    ])
    func `the filling zoom of well-known sizes`(photo: CGSize, screen: CGSize, zoom: Double) {
        #expect(PhotoFraming(photo: photo, screen: screen).zoom == zoom)
    }

    @Test func `a photo that fills the screen fills it again when the screen turns`() {
        let portrait = CGSize(width: 390, height: 844)
        let landscape = CGSize(width: 844, height: 390)
        var framing = PhotoFraming(photo: CGSize(width: 1_024, height: 683), screen: portrait)
        framing.resize(to: landscape)
        #expect(framing.zoom == framing.fillingZoom)
        framing.resize(to: portrait)
        #expect(
            framing == PhotoFraming(photo: CGSize(width: 1_024, height: 683), screen: portrait))
    }

    @Test func `a zoom that the user chose stays when the screen turns`() {
        var framing = PhotoFraming(
            photo: CGSize(width: 2_000, height: 1_000), screen: CGSize(width: 300, height: 600))
        framing.setZoom(0.9)
        framing.resize(to: CGSize(width: 600, height: 300))
        #expect(framing.zoom == 0.9)
    }

    @Test func `the point under two fingers stays under them`() {
        var framing = PhotoFraming(
            photo: CGSize(width: 2_000, height: 1_000), screen: CGSize(width: 200, height: 100))
        framing.setZoom(0.2)
        let anchor = CGPoint(x: 150, y: 80)
        func photoPoint() -> CGPoint {
            CGPoint(
                x: (anchor.x - framing.photoFrame.minX) / framing.zoom,
                y: (anchor.y - framing.photoFrame.minY) / framing.zoom)
        }
        let before = photoPoint()
        framing.setZoom(0.3, around: anchor)
        #expect(abs(photoPoint().x - before.x) < 1e-9 && abs(photoPoint().y - before.y) < 1e-9)
    }

    @Test func `the limits show the whole photo on one side and single pixels on the other`() {
        var framing = PhotoFraming(
            photo: CGSize(width: 4_000, height: 3_000), screen: CGSize(width: 400, height: 400))
        framing.setZoom(0)
        #expect(framing.visibleRect == CGRect(x: 0, y: 0, width: 4_000, height: 3_000))
        framing.setZoom(.infinity)
        #expect(framing.zoom == 1)
        let small = PhotoFraming(
            photo: CGSize(width: 40, height: 30), screen: CGSize(width: 400, height: 400))
        #expect(small.zoomLimits.upperBound == small.fillingZoom * 4)
    }

    @Test func `sizes that are none show nothing, and nothing breaks`() {
        let lengths = [0, -1, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, 1e308, 5]
        for width in lengths {
            for height in lengths {
                let odd = CGSize(width: width, height: height)
                for (photo, screen) in [
                    (odd, CGSize(width: 10, height: 10)), (CGSize(width: 10, height: 10), odd),
                    (odd, odd),
                ] {
                    var framing = PhotoFraming(photo: photo, screen: screen)
                    framing.pan(by: CGPoint(x: width, y: height))
                    framing.setZoom(width, around: CGPoint(x: height, y: width))
                    framing.setZoom(height)
                    framing.resize(to: CGSize(width: height, height: width))
                    let isNone = !(width > 0 && height > 0)
                    #expect(framing.isEmpty == isNone, "\(photo) on \(screen)")
                    #expect(framing.zoom.isFinite && framing.zoom > 0)
                    let visible = framing.visibleRect
                    #expect(visible.isEmpty == isNone)
                    #expect(visible.maxX.isFinite && visible.maxY.isFinite)
                }
            }
        }
    }
}

import Foundation

/// What a sample photo shows: a sun in the sky behind a row of houses, and the ground before them.
///
/// The scene has a width and height of 1 and is drawn row by row in runs of one colour, so a picture costs
/// its height, not its area.
struct SampleScene: Sendable {
    private struct House: Sendable {
        let left: Double
        let top: Double
        let shade: Int
    }

    /// Where the shades of each thing begin in the palette.
    private enum Palette {
        static let sky = 0
        static let ground = 96
        static let houses = 160
        static let sun = 168
    }

    let shape: SampleShape
    private let horizon: Double
    private let sun: (x: Double, y: Double, radius: Double)
    /// From left to right, without gaps.
    private let houses: [House]
    private let palette: [PNGEncoder.Color]

    /// The shape of the scene alone, which is the first that is drawn.
    static func shape(from generator: SplitMix64) -> SampleShape {
        var generator = generator
        return generator.pick(SampleShape.all)
    }

    init(from generator: SplitMix64) {
        var generator = generator
        shape = generator.pick(SampleShape.all)
        let horizon = 0.5 + 0.3 * generator.unit()
        self.horizon = horizon
        sun = (
            0.1 + 0.8 * generator.unit(), 0.1 + 0.5 * generator.unit(),
            0.03 + 0.09 * generator.unit()
        )
        let count = 5 + generator.below(9)
        houses = (0..<count).map { number in
            House(
                left: number == 0 ? 0 : (Double(number) + 0.6 * generator.unit()) / Double(count),
                top: horizon - (0.02 + 0.33 * generator.unit()), shade: generator.below(8))
        }
        palette = Self.palette(using: &generator)
    }

    /// The picture as the bytes of a PNG file; a square is cut out of the middle.
    func picture(_ size: SampleSize) -> Data {
        let (width, height) = size.pixels(shape)
        // The longer side of what a square is cut from reaches beyond it on both ends.
        let longer = size == .square ? Double(width) / shape.ratio : 0
        let sceneWidth = size == .square && !shape.isPortrait ? longer : Double(width)
        let sceneHeight = size == .square && shape.isPortrait ? longer : Double(height)
        let left = (sceneWidth - Double(width)) / 2
        let top = (sceneHeight - Double(height)) / 2
        var encoder = PNGEncoder(width: width, height: height, palette: palette)
        for row in 0..<height {
            let y = (top + Double(row) + 0.5) / sceneHeight
            var position = 0
            for (end, color) in runs(y, aspect: sceneWidth / sceneHeight) {
                let pixel = min(width, max(position, Int((end * sceneWidth - left).rounded())))
                encoder.add(color, count: pixel - position)
                position = pixel
            }
            encoder.endRow()
        }
        return encoder.finish()
    }

    /// The colours of a row: each with where it ends, the last at 1.
    private func runs(_ y: Double, aspect: Double) -> [(end: Double, color: UInt8)] {
        guard y < horizon else {
            let depth = (y - horizon) / (1 - horizon)
            return [(1, Self.shade(Palette.ground, 64, depth))]
        }
        let sky = Self.shade(Palette.sky, 96, y / horizon)
        var edges = houses.map(\.left)
        var sunSpan = 0.0..<0.0
        let distance = (y - sun.y) / sun.radius
        if abs(distance) < 1 {
            let half = sun.radius * (1 - distance * distance).squareRoot() / aspect
            sunSpan = (sun.x - half)..<(sun.x + half)
            edges += [sunSpan.lowerBound, sunSpan.upperBound].filter { (0..<1).contains($0) }
            edges.sort()
        }
        edges.append(1)
        return zip(edges, edges.dropFirst()).map { start, end in
            let middle = (start + end) / 2
            if let house = houses.last(where: { $0.left <= middle }), y >= house.top {
                return (end, UInt8(Palette.houses + house.shade))
            }
            return (end, sunSpan.contains(middle) ? UInt8(Palette.sun) : sky)
        }
    }

    /// One of so many shades that begin at an index of the palette.
    private static func shade(_ start: Int, _ count: Int, _ part: Double) -> UInt8 {
        UInt8(start + min(count - 1, max(0, Int(part * Double(count)))))
    }

    private static func palette(using generator: inout SplitMix64) -> [PNGEncoder.Color] {
        func color(_ low: Int, _ high: Int) -> PNGEncoder.Color {
            PNGEncoder.Color(
                red: low + generator.below(high - low), green: low + generator.below(high - low),
                blue: low + generator.below(high - low))
        }
        let zenith = color(40, 160)
        let haze = color(170, 250)
        let near = color(30, 110)
        let far = color(90, 190)
        var palette = (0..<96).map { zenith.mixed(with: haze, Double($0) / 95) }
        palette += (0..<64).map { far.mixed(with: near, Double($0) / 63) }
        palette += (0..<8).map { _ in color(20, 130) }
        palette.append(PNGEncoder.Color(red: 255, green: 236, blue: 170))
        return palette
    }
}

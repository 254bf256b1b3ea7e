import Foundation

/// The content of a sample photo: the sky with a sun or moon, hills, houses, the ground and trees.
///
/// The land depends on the place, the light on the hour and the leaves on the season. The positions
/// of things are random. Radii are parts of the picture's shorter side, horizontal positions parts
/// of its width and vertical ones parts of its height.
struct SampleScene: Sendable {
    struct House: Sendable {
        /// Where the house begins and ends, as parts of the width.
        let span: Range<Double>
        let top: Double
        let wall: Int
        /// The windows that are lit, as bits.
        let windows: UInt64
    }

    struct Spot: Sendable {
        let x: Double
        let y: Double
        let radius: Double
        let shade: Int
    }

    let shape: SampleShape
    let land: SampleLand
    let light: SampleLight
    let season: SampleSeason
    let hasSnow: Bool
    let horizon: Double
    let disc: Spot
    let clouds: [Spot]
    let stars: [Spot]
    let houses: [House]
    let trees: [Spot]
    /// The waves whose sum is the line of the hills, by frequency and phase.
    let hills: [(frequency: Double, phase: Double)]

    /// The shape of the scene alone, which is the first thing that the generator chooses.
    static func shape(from generator: SplitMix64) -> SampleShape {
        var generator = generator
        return generator.pick(SampleShape.all)
    }

    /// Creates the scene of a photo of some land, at a latitude in degrees, in a month (1 to 12).
    init(_ land: SampleLand, latitude: Double, month: Int, from generator: SplitMix64) {
        var generator = generator
        shape = generator.pick(SampleShape.all)
        self.land = land
        season = SampleSeason(month: month, latitude: latitude)
        hasSnow = season == .winter && abs(latitude) > 40 && generator.below(2) == 0
        let hour = 5 + 17.5 * generator.unit()
        light = SampleLight(hour: hour, isGrey: generator.below(4) == 0)
        let horizon = 0.55 + 0.2 * generator.unit()
        self.horizon = horizon
        // The sun is low in the morning and in the evening.
        let height =
            light == .day || light == .overcast
            ? 0.1 + 0.2 * generator.unit() : 0.3 + 0.2 * generator.unit()
        disc = Spot(
            x: 0.12 + 0.76 * generator.unit(),
            y: light == .night ? 0.12 + 0.15 * generator.unit() : height,
            radius: light == .night ? 0.035 : 0.05 + 0.03 * generator.unit(), shade: 0)
        clouds = Self.clouds(in: light, using: &generator)
        stars =
            light == .night
            ? (0..<40).map { _ in
                Spot(x: generator.unit(), y: 0.5 * generator.unit(), radius: 0.002, shade: 0)
            } : []
        hills = (0..<3).map {
            (2 + Double($0) * 3.3 + generator.unit(), generator.unit() * 2 * .pi)
        }
        houses = Self.houses(of: land, on: horizon, in: light, using: &generator)
        trees = (0..<generator.below(5)).map { _ in
            Spot(
                x: generator.unit(), y: horizon + 0.1 + 0.12 * generator.unit(),
                radius: 0.06 + 0.08 * generator.unit(), shade: generator.below(3))
        }.sorted { $0.y < $1.y }
    }

    private static func clouds(
        in light: SampleLight, using generator: inout SplitMix64
    ) -> [Spot] {
        guard light != .night else { return [] }
        return (0..<generator.below(light == .overcast ? 6 : 4)).flatMap { _ in
            let (x, y) = (generator.unit(), 0.06 + 0.28 * generator.unit())
            return (0..<4).map { number in
                Spot(
                    x: x + 0.05 * Double(number) - 0.08, y: y + 0.012 * generator.unit(),
                    radius: 0.02 + 0.03 * generator.unit(), shade: 0)
            }
        }
    }

    private static func houses(
        of land: SampleLand, on horizon: Double, in light: SampleLight,
        using generator: inout SplitMix64
    ) -> [House] {
        var houses: [House] = []
        var left = -0.05 * generator.unit()
        while left < 1 {
            let width = 0.05 + 0.09 * generator.unit()
            // Some houses are left out, so that one can look through.
            if generator.below(6) > 0 {
                let windows = light.isDark ? generator.next() & generator.next() : 0
                houses.append(
                    House(
                        span: left..<(left + width),
                        top: horizon - land.houseHeight * (0.35 + 0.65 * generator.unit()),
                        wall: generator.below(land.walls.count), windows: windows))
            }
            left += width
        }
        return houses
    }
}

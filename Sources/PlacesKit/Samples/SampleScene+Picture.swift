import Foundation

extension SampleScene {
    /// The palette index at which the shades of each thing begin.
    private enum Palette {
        static let sky = 0
        static let ground = 64
        static let hills = 112
        static let walls = 116
        static let roof = 124
        static let leaves = 125
        static let trunk = 128
        static let window = 129
        static let disc = 130
        static let cloud = 131
        static let star = 132
        static let snow = 133
        static let glint = 134
    }

    /// The picture as a PNG file; a square is cut out of its middle.
    func picture(_ size: SampleSize) -> Data {
        let (width, height) = size.pixels(shape)
        var canvas = Canvas(self, width: width, height: height, isCropped: size == .square)
        var encoder = PNGEncoder(width: width, height: height, palette: palette)
        for row in 0..<height {
            canvas.paint(row)
            canvas.encode(into: &encoder)
        }
        return encoder.finish()
    }

    private var palette: [PNGEncoder.Color] {
        let (zenith, middle, haze) = light.sky
        var palette = (0..<32).map { zenith.mixed(with: middle, Double($0) / 31) }
        palette += (0..<32).map { middle.mixed(with: haze, Double($0) / 31) }
        let (far, near) = groundColors
        palette += (0..<48).map { far.mixed(with: near, Double($0) / 47) }
        let slope = hasSnow ? PNGEncoder.Color(0xDDE4EA) : PNGEncoder.Color(0x5F7563)
        palette += (0..<4).map {
            light.falling(on: slope).mixed(with: haze, 0.55 - 0.12 * Double($0))
        }
        palette += land.walls.map(light.falling)
        palette += land.walls.map { light.falling(on: $0.mixed(with: PNGEncoder.Color(0), 0.25)) }
        palette += [hasSnow ? PNGEncoder.Color(0xEEF2F5) : land.roofs].map(light.falling)
        palette += season.leaves.map(light.falling)
        palette += [0x5A4332].map { light.falling(on: PNGEncoder.Color($0)) }
        palette += [PNGEncoder.Color(0xFFD98A), light.disc]
        palette += [haze.mixed(with: PNGEncoder.Color(0xFFFFFF), light == .dusk ? 0.1 : 0.6)]
        palette += [PNGEncoder.Color(0xDFE6FF), light.falling(on: PNGEncoder.Color(0xF4F7FA))]
        palette.append(groundColors.far.mixed(with: light.disc, 0.6))
        return palette
    }

    /// The colours of the ground at the horizon and in the foreground.
    private var groundColors: (far: PNGEncoder.Color, near: PNGEncoder.Color) {
        let haze = light.sky.haze
        func lit(_ far: Int, _ near: Int) -> (PNGEncoder.Color, PNGEncoder.Color) {
            (light.falling(on: PNGEncoder.Color(far)), light.falling(on: PNGEncoder.Color(near)))
        }
        switch land.ground {
        case .sea, .river:
            let water = lit(0x7FA8BF, 0x2C5F78)
            return (water.0.mixed(with: haze, 0.45), water.1)
        case _ where hasSnow: return lit(0xE4EAF0, 0xF7FAFC)
        case .meadow: return season == .autumn ? lit(0xB7A86A, 0x8A7B3E) : lit(0x9DBB72, 0x4F7A3A)
        case .square: return lit(0xC9BFB0, 0x8F8577)
        case .sand: return lit(0xE9D6A8, 0xCDAA6E)
        }
    }

    /// Paints one row of the picture at a time, from the back to the front.
    private struct Canvas {
        let scene: SampleScene
        let width: Int
        /// The size of the whole scene in pixels, and where the picture begins in it.
        let sceneWidth: Double
        let sceneHeight: Double
        let left: Double
        let top: Double
        /// The length in pixels that radii are parts of.
        let unit: Double
        /// The top of the hills in each column.
        let ridge: [Double]
        var pixels: [UInt8]

        init(_ scene: SampleScene, width: Int, height: Int, isCropped: Bool) {
            self.scene = scene
            self.width = width
            // The scene is wider or higher than the square that is cut out of it, by the same
            // amount on both ends.
            let longer = isCropped ? Double(width) / scene.shape.ratio : 0
            let sceneWidth = isCropped && !scene.shape.isPortrait ? longer : Double(width)
            sceneHeight = isCropped && scene.shape.isPortrait ? longer : Double(height)
            left = (sceneWidth - Double(width)) / 2
            top = (sceneHeight - Double(height)) / 2
            unit = min(sceneWidth, sceneHeight)
            self.sceneWidth = sceneWidth
            pixels = Array(repeating: 0, count: width)
            let left = left
            ridge = (0..<width).map { column in
                let x = (left + Double(column)) / sceneWidth
                let wave = scene.hills.reduce(0.0) {
                    $0 + sin($1.frequency * x * 2 + $1.phase) / $1.frequency
                }
                return scene.horizon - scene.land.hillHeight * (0.55 + 0.6 * wave)
            }
        }

        mutating func paint(_ row: Int) {
            let y = (top + Double(row) + 0.5) / sceneHeight
            if y < scene.horizon {
                fill(0, 1, Palette.sky + min(63, Int(y / scene.horizon * 64)))
                for star in scene.stars { disc(star, y, Palette.star) }
                disc(scene.disc, y, Palette.disc)
                for cloud in scene.clouds { disc(cloud, y, Palette.cloud, flat: 2.2) }
                paintHills(y)
            } else {
                let depth = (y - scene.horizon) / (1 - scene.horizon)
                fill(0, 1, Palette.ground + min(47, Int(depth * 48)))
                if scene.land.ground == .sea || scene.land.ground == .river {
                    paintGlints(row, depth)
                }
            }
            for house in scene.houses { paint(house, y) }
            for tree in scene.trees { paint(tree, y) }
        }

        /// Adds the row to an encoder, in runs of one colour.
        func encode(into encoder: inout PNGEncoder) {
            var start = 0
            for column in 1...width where column == width || pixels[column] != pixels[start] {
                encoder.add(pixels[start], count: column - start)
                start = column
            }
            encoder.endRow()
        }

        /// Paints from one position to another, as parts of the scene's width.
        private mutating func fill(_ start: Double, _ end: Double, _ color: Int) {
            let first = max(0, Int((start * sceneWidth - left).rounded()))
            let last = min(width, Int((end * sceneWidth - left).rounded()))
            guard first < last else { return }
            for column in first..<last { pixels[column] = UInt8(color) }
        }

        /// Paints a row of a disc, or of an ellipse that is `flat` times as wide as high.
        private mutating func disc(
            _ spot: Spot, _ y: Double, _ color: Int, flat: Double = 1
        ) {
            let distance = (y - spot.y) * sceneHeight / (spot.radius * unit)
            guard abs(distance) < 1 else { return }
            let half =
                spot.radius * unit / sceneWidth * flat * (1 - distance * distance).squareRoot()
            fill(spot.x - half, spot.x + half, color)
        }

        private mutating func paintHills(_ y: Double) {
            guard scene.land.hillHeight > 0 else { return }
            for column in 0..<width where y >= ridge[column] {
                let depth = (y - ridge[column]) / scene.land.hillHeight
                pixels[column] = UInt8(Palette.hills + min(3, max(0, Int(depth * 3))))
            }
        }

        /// Paints the reflection of the light on the water.
        private mutating func paintGlints(_ row: Int, _ depth: Double) {
            guard scene.light != .overcast, row % 3 == 0 else { return }
            let reach = 0.02 + 0.06 * depth
            let sway = 0.02 * sin(Double(row) * 1.7)
            fill(
                scene.disc.x - reach * 0.6 + sway, scene.disc.x + reach * 0.6 + sway, Palette.glint)
        }

        private mutating func paint(_ house: House, _ y: Double) {
            guard y < scene.horizon else { return }
            let middle = (house.span.lowerBound + house.span.upperBound) / 2
            let half = (house.span.upperBound - house.span.lowerBound) / 2
            let roofHeight =
                half * sceneWidth / sceneHeight * (scene.land.roof == .dome ? 0.9 : 0.7)
            if y >= house.top {
                fill(house.span.lowerBound, house.span.upperBound, Palette.walls + house.wall)
                // The shaded side.
                fill(
                    house.span.upperBound - half * 0.3, house.span.upperBound,
                    Palette.walls + 4 + house.wall)
                paintWindows(house, y)
            } else if scene.land.roof != .flat, y > house.top - roofHeight {
                let part = (house.top - y) / roofHeight
                let reach = scene.land.roof == .dome ? (1 - part * part).squareRoot() : 1 - part
                fill(middle - half * reach, middle + half * reach, Palette.roof)
            } else if scene.hasSnow, scene.land.roof == .flat, y > house.top - 0.008 {
                fill(house.span.lowerBound, house.span.upperBound, Palette.snow)
            }
        }

        private mutating func paintWindows(_ house: House, _ y: Double) {
            guard house.windows != 0 else { return }
            let story = (y - house.top) / 0.03
            let number = Int(story)
            guard story - Double(number) > 0.35, story - Double(number) < 0.8 else { return }
            let step = (house.span.upperBound - house.span.lowerBound) / 4
            for column in 0..<3
            where house.windows >> UInt64((number * 3 + column) % 64) & 1 == 1 {
                let start = house.span.lowerBound + step * (Double(column) + 0.4)
                fill(start, start + step * 0.5, Palette.window)
            }
        }

        /// Paints a row of a tree that stands at a point of the ground.
        private mutating func paint(_ tree: Spot, _ y: Double) {
            guard scene.land.ground != .sea, y < tree.y else { return }
            let height = (tree.y - y) * sceneHeight / (tree.radius * unit)
            let half = tree.radius * unit / sceneWidth
            let leaf = Palette.leaves + tree.shade
            if height < 1.2 { fill(tree.x - half * 0.08, tree.x + half * 0.08, Palette.trunk) }
            switch scene.land.tree {
            case .broadleaf:
                var crown = tree
                crown = Spot(
                    x: tree.x, y: tree.y - 1.7 * tree.radius * unit / sceneHeight,
                    radius: tree.radius, shade: 0)
                // In winter the crown is narrow, since only branches are left.
                disc(crown, y, leaf, flat: scene.season == .winter ? 0.35 : 1)
            case .conifer:
                guard height > 0.5, height < 3 else { return }
                // Three tiers of branches.
                let tier = ((3 - height) / 2.5 * 3).truncatingRemainder(dividingBy: 1)
                fill(
                    tree.x - half * (0.2 + 0.5 * tier), tree.x + half * (0.2 + 0.5 * tier),
                    scene.hasSnow && tier < 0.3 ? Palette.snow : leaf)
            case .palm:
                if height < 2.4 { fill(tree.x - half * 0.07, tree.x + half * 0.07, Palette.trunk) }
                guard height > 2, height < 2.8 else { return }
                // Leaves hang down on both sides.
                let drop = (2.8 - height) / 0.8
                fill(tree.x - half * (0.1 + drop), tree.x - half * (0.65 * drop - 0.05), leaf)
                fill(tree.x + half * (0.65 * drop - 0.05), tree.x + half * (0.1 + drop), leaf)
            }
        }
    }
}

/// A picture as pixels: red, green and blue, a byte each, row by row.
struct PixelPicture {
    let width: Int
    let height: Int
    private(set) var bytes: [UInt8]

    struct Color: Hashable {
        var red: UInt8
        var green: UInt8
        var blue: UInt8
    }

    init(width: Int, height: Int, bytes: [UInt8]) {
        precondition(bytes.count == width * height * 3, "each pixel has three bytes")
        (self.width, self.height, self.bytes) = (width, height, bytes)
    }

    subscript(x: Int, y: Int) -> Color {
        let place = (y * width + x) * 3
        return Color(red: bytes[place], green: bytes[place + 1], blue: bytes[place + 2])
    }

    /// The picture in so many pixels; of other proportions it is cut out of the middle.
    func filling(width: Int, height: Int) -> PixelPicture {
        let scale = min(
            Double(self.width) / Double(width), Double(self.height) / Double(height))
        let left = (Double(self.width) - Double(width) * scale) / 2
        let top = (Double(self.height) - Double(height) * scale) / 2
        let columns = Self.samples(count: width, from: left, scale: scale, below: self.width)
        let rows = Self.samples(count: height, from: top, scale: scale, below: self.height)
        var result: [UInt8] = []
        result.reserveCapacity(width * height * 3)
        for ys in rows {
            for xs in columns {
                var (red, green, blue) = (0, 0, 0)
                for y in ys {
                    for x in xs {
                        let color = self[x, y]
                        red += Int(color.red)
                        green += Int(color.green)
                        blue += Int(color.blue)
                    }
                }
                let count = xs.count * ys.count
                result += [UInt8(red / count), UInt8(green / count), UInt8(blue / count)]
            }
        }
        return PixelPicture(width: width, height: height, bytes: result)
    }

    /// Which pixels are averaged for each of so many: a few of those that it covers, at least one.
    private static func samples(
        count: Int, from start: Double, scale: Double, below end: Int
    ) -> [[Int]] {
        (0..<count).map { index in
            let first = min(end - 1, max(0, Int(start + Double(index) * scale)))
            let last = min(end, max(first + 1, Int(start + Double(index + 1) * scale)))
            return Array(stride(from: first, to: last, by: max(1, (last - first) / 4)))
        }
    }
}

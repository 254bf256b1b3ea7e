/// Pictures as DEC's terminals take them: bands of six rows, each of which is drawn a colour at a time.
enum SixelPicture {
    private static let bandHeight = 6

    /// What draws pixels from the cursor on.
    static func command(_ picture: PixelPicture) -> String {
        let (colors, numbers) = palette(of: picture)
        var command = "\u{1B}Pq\"1;1;\(picture.width);\(picture.height)"
        for (number, color) in colors.enumerated() {
            let parts = [color.red, color.green, color.blue].map { "\(Int($0) * 100 / 255)" }
            command += "#\(number);2;\(parts.joined(separator: ";"))"
        }
        for top in stride(from: 0, to: picture.height, by: bandHeight) {
            if top > 0 { command += "-" }
            let rows = top..<min(picture.height, top + bandHeight)
            var sixels: [Int: [UInt8]] = [:]
            for y in rows {
                for x in 0..<picture.width {
                    let number = numbers[y * picture.width + x]
                    sixels[number, default: [UInt8](repeating: 0, count: picture.width)][x] |=
                        1 << UInt8(y - top)
                }
            }
            command += sixels.sorted { $0.key < $1.key }
                .map { "#\($0.key)\(runs(of: $0.value))" }
                .joined(separator: "$")
        }
        return command + "\u{1B}\\"
    }

    /// A row of sixels, in which what repeats is written once.
    private static func runs(of sixels: [UInt8]) -> String {
        var text = ""
        var rest = sixels[...]
        while let first = rest.first {
            let count = rest.prefix { $0 == first }.count
            rest = rest.dropFirst(count)
            let character = Character(Unicode.Scalar(first + 0x3F))
            text += count > 3 ? "!\(count)\(character)" : String(repeating: character, count: count)
        }
        return text
    }

    /// At most 256 colours, and which of them each pixel has.
    ///
    /// Where there are more, those that are alike become one, by ever fewer bits.
    private static func palette(
        of picture: PixelPicture
    ) -> (colors: [PixelPicture.Color], numbers: [Int]) {
        var bits: UInt8 = 8
        while true {
            let mask = ~UInt8(0) << (8 - bits)
            var known: [PixelPicture.Color: Int] = [:]
            var colors: [PixelPicture.Color] = []
            var numbers: [Int] = []
            numbers.reserveCapacity(picture.width * picture.height)
            for y in 0..<picture.height {
                for x in 0..<picture.width {
                    let color = picture[x, y]
                    let kind = PixelPicture.Color(
                        red: color.red & mask, green: color.green & mask, blue: color.blue & mask)
                    let number = known[kind] ?? colors.count
                    if number == colors.count {
                        known[kind] = number
                        colors.append(color)
                    }
                    numbers.append(number)
                }
            }
            // Two bits of each make 64.
            if colors.count <= 256 || bits <= 2 { return (colors, numbers) }
            bits -= 1
        }
    }
}

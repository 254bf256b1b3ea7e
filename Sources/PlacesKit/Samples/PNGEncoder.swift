import Foundation
import PlacesBase

/// Writes a picture of at most 256 colours as PNG, a run of one colour at a time.
///
/// The cost of a run does not depend on its length: deflate repeats the byte before, and there is a
/// formula for the checksum of a run.
struct PNGEncoder {
    struct Color: Sendable {
        let red: Int
        let green: Int
        let blue: Int

        /// This colour, moved by a fraction towards another colour.
        func mixed(with other: Color, _ part: Double) -> Color {
            func mix(_ one: Int, _ other: Int) -> Int {
                one + Int((Double(other - one) * part).rounded())
            }
            return Color(
                red: mix(red, other.red), green: mix(green, other.green),
                blue: mix(blue, other.blue))
        }
    }

    private let header: [UInt8]
    private let palette: [UInt8]
    private var deflater = RunDeflater()
    private var isRowOpen = false

    init(width: Int, height: Int, palette: [Color]) {
        // 8 bits a pixel, which are indexes into the palette; no interlacing.
        header = Self.bigEndian(width) + Self.bigEndian(height) + [8, 3, 0, 0, 0]
        self.palette = palette.prefix(256).flatMap { color in
            [color.red, color.green, color.blue].map { UInt8(clamping: $0) }
        }
    }

    /// Adds pixels of one colour to the row.
    mutating func add(_ color: UInt8, count: Int) {
        guard count > 0 else { return }
        if !isRowOpen {
            // Each row begins with the number of its filter; 0 is no filter.
            deflater.add(0, count: 1)
            isRowOpen = true
        }
        deflater.add(color, count: count)
    }

    /// Ends the row, which must have pixels for its whole width.
    mutating func endRow() {
        isRowOpen = false
    }

    /// The whole file.
    func finish() -> Data {
        var file = Data([0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A])
        for (type, content) in [
            ("IHDR", header), ("PLTE", palette), ("IDAT", deflater.finish()), ("IEND", []),
        ] {
            let named = Array(type.utf8) + content
            file.append(contentsOf: Self.bigEndian(content.count))
            file.append(contentsOf: named)
            file.append(contentsOf: Self.bigEndian(Int(named.withUnsafeBytes(CRC32.checksum))))
        }
        return file
    }

    private static func bigEndian(_ number: Int) -> [UInt8] {
        withUnsafeBytes(of: UInt32(truncatingIfNeeded: number).bigEndian) { Array($0) }
    }
}

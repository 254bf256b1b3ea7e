import Foundation

/// Reads PNG files (RFC 2083) into pixels: all kinds of colours and depths, but no interlaced ones.
///
/// What is transparent lies on black.
struct PNGReader {
    /// Pictures of more pixels are not read.
    private static let pixelLimit = 1 << 24

    private let width: Int
    private let height: Int
    /// The bits of a sample.
    private let depth: Int
    private let kind: Kind
    private var palette: [UInt8] = []
    private var compressed: [UInt8] = []

    private enum Kind: UInt8 {
        case gray = 0
        case color = 2
        case palette = 3
        case grayWithAlpha = 4
        case colorWithAlpha = 6

        var sampleCount: Int {
            switch self {
            case .gray, .palette: 1
            case .grayWithAlpha: 2
            case .color: 3
            case .colorWithAlpha: 4
            }
        }
    }

    /// The pixels of a file; `nil` if it is none, or damaged.
    static func picture(_ file: Data) -> PixelPicture? {
        PNGReader([UInt8](file)).flatMap { try? $0.picture() }
    }

    /// How many pixels a file has; `nil` if it is none.
    static func size(of file: Data) -> (width: Int, height: Int)? {
        PNGReader([UInt8](file.prefix(33))).map { ($0.width, $0.height) }
    }

    private init?(_ file: [UInt8]) {
        func number(at place: Int) -> Int {
            file[place..<(place + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        // The header is the first chunk, of 13 bytes.
        guard file.count >= 33, PictureType.ofPicture(beginning: file) == "image/png",
            number(at: 8) == 13, file[12..<16].elementsEqual("IHDR".utf8),
            let kind = Kind(rawValue: file[25]), file[26...28].allSatisfy({ $0 == 0 })
        else { return nil }
        (width, height, depth, self.kind) = (number(at: 16), number(at: 20), Int(file[24]), kind)
        guard width > 0, height > 0, width <= Self.pixelLimit / height,
            [1, 2, 4, 8, 16].contains(depth),
            depth == 8 || depth < 8 && kind.sampleCount == 1 || depth == 16 && kind != .palette
        else { return nil }
        var place = 33
        while file.count - place >= 12 {
            let count = number(at: place)
            guard count <= file.count - place - 12 else { return }
            let content = file[(place + 8)..<(place + 8 + count)]
            switch String(decoding: file[(place + 4)..<(place + 8)], as: UTF8.self) {
            case "PLTE": palette = Array(content)
            case "IDAT": compressed += content
            case "IEND": return
            default: break
            }
            place += count + 12
        }
    }

    private func picture() throws(Inflater.Damage) -> PixelPicture {
        let bitsOfPixel = depth * kind.sampleCount
        let count = (width * bitsOfPixel + 7) / 8
        let raw = try Inflater.inflated(compressed, count: (count + 1) * height)
        var pixels: [UInt8] = []
        pixels.reserveCapacity(width * height * 3)
        var above = [UInt8](repeating: 0, count: count)
        for start in stride(from: 0, to: raw.count, by: count + 1) {
            var row = Array(raw[(start + 1)...(start + count)])
            try unfilter(&row, raw[start], above, step: max(1, bitsOfPixel / 8))
            try append(row, to: &pixels)
            above = row
        }
        return PixelPicture(width: width, height: height, bytes: pixels)
    }

    /// Adds to each byte what its neighbours foretell.
    private func unfilter(
        _ row: inout [UInt8], _ filter: UInt8, _ above: [UInt8], step: Int
    ) throws(Inflater.Damage) {
        guard filter <= 4 else { throw Inflater.Damage() }
        guard filter > 0 else { return }
        for index in row.indices {
            let left = index < step ? 0 : Int(row[index - step])
            let up = Int(above[index])
            let corner = index < step ? 0 : Int(above[index - step])
            let foretold =
                switch filter {
                case 1: left
                case 2: up
                case 3: (left + up) / 2
                default: Self.nearest(to: left + up - corner, left, up, corner)
                }
            row[index] &+= UInt8(foretold)
        }
    }

    /// The one of three neighbours that is nearest to their estimate (Paeth's filter).
    private static func nearest(to estimate: Int, _ left: Int, _ up: Int, _ corner: Int) -> Int {
        let distances = (abs(estimate - left), abs(estimate - up), abs(estimate - corner))
        if distances.0 <= distances.1, distances.0 <= distances.2 { return left }
        return distances.1 <= distances.2 ? up : corner
    }

    private func append(_ row: [UInt8], to pixels: inout [UInt8]) throws(Inflater.Damage) {
        /// A sample as it is in the file, of 16 bits the more significant ones.
        func sample(_ index: Int) -> UInt8 {
            switch depth {
            case 8: return row[index]
            case 16: return row[index * 2]
            default:
                let bit = index * depth
                return row[bit / 8] >> UInt8(8 - depth - bit % 8) & (1 << UInt8(depth) - 1)
            }
        }
        for x in 0..<width {
            let first = x * kind.sampleCount
            switch kind {
            case .palette:
                let place = Int(sample(first)) * 3
                guard place + 3 <= palette.count else { throw Inflater.Damage() }
                pixels += palette[place..<(place + 3)]
            case .gray:
                let gray = depth < 8 ? sample(first) * (255 / (1 << UInt8(depth) - 1)) : sample(x)
                pixels += [gray, gray, gray]
            case .grayWithAlpha:
                let gray = sample(first).covering(sample(first + 1))
                pixels += [gray, gray, gray]
            case .color: pixels += [sample(first), sample(first + 1), sample(first + 2)]
            case .colorWithAlpha:
                let alpha = sample(first + 3)
                for index in first..<(first + 3) { pixels.append(sample(index).covering(alpha)) }
            }
        }
    }
}

extension UInt8 {
    /// What is seen of a sample on black.
    fileprivate func covering(_ alpha: UInt8) -> UInt8 { UInt8(Int(self) * Int(alpha) / 255) }
}

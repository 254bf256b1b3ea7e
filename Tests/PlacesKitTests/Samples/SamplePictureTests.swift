import Foundation
import PlacesKit
import Testing

@Suite struct SamplePictureTests {
    @Test func `every size is a valid picture of the size that its variant says`() async throws {
        let source = SamplePhotoSource()
        var shapes: Set<[Int]> = []
        for number in 0..<6 {
            let photo = try #require(source.photo(at: number))
            // Read the long way round, a large one takes seconds.
            let sizes = number == 0 ? ["square", "small", "medium", "large"] : ["square", "small"]
            for variant in photo.variants where sizes.contains(variant.name) {
                let data = try await source.data(for: variant)
                let picture = try #require(PNGReader(Array(data)), "\(variant.name)")
                #expect(picture.width == variant.width && picture.height == variant.height)
                #expect(picture.pixels.count == picture.width * picture.height)
                let colors = Set(picture.pixels)
                #expect(colors.allSatisfy { $0 < picture.colorCount })
                #expect(colors.count > 20, "a picture, not one colour")
                #expect(data.count < 60_000)
                #expect(try await source.data(for: variant) == data)
                let sides = [picture.width, picture.height]
                #expect(variant.longestEdge == sides.max())
                if variant.name == "small" {
                    shapes.insert(sides)
                }
            }
        }
        #expect(shapes.count > 2)
    }

    @Test func `pictures of different photos differ`() async throws {
        let source = SamplePhotoSource()
        var pictures: Set<Data> = []
        for number in 0..<50 {
            let variant = try #require(source.photo(at: number)?.variants.first)
            pictures.insert(try await source.data(for: variant))
        }
        #expect(pictures.count == 50)
    }

    @Test func `a picture of an unknown size or photo is none`() async throws {
        let source = SamplePhotoSource(placeCount: 1, photosPerPlace: 1)
        for address in ["sample:0/huge", "sample:x/large", "https://example.org/"] {
            let variant = PhotoVariant(name: "large", url: try #require(URL(string: address)))
            await #expect(throws: PhotoSourceError.self) { try await source.data(for: variant) }
        }
        let other = PhotoVariant(name: "large", url: try #require(URL(string: "sample:1/large")))
        await #expect(throws: PhotoSourceError.gone(what: "The sample picture sample:1/large")) {
            try await source.data(for: other)
        }
    }
}

/// A picture of the kind that the sample world makes, read the long way round.
private struct PNGReader {
    var width = 0
    var height = 0
    var colorCount = 0
    var pixels: [UInt8] = []

    init?(_ file: [UInt8]) {
        guard file.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) else {
            return nil
        }
        func number(_ position: Int) -> Int {
            file[position..<(position + 4)].reduce(0) { $0 << 8 | Int($1) }
        }
        var position = 8
        var types: [String] = []
        while position + 12 <= file.count {
            let length = number(position)
            let type = String(decoding: file[(position + 4)..<(position + 8)], as: UTF8.self)
            let content = Array(file[(position + 8)..<(position + 8 + length)])
            guard
                checksum(file[(position + 4)..<(position + 8 + length)])
                    == UInt32(number(position + 8 + length))
            else { return nil }
            types.append(type)
            switch type {
            case "IHDR":
                width = number(position + 8)
                height = number(position + 12)
                guard content.suffix(5) == [8, 3, 0, 0, 0] else { return nil }
            case "PLTE": colorCount = length / 3
            case "IDAT":
                guard let raw = inflated(content), raw.count == (width + 1) * height else {
                    return nil
                }
                for row in 0..<height {
                    guard raw[row * (width + 1)] == 0 else { return nil }
                    pixels += raw[(row * (width + 1) + 1)..<((row + 1) * (width + 1))]
                }
            default: break
            }
            position += 12 + length
        }
        guard position == file.count, types == ["IHDR", "PLTE", "IDAT", "IEND"] else { return nil }
    }
}

/// CRC-32, bit by bit.
private func checksum(_ bytes: ArraySlice<UInt8>) -> UInt32 {
    var crc: UInt32 = ~0
    for byte in bytes {
        crc ^= UInt32(byte)
        for _ in 0..<8 { crc = crc & 1 == 1 ? crc >> 1 ^ 0xEDB8_8320 : crc >> 1 }
    }
    return ~crc
}

/// The content of a zlib stream of one block of fixed codes whose repetitions are all of the last byte.
func inflated(_ stream: [UInt8]) -> [UInt8]? {
    guard stream.count > 6, (Int(stream[0]) << 8 | Int(stream[1])) % 31 == 0 else { return nil }
    var position = 16
    func bit() -> Int {
        defer { position += 1 }
        return Int(stream[position / 8] >> (position % 8)) & 1
    }
    func bits(_ count: Int) -> Int { (0..<count).reduce(0) { $0 | bit() << $1 } }
    guard bits(3) == 0b011 else { return nil }
    var output: [UInt8] = []
    while position < (stream.count - 4) * 8 {
        var code = (0..<7).reduce(0) { sum, _ in sum << 1 | bit() }
        var symbol: Int
        if code < 0b0011000 {
            symbol = 256 + code
        } else {
            code = code << 1 | bit()
            if (0b0011_0000...0b1011_1111).contains(code) {
                symbol = code - 0b0011_0000
            } else if (0b1100_0000...0b1100_0111).contains(code) {
                symbol = code - 0b1100_0000 + 280
            } else {
                symbol = (code << 1 | bit()) - 0b1_1001_0000 + 144
            }
        }
        switch symbol {
        case 0..<256: output.append(UInt8(symbol))
        case 256:
            let (sum, sums) = output.reduce((1, 0)) { state, byte in
                let sum = (state.0 + Int(byte)) % 65_521
                return (sum, (state.1 + sum) % 65_521)
            }
            let found = stream.suffix(4).reduce(0) { $0 << 8 | Int($1) }
            return found == sums << 16 | sum ? output : nil
        default:
            var length = 3
            for earlier in 257..<symbol where earlier < 284 {
                length += 1 << max(0, (earlier - 261) / 4)
            }
            if symbol == 285 { length = 258 }
            if (265..<285).contains(symbol) { length += bits((symbol - 261) / 4) }
            guard bits(5) == 0, let last = output.last else { return nil }
            output += [UInt8](repeating: last, count: length)
        }
    }
    return nil
}

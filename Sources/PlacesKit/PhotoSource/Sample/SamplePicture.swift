import Foundation

/// The pictures of the sample world: a sky over a ground in colours of their own, as uncompressed BMP.
enum SamplePicture {
    /// A picture as the bytes of a 24-bit BMP file.
    ///
    /// - Parameters:
    ///   - width: The width in pixels, from 1 to 256.
    ///   - height: The height in pixels, from 1 to 256.
    ///   - generator: Where the colours and the horizon come from.
    /// - Returns: The whole file.
    static func bitmap(width: Int, height: Int, from generator: SplitMix64) -> Data {
        var generator = generator
        let sky = (0..<3).map { _ in 128 + generator.below(128) }
        let ground = (0..<3).map { _ in 32 + generator.below(128) }
        let horizon = height * (30 + generator.below(40)) / 100
        let stride = (width * 3 + 3) / 4 * 4

        var file = Data(capacity: 54 + stride * height)
        file.append(contentsOf: "BM".utf8)
        file.append(littleEndian: UInt32(54 + stride * height))
        file.append(littleEndian: UInt32(0))
        file.append(littleEndian: UInt32(54))
        file.append(littleEndian: UInt32(40))
        file.append(littleEndian: UInt32(width))
        file.append(littleEndian: UInt32(height))
        file.append(littleEndian: UInt16(1))
        file.append(littleEndian: UInt16(24))
        file.append(littleEndian: UInt32(0))
        file.append(littleEndian: UInt32(stride * height))
        for _ in 0..<4 { file.append(littleEndian: UInt32(0)) }
        for row in 0..<height {
            let colour = row < horizon ? ground : sky
            let shade = 100 - 50 * row / height
            let pixel = colour.map { UInt8(truncatingIfNeeded: $0 * shade / 100) }
            for _ in 0..<width { file.append(contentsOf: pixel) }
            file.append(contentsOf: repeatElement(0, count: stride - width * 3))
        }
        return file
    }
}

extension Data {
    fileprivate mutating func append(littleEndian value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }
}

import PlacesKit

/// Makes JPEG files that consist of metadata and a few bytes that stand for pixels.
struct JPEGBuilder {
    private var segments: [[UInt8]] = []
    var width = 64
    var height = 48

    mutating func add(exif: EXIFBuilder) {
        add(marker: 0xE1, Array("Exif\0\0".utf8) + exif.bytes)
    }

    mutating func add(xmp: String) {
        add(marker: 0xE1, Array("http://ns.adobe.com/xap/1.0/\0".utf8) + Array(xmp.utf8))
    }

    mutating func add(marker: UInt8, _ content: [UInt8]) {
        let length = content.count + 2
        segments.append(
            [0xFF, marker, UInt8(length >> 8 & 0xFF), UInt8(length & 0xFF)] + content)
    }

    var bytes: [UInt8] {
        let frame: [UInt8] = [
            0xFF, 0xC0, 0, 11, 8, UInt8(height >> 8), UInt8(height & 0xFF), UInt8(width >> 8),
            UInt8(width & 0xFF), 1, 1, 0x11, 0,
        ]
        return [0xFF, 0xD8] + segments.joined() + frame + [0xFF, 0xDA, 0, 2, 0xAA, 0xFF, 0xD9]
    }
}

/// Lays out EXIF as a camera does: the main directory, those it points to, then what did not fit.
struct EXIFBuilder {
    enum Value {
        case text(String)
        case short(UInt16)
        case long(UInt32)
        case fractions([(UInt32, UInt32)])
        case bytes(type: UInt16, [UInt8])
    }

    var isBigEndian = false
    var main: [UInt16: Value] = [:]
    var exif: [UInt16: Value] = [:]
    var gps: [UInt16: Value] = [:]
    var thumbnail: [UInt8]?

    var bytes: [UInt8] {
        var main = main
        if !exif.isEmpty { main[0x8769] = .long(0) }
        if !gps.isEmpty { main[0x8825] = .long(0) }
        var directories = [main, exif, gps]
        if let thumbnail {
            directories.append([0x0201: .long(0), 0x0202: .long(UInt32(thumbnail.count))])
        }
        var starts: [UInt32] = []
        var end = 8
        for directory in directories {
            starts.append(UInt32(end))
            end += 2 + 12 * directory.count + 4
        }
        var heap: [UInt8] = []
        func place(_ bytes: [UInt8]) -> UInt32 {
            defer { heap += bytes + (bytes.count % 2 == 1 ? [0] : []) }
            return UInt32(end + heap.count)
        }
        if !exif.isEmpty { directories[0][0x8769] = .long(starts[1]) }
        if !gps.isEmpty { directories[0][0x8825] = .long(starts[2]) }
        if let thumbnail { directories[3][0x0201] = .long(place(thumbnail)) }

        var output: [UInt8] = isBigEndian ? [0x4D, 0x4D, 0, 42] : [0x49, 0x49, 42, 0]
        output += number(8 as UInt32)
        for (index, directory) in directories.enumerated() {
            output += number(UInt16(directory.count))
            for (tag, value) in directory.sorted(by: { $0.key < $1.key }) {
                let (type, count, bytes) = encoded(value)
                output += number(tag) + number(type) + number(UInt32(count))
                if bytes.count <= 4 {
                    output += bytes + [UInt8](repeating: 0, count: 4 - bytes.count)
                } else {
                    output += number(place(bytes))
                }
            }
            output += number(index == 0 && thumbnail != nil ? starts[3] : 0 as UInt32)
        }
        return output + heap
    }

    private func encoded(_ value: Value) -> (type: UInt16, count: Int, bytes: [UInt8]) {
        switch value {
        case .text(let text): (2, text.utf8.count + 1, Array(text.utf8) + [0])
        case .short(let short): (3, 1, number(short))
        case .long(let long): (4, 1, number(long))
        case .fractions(let fractions):
            (5, fractions.count, fractions.flatMap { number($0.0) + number($0.1) })
        case .bytes(let type, let bytes): (type, bytes.count, bytes)
        }
    }

    private func number(_ value: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: isBigEndian ? value.bigEndian : value.littleEndian) { Array($0) }
    }
}

/// Uncompresses a zlib stream (RFC 1950 and 1951).
struct Inflater {
    /// The stream breaks a rule, ends too early, or holds more than it should.
    struct Damage: Error {}

    /// The smallest length of each length code, from 257 on, and how many bits count on from it.
    private static let lengths: [(base: Int, bits: Int)] = [
        (3, 0), (4, 0), (5, 0), (6, 0), (7, 0), (8, 0), (9, 0), (10, 0), (11, 1), (13, 1),
        (15, 1), (17, 1), (19, 2), (23, 2), (27, 2), (31, 2), (35, 3), (43, 3), (51, 3), (59, 3),
        (67, 4), (83, 4), (99, 4), (115, 4), (131, 5), (163, 5), (195, 5), (227, 5), (258, 0),
    ]
    /// The smallest distance of each distance code: two codes for each number of further bits.
    private static let distances: [(base: Int, bits: Int)] = (0..<30).map { code in
        let bits = max(0, code / 2 - 1)
        return (code < 2 ? code + 1 : (2 + code % 2) << bits + 1, bits)
    }
    /// The order in which the lengths of the codes for lengths come.
    private static let order = [
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15,
    ]

    private let input: [UInt8]
    private var position = 2
    private var bits = 0
    private var bitCount = 0
    private let limit: Int
    private var output: [UInt8] = []

    /// What a stream holds, which must be so many bytes.
    static func inflated(_ stream: [UInt8], count: Int) throws(Damage) -> [UInt8] {
        guard stream.count > 2, stream[0] & 0x0F == 8, stream[1] & 0x20 == 0 else {
            throw Damage()
        }
        var inflater = Inflater(stream, limit: count)
        try inflater.inflate()
        guard inflater.output.count == count else { throw Damage() }
        return inflater.output
    }

    private init(_ input: [UInt8], limit: Int) {
        (self.input, self.limit) = (input, limit)
        output.reserveCapacity(limit)
    }

    private mutating func inflate() throws(Damage) {
        var isLast = false
        while !isLast {
            isLast = try take(1) == 1
            switch try take(2) {
            case 0: try copyStored()
            case 1: try inflate(.fixedLiterals, .fixedDistances)
            case 2:
                let (literals, distances) = try takeCodes()
                try inflate(literals, distances)
            default: throw Damage()
            }
        }
    }

    /// The next bits, the first of which counts least.
    private mutating func take(_ count: Int) throws(Damage) -> Int {
        while bitCount < count {
            guard position < input.count else { throw Damage() }
            bits |= Int(input[position]) << bitCount
            position += 1
            bitCount += 8
        }
        let value = bits & (1 << count - 1)
        bits >>= count
        bitCount -= count
        return value
    }

    private mutating func copyStored() throws(Damage) {
        // The rest of a byte of which bits were taken is not used.
        (bits, bitCount) = (0, 0)
        let (count, complement) = (try take(16), try take(16))
        guard count == ~complement & 0xFFFF, position + count <= input.count,
            output.count + count <= limit
        else { throw Damage() }
        output += input[position..<(position + count)]
        position += count
    }

    private mutating func inflate(_ literals: PrefixCode, _ distances: PrefixCode) throws(Damage) {
        while true {
            let symbol = try takeSymbol(of: literals)
            switch symbol {
            case ..<256:
                guard output.count < limit else { throw Damage() }
                output.append(UInt8(symbol))
            case 256: return
            default: try copy(symbol - 257, distances)
            }
        }
    }

    /// Repeats what came before.
    private mutating func copy(_ code: Int, _ distances: PrefixCode) throws(Damage) {
        guard code < Self.lengths.count else { throw Damage() }
        let length = Self.lengths[code].base + (try take(Self.lengths[code].bits))
        let far = try takeSymbol(of: distances)
        guard far < Self.distances.count else { throw Damage() }
        let distance = Self.distances[far].base + (try take(Self.distances[far].bits))
        guard distance <= output.count, output.count + length <= limit else { throw Damage() }
        for _ in 0..<length { output.append(output[output.count - distance]) }
    }

    private mutating func takeSymbol(of code: PrefixCode) throws(Damage) -> Int {
        var (word, first, index) = (0, 0, 0)
        for count in code.counts.dropFirst() {
            word |= try take(1)
            if word - count < first { return code.symbols[index + word - first] }
            index += count
            first = (first + count) << 1
            word <<= 1
        }
        throw Damage()
    }

    /// The codes that a block brings with it.
    private mutating func takeCodes() throws(Damage) -> (PrefixCode, PrefixCode) {
        let (literals, distances) = (try take(5) + 257, try take(5) + 1)
        let count = try take(4) + 4
        var lengths = [Int](repeating: 0, count: 19)
        for place in Self.order.prefix(count) { lengths[place] = try take(3) }
        let code = try PrefixCode(lengths)
        lengths = []
        while lengths.count < literals + distances {
            switch try takeSymbol(of: code) {
            case let length where length < 16: lengths.append(length)
            case 16:
                guard let last = lengths.last else { throw Damage() }
                lengths += [Int](repeating: last, count: try take(2) + 3)
            case 17: lengths += [Int](repeating: 0, count: try take(3) + 3)
            default: lengths += [Int](repeating: 0, count: try take(7) + 11)
            }
        }
        guard lengths.count == literals + distances else { throw Damage() }
        return (try PrefixCode(lengths[..<literals]), try PrefixCode(lengths[literals...]))
    }
}

/// A canonical Huffman code: its symbols by length and value.
private struct PrefixCode {
    /// How many codes there are of each length.
    var counts = [Int](repeating: 0, count: 16)
    var symbols: [Int] = []

    init(_ lengths: some Collection<Int>) throws(Inflater.Damage) {
        for length in lengths where length > 0 { counts[length] += 1 }
        var room = 1
        for count in counts.dropFirst() {
            room = room << 1 - count
            // More codes than there is room for mean nothing.
            guard room >= 0 else { throw Inflater.Damage() }
        }
        symbols = lengths.enumerated().filter { $0.element > 0 }
            .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
            .map(\.offset)
    }

    private init(fixed lengths: [Int]) {
        for length in lengths { counts[length] += 1 }
        symbols = lengths.enumerated()
            .sorted { ($0.element, $0.offset) < ($1.element, $1.offset) }
            .map(\.offset)
    }

    static let fixedLiterals = PrefixCode(
        fixed: (0..<288).map { $0 < 144 ? 8 : $0 < 256 ? 9 : $0 < 280 ? 7 : 8 })
    static let fixedDistances = PrefixCode(fixed: [Int](repeating: 5, count: 30))
}

import PlacesKit

/// A whole JSON value, for comparing; the library itself has no such thing.
indirect enum JSONTree: Equatable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case double(Double)
    case string(String)
    case array([JSONTree])
    case object([Member])

    struct Member: Equatable {
        let key: String
        let value: JSONTree
    }
}

extension JSONTree {
    /// Reads all of a text.
    init(_ bytes: [UInt8]) throws {
        self = try JSONReader.read(bytes) { reader in try JSONTree(from: &reader) }
    }

    init(from reader: inout JSONReader) throws(JSONError) {
        switch try reader.peekKind() {
        case .null:
            try reader.readNull()
            self = .null
        case .boolean: self = .boolean(try reader.readBool())
        case .string: self = .string(try reader.readString())
        case .number: self = try Self.number(&reader)
        case .array:
            var elements: [JSONTree] = []
            try reader.beginArray()
            while try reader.nextElement() {
                elements.append(try JSONTree(from: &reader))
            }
            self = .array(elements)
        case .object:
            var members: [Member] = []
            try reader.beginObject()
            while let key = try reader.nextKey() {
                members.append(Member(key: key, value: try JSONTree(from: &reader)))
            }
            self = .object(members)
        }
    }

    private static func number(_ reader: inout JSONReader) throws(JSONError) -> JSONTree {
        let start = reader.offset
        do {
            return .integer(try reader.readInt64())
        } catch {
            switch error.kind {
            case .notAnInteger, .numberOutOfRange:
                reader.offset = start
                return .double(try reader.readDouble())
            default: throw error
            }
        }
    }

    /// Writes the value, now and then on a new line.
    func write(to writer: inout JSONWriter) {
        switch self {
        case .null: writer.writeNull()
        case .boolean(let value): writer.write(value)
        case .integer(let value): writer.write(value)
        case .double(let value): writer.write(value)
        case .string(let value): writer.write(value)
        case .array(let elements):
            writer.beginArray()
            for element in elements {
                writer.beginNewLine()
                element.write(to: &writer)
            }
            writer.beginNewLine()
            writer.endArray()
        case .object(let members):
            writer.beginObject()
            for member in members {
                writer.writeKey(member.key)
                member.value.write(to: &writer)
            }
            writer.endObject()
        }
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }
}

extension JSONTree {
    /// Any value at all, nested at most `depth` deep; the keys of an object differ.
    static func random(depth: Int, using random: inout DocumentRandom) -> JSONTree {
        switch Int.random(in: 0..<(depth > 0 ? 9 : 6), using: &random) {
        case 0: return .null
        case 1: return .boolean(Bool.random(using: &random))
        case 2: return .integer(Int64(truncatingIfNeeded: random.next()) >> (random.next() % 64))
        case 3: return .double(finiteDouble(using: &random))
        case 4, 5: return .string(string(using: &random))
        case 6, 7:
            let count = Int.random(in: 0...5, using: &random)
            return .array((0..<count).map { _ in .random(depth: depth - 1, using: &random) })
        default:
            let count = Int.random(in: 0...5, using: &random)
            return .object(
                (0..<count).map { index in
                    Member(
                        key: "\(index)" + string(using: &random),
                        value: .random(depth: depth - 1, using: &random))
                })
        }
    }

    /// A double of any size, as likely a plain decimal as any pattern of bits.
    static func finiteDouble(using random: inout DocumentRandom) -> Double {
        switch random.next() % 3 {
        case 0: return Double(Int64.random(in: -99_999_999...99_999_999, using: &random)) / 1000
        case 1: return Double.random(in: -180...180, using: &random)
        default:
            let value = Double(bitPattern: random.next())
            return value.isFinite ? value : .leastNonzeroMagnitude
        }
    }

    /// A string of up to 40 scalars of all lengths in UTF-8, with many that must be escaped.
    static func string(using random: inout DocumentRandom) -> String {
        var string = String.UnicodeScalarView()
        for _ in 0..<(random.next() % 40) {
            let range: ClosedRange<UInt32> =
                switch random.next() % 8 {
                case 0: 0...0x1F
                case 1: 0x80...0x7FF
                // NB: Foundation loses U+FEFF from strings, so there is none to compare with it.
                case 2: 0xE000...0xFEFE
                case 3: 0x1_0000...0x10_FFFF
                default: 0x20...0x7F
                }
            if let scalar = Unicode.Scalar(UInt32.random(in: range, using: &random)) {
                string.append(scalar)
            }
        }
        return String(string)
    }
}

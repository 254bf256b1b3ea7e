import Foundation
import PlacesKit

/// Any property list, as a value that tests compare.
indirect enum PropertyListTree: Equatable {
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case double(Double)
    case string(String)
    case data(Data)
    case date(Double)
    case array([PropertyListTree])
    case dictionary([String: PropertyListTree])

    /// A random tree, with what is at the edges of the formats in it.
    static func random(_ random: inout SplitMix64, depth: Int) -> PropertyListTree {
        switch random.below(depth > 0 ? 10 : 7) {
        case 0: return .boolean(random.below(2) == 0)
        case 1:
            return .integer(Int64(bitPattern: random.next()) >> random.pick([0, 8, 31, 45, 60]))
        case 2: return .unsigned(random.next() | 1 << 63)
        case 3: return .double(Double(Int64(bitPattern: random.next())) / 1_000_003)
        case 4: return .string(text(&random))
        case 5:
            let count = random.pick([0, 1, 14, 15, 16, 300])
            return .data(Data((0..<count).map { UInt8(truncatingIfNeeded: $0 * 7) }))
        // Whole seconds, for XML has no others.
        case 6: return .date(Double(random.below(2_000_000_000)))
        case 7, 8:
            let count = random.below(18)
            return .array((0..<count).map { _ in Self.random(&random, depth: depth - 1) })
        default:
            let members = (0..<random.below(18)).map { _ in
                (text(&random), Self.random(&random, depth: depth - 1))
            }
            return .dictionary(Dictionary(members) { $1 })
        }
    }

    static func text(_ random: inout SplitMix64) -> String {
        let pieces = [
            "a", "Paris", "é", "日本", "😀", "<&>", "\"'", "x\ny", "]]>", "\t", " ", "\r\n",
            "longer than fifteen bytes",
        ]
        return (0..<random.below(5)).map { _ in random.pick(pieces) }.joined()
    }

    /// The same as Foundation has it.
    var object: Any {
        switch self {
        case .boolean(let value): value
        case .integer(let value): value
        case .unsigned(let value): value
        case .double(let value): value
        case .string(let value): value
        case .data(let value): value
        case .date(let value): Date(timeIntervalSinceReferenceDate: value)
        case .array(let values): values.map(\.object)
        case .dictionary(let values): values.mapValues(\.object)
        }
    }

    /// What Foundation has, read as a tree of the same form as this one.
    func read(_ object: Any) -> PropertyListTree? {
        switch self {
        case .boolean: (object as? Bool).map(PropertyListTree.boolean)
        case .integer: (object as? Int64).map(PropertyListTree.integer)
        case .unsigned: (object as? UInt64).map(PropertyListTree.unsigned)
        case .double: (object as? Double).map(PropertyListTree.double)
        case .string: (object as? String).map(PropertyListTree.string)
        case .data: (object as? Data).map(PropertyListTree.data)
        case .date: (object as? Date).map { .date($0.timeIntervalSinceReferenceDate) }
        case .array(let values):
            (object as? [Any]).map { objects in
                .array(zip(values, objects).compactMap { $0.read($1) })
            }
        case .dictionary(let values):
            (object as? [String: Any]).map { objects in
                .dictionary(
                    Dictionary(
                        uniqueKeysWithValues: values.compactMap { key, value in
                            objects[key].flatMap(value.read).map { (key, $0) }
                        }))
            }
        }
    }
}

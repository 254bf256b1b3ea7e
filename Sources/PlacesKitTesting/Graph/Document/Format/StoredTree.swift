import Foundation

/// A JSON text or a property list as a tree, read by Foundation.
enum StoredTree: Hashable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case text(String)
    case date(Date)
    case data(Data)
    case list([StoredTree])
    case members([String: StoredTree])
}

extension StoredTree: Decodable {
    /// Reads a JSON text.
    init(json bytes: Data) throws {
        let decoder = JSONDecoder()
        self = try decoder.decode(StoredTree.self, from: bytes)
    }

    init(from decoder: any Decoder) throws {
        if let members = try? [String: StoredTree](from: decoder) {
            self = .members(members)
            return
        }
        if let list = try? [StoredTree](from: decoder) {
            self = .list(list)
            return
        }
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let boolean = try? value.decode(Bool.self) {
            self = .boolean(boolean)
        } else if let text = try? value.decode(String.self) {
            self = .text(text)
        } else {
            let number = try value.decode(Double.self)
            // A double zero may have a sign, an integer zero has none.
            if number == 0, number.sign == .minus {
                self = .number(number)
            } else if let integer = try? value.decode(Int64.self) {
                self = .integer(integer)
            } else if let integer = try? value.decode(UInt64.self) {
                self = .unsigned(integer)
            } else {
                self = .number(number)
            }
        }
    }
}

extension StoredTree {
    /// Reads a property list; in texts such as `$$null`, the first dollar sign is removed.
    init(propertyList bytes: Data) throws {
        self = try Self.tree(
            of: PropertyListSerialization.propertyList(from: bytes, format: nil))
    }

    private static func tree(of value: Any) throws -> StoredTree {
        switch value {
        case let members as [String: Any]: return .members(try members.mapValues(tree))
        case let list as [Any]: return .list(try list.map(tree))
        case let text as String:
            let isNull = text.hasPrefix("$") && text.drop { $0 == "$" } == "null"
            return !isNull ? .text(text) : text == "$null" ? .null : .text(String(text.dropFirst()))
        case let date as Date: return .date(date)
        case let data as Data: return .data(data)
        case let number as NSNumber: return tree(of: number)
        default: throw StoredDocumentError("a \(type(of: value)) stands in a property list")
        }
    }

    private static func tree(of number: NSNumber) -> StoredTree {
        switch CChar(bitPattern: UInt8(number.objCType.pointee)) {
        case CChar(UInt8(ascii: "c")), CChar(UInt8(ascii: "B")): return .boolean(number.boolValue)
        case CChar(UInt8(ascii: "d")), CChar(UInt8(ascii: "f")): return .number(number.doubleValue)
        default:
            // An integer that only fits without a sign looks negative if it is read with one.
            return number.int64Value < 0 && number.doubleValue > 0
                ? .unsigned(number.uint64Value) : .integer(number.int64Value)
        }
    }

    var text: String? { if case .text(let text) = self { text } else { nil } }
    var list: [StoredTree]? { if case .list(let list) = self { list } else { nil } }
    var members: [String: StoredTree]? {
        if case .members(let members) = self { members } else { nil }
    }
    var integer: Int64? { if case .integer(let integer) = self { integer } else { nil } }
    /// A boolean; false if it is missing.
    static func isTrue(_ tree: StoredTree?) -> Bool { tree == .boolean(true) }
}

import Foundation
import PlacesBase

/// A comparison with each element of an array or a set that lies in a column as JSON.
struct ElementTest: Hashable, Sendable {
    private let operation: FormatOperator
    private let folding: TextFolding
    /// What the elements are compared with, as JSON has it.
    private let values: [Datum]
    /// Whether all elements have to pass, or at least one.
    private let isForAll: Bool
    /// What tests text, made once.
    private let test: TextTest?

    /// A test; `nil` where a pattern is none, or is given to what asks for text.
    init?(
        _ operation: FormatOperator, _ folding: TextFolding, _ values: [Datum], isForAll: Bool
    ) {
        self.operation = operation
        self.folding = folding
        self.values = values.map(\.asElement)
        self.isForAll = isForAll
        guard case .text(let text) = operation else {
            test = nil
            return
        }
        guard case .string(let pattern)? = values.first else { return nil }
        let test = TextTest(text, pattern, folding: folding)
        guard test.isValid else { return nil }
        self.test = test
    }

    static func == (left: ElementTest, right: ElementTest) -> Bool {
        left.operation == right.operation && left.folding == right.folding
            && left.values == right.values && left.isForAll == right.isForAll
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(operation)
        hasher.combine(values)
    }

    /// Whether the elements of an array pass; no elements where there is none.
    func callAsFunction(_ array: Datum) -> Bool {
        let elements = array.elements
        return isForAll ? elements.allSatisfy(holds) : elements.contains(where: holds)
    }

    private func holds(_ element: Datum) -> Bool {
        switch operation {
        case .order(let order): order.holds(folded(element), folded(values[0]))
        case .between:
            ComparisonOperator.greaterOrEqual.holds(element, values[0])
                && ComparisonOperator.lessOrEqual.holds(element, values[1])
        case .isIn:
            values.contains { ComparisonOperator.equal.holds(folded(element), folded($0)) }
        case .text:
            if case .string(let text) = element { test?.passes(text) ?? false } else { false }
        }
    }

    private func folded(_ value: Datum) -> Datum { ValueFunction.folded(folding)(value) }
}

extension Datum {
    /// The elements of the array whose JSON this is: truth values, numbers and texts; others are `.null`.
    var elements: [Datum] {
        guard case .string(let json) = self else { return [] }
        return
            (try? JSONReader.read(Array(json.utf8)) { reader in
                var elements: [Datum] = []
                guard try reader.peekKind() == .array else {
                    try reader.skipValue()
                    return elements
                }
                try reader.beginArray()
                while try reader.nextElement() { elements.append(try reader.element()) }
                return elements
            }) ?? []
    }

    /// What `Codable` makes of a value in an array.
    fileprivate var asElement: Datum {
        switch self {
        case .date(let date): .double(date.timeIntervalSinceReferenceDate)
        case .uuid(let value): .string(value.uuidString)
        case .data(let data): .string(data.base64EncodedString())
        case .null, .boolean, .integer, .unsigned, .decimal, .double, .string: self
        }
    }
}

extension JSONReader {
    fileprivate mutating func element() throws(JSONError) -> Datum {
        switch try peekKind() {
        case .string: return .string(try readString())
        case .number:
            let text = String(decoding: bytes[try scanNumber().range], as: UTF8.self)
            return Int64(text).map(Datum.integer) ?? UInt64(text).map(Datum.unsigned)
                ?? .double(Double(text) ?? .nan)
        case .boolean: return .boolean(try readBool())
        case .null, .array, .object:
            try skipValue()
            return .null
        }
    }
}

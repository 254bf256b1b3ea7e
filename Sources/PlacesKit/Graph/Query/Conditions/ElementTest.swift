import Foundation
import PlacesBase

/// A comparison with each element of an array or a set that lies in a column as JSON.
struct ElementTest: Hashable, Sendable {
    private let operation: FormatOperator
    private let folding: TextFolding
    /// What the elements are compared with, of their type, or as JSON has it; folded where that is not text's own matter.
    private let values: [Datum]
    /// The values of a list, made once.
    private let list: ListedValues?
    /// The type of the elements; `nil` where it is not known.
    private let type: AttributeType?
    /// Whether all elements have to pass, or at least one.
    private let isForAll: Bool
    /// What tests text, made once; `nil` where no text passes.
    private let test: TextTest?

    /// A test; `nil` where a pattern is none, or is given to what asks for text.
    init?(
        _ operation: FormatOperator, _ folding: TextFolding, _ values: [Datum],
        of type: AttributeType?, isForAll: Bool
    ) {
        self.operation = operation
        self.folding = folding
        let values = type == nil ? values.map(\.asElement) : values
        self.type = type
        self.isForAll = isForAll
        guard case .text(let text) = operation else {
            self.values = values.map(ValueFunction.folded(folding).callAsFunction)
            list = operation == .isIn ? ListedValues(self.values) : nil
            test = nil
            return
        }
        self.values = values
        list = nil
        guard case .string(let pattern)? = values.first else { return nil }
        // The empty text is found in none, as in no attribute.
        guard !pattern.isEmpty || text.hasPattern else {
            test = nil
            return
        }
        let test = TextTest(text, pattern, folding: folding)
        guard test.isValid else { return nil }
        self.test = test
    }

    static func == (left: ElementTest, right: ElementTest) -> Bool {
        left.operation == right.operation && left.folding == right.folding
            && left.values == right.values && left.type == right.type
            && left.isForAll == right.isForAll
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(operation)
        hasher.combine(values)
    }

    /// Whether the elements of an array pass; no elements where there is none.
    func callAsFunction(_ array: Datum) -> Bool {
        let elements = array.elements(of: type)
        return isForAll ? elements.allSatisfy(holds) : elements.contains(where: holds)
    }

    private func holds(_ element: Datum) -> Bool {
        switch operation {
        case .order(let order): order.holds(folded(element), values[0])
        case .between:
            ComparisonOperator.greaterOrEqual.holds(folded(element), values[0])
                && ComparisonOperator.lessOrEqual.holds(folded(element), values[1])
        case .isIn: list?.contains(folded(element)) ?? false
        case .text:
            if case .string(let text) = element { test?.passes(text) ?? false } else { false }
        }
    }

    private func folded(_ value: Datum) -> Datum { ValueFunction.folded(folding)(value) }
}

extension Datum {
    /// The elements of the array whose JSON this is, as values of a type, where it is known: truth values, numbers and
    /// texts; others are `.null`.
    func elements(of type: AttributeType? = nil) -> [Datum] {
        guard case .string(let json) = self else { return [] }
        return
            (try? JSONReader.read(Array(json.utf8)) { reader in
                var elements: [Datum] = []
                guard try reader.peekKind() == .array else {
                    try reader.skipValue()
                    return elements
                }
                try reader.beginArray()
                while try reader.nextElement() { elements.append(try reader.element(of: type)) }
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

    /// What `Codable` wrote as text for a value of a type; the text itself for any other.
    fileprivate init(text: String, of type: AttributeType?) {
        let value: Datum? =
            switch type {
            case .float, .double, .date:
                JSONNonFinite(rawValue: text).map { Datum(number: $0.value, of: type) }
            case .uuid: UUID(uuidString: text).map(Datum.uuid)
            case .data: Data(base64Encoded: text).map(Datum.data)
            default: nil
            }
        self = value ?? .string(text)
    }

    /// What `Codable` wrote as a number for a value of a type; the number as it reads for any other.
    fileprivate init(digits: String, of type: AttributeType?) {
        let value: Datum? =
            switch type {
            case .float: Float(digits).map { .double(Double($0)) }
            case .double, .date: Double(digits).map { Datum(number: $0, of: type) }
            case .decimal: Decimal(string: digits).map(Datum.decimal)
            case .uint64: UInt64(digits).map(Datum.unsigned)
            default: Int64(digits).map(Datum.integer) ?? UInt64(digits).map(Datum.unsigned)
            }
        self = value ?? .double(Double(digits) ?? .nan)
    }

    private init(number: Double, of type: AttributeType?) {
        self =
            type == .date ? .date(Date(timeIntervalSinceReferenceDate: number)) : .double(number)
    }
}

extension JSONReader {
    fileprivate mutating func element(of type: AttributeType?) throws(JSONError) -> Datum {
        switch try peekKind() {
        case .string: return Datum(text: try readString(), of: type)
        case .number:
            let digits = String(decoding: bytes[try scanNumber().range], as: UTF8.self)
            return Datum(digits: digits, of: type)
        case .boolean: return .boolean(try readBool())
        case .null, .array, .object:
            try skipValue()
            return .null
        }
    }
}

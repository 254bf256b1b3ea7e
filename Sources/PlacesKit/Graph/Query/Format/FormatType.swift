import Foundation

/// What an expression of a predicate format is, as far as the schema tells.
enum FormatType: Hashable, Sendable {
    case null, boolean, integer, unsigned, real, decimal, string, date, uuid, data
    /// A `Codable` value, of which only its absence can be asked, and its elements, if it is an array; of what type
    /// these are, as far as it is known.
    case coded(elements: AttributeType?)
    /// An object of the entities of a table.
    case object(table: TableNumber)

    /// The type of an attribute's values.
    init(_ attribute: AttributeDescription) {
        self =
            attribute.type == .json
            ? .coded(elements: attribute.elementType) : FormatType(attribute.type)
    }

    /// The type of an attribute's values, or of the elements of one.
    init(_ type: AttributeType) {
        self =
            switch type {
            case .boolean: .boolean
            case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32: .integer
            case .uint64: .unsigned
            case .float, .double: .real
            case .decimal: .decimal
            case .json: .coded(elements: nil)
            case .string, .url: .string
            case .date: .date
            case .uuid: .uuid
            case .data: .data
            }
    }

    /// The type of a literal or an argument.
    init(_ datum: Datum) {
        self =
            switch datum {
            case .null: .null
            case .boolean: .boolean
            case .integer: .integer
            case .unsigned: .unsigned
            case .decimal: .decimal
            case .double: .real
            case .string: .string
            case .date: .date
            case .uuid: .uuid
            case .data: .data
            }
    }

    var isNumber: Bool {
        switch self {
        case .integer, .unsigned, .real, .decimal: true
        case .null, .boolean, .string, .date, .uuid, .data, .coded, .object: false
        }
    }

    var isCoded: Bool { if case .coded = self { true } else { false } }

    /// Whether the values have a length.
    var hasLength: Bool { self == .string || self == .data }

    /// The type in words, behind an article.
    var name: String {
        switch self {
        case .null: "nil"
        case .boolean: "a truth value"
        case .integer, .unsigned, .real, .decimal: "a number"
        case .string: "text"
        case .date: "a date"
        case .uuid: "a UUID"
        case .data: "data"
        case .coded: "a coded value"
        case .object: "an object"
        }
    }
}

/// A value of a predicate format: what to read, and what it is.
struct FormatOperand {
    var operand: Operand
    var type: FormatType

    /// The value, where it is the same for every object.
    var constant: Datum? {
        if case .constant(let datum) = operand { datum } else { nil }
    }

    init(_ operand: Operand, _ type: FormatType) {
        self.operand = operand
        self.type = type
    }

    init(constant: Datum) {
        self.init(.constant(constant), FormatType(constant))
    }

    /// The same value as another type's, where one can be read as the other: 1 as YES and YES as 1, a
    /// UUID's text as the UUID.
    func converted(to type: FormatType) -> FormatOperand? {
        if self.type == type || self.type == .null || type == .null { return self }
        if self.type.isNumber, type.isNumber { return self }
        switch (type, constant) {
        case (.boolean, .integer(0)?): return FormatOperand(constant: .boolean(false))
        case (.boolean, .integer(1)?): return FormatOperand(constant: .boolean(true))
        case (.uuid, .string(let text)?):
            return UUID(uuidString: text).map { FormatOperand(constant: .uuid($0)) }
        case (_, .boolean(let answer)?) where type.isNumber:
            return FormatOperand(constant: .integer(answer ? 1 : 0))
        default:
            guard self.type == .boolean, type.isNumber else { return nil }
            let numbers = [Datum.boolean(true): Datum.integer(1), .boolean(false): .integer(0)]
            return FormatOperand(.applied(.entry(numbers), operand), .integer)
        }
    }

    /// How long the text or data is.
    var length: FormatOperand { applying(.length, as: .integer) }

    /// What a function makes of the value, which is of a type.
    func applying(_ function: ValueFunction, as type: FormatType) -> FormatOperand {
        guard let constant else { return FormatOperand(.applied(function, operand), type) }
        return FormatOperand(constant: function(constant))
    }
}

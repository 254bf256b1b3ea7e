import Foundation

/// Where a page of a request ended, for asking later for the next one: in another process, too.
///
/// A token holds what the last object was sorted by, and its number. It is `Codable`, so a server can
/// give it to its client.
public struct PageToken: Hashable, Sendable {
    /// The entity and the order of the objects, in words that are the same in every process.
    let order: String
    /// What the last object was sorted by.
    let values: [Datum]
    /// The number of the last object.
    let number: Int64
}

/// The objects of one page.
public struct FetchedPage<Object: ManagedObject> {
    /// The objects, in the order of the request.
    public let objects: FetchedResults<Object>
    /// What leads to the next page; `nil` where there is none.
    public let next: PageToken?
}

extension PageToken: Codable {
    private enum CodingKeys: CodingKey { case order, values, number }

    /// Reads a token.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        order = try container.decode(String.self, forKey: .order)
        values = try container.decode([CodedValue].self, forKey: .values).map(\.datum)
        number = try container.decode(Int64.self, forKey: .number)
    }

    /// Writes the token, the numbers in it bit by bit.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(order, forKey: .order)
        try container.encode(values.map(CodedValue.init), forKey: .values)
        try container.encode(number, forKey: .number)
    }
}

/// A value as it stands in a token: formats of text have no infinity, and may round.
private enum CodedValue: Codable {
    case null
    case boolean(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case decimal(String)
    case double(bits: UInt64)
    case date(bits: UInt64)
    case string(String)
    case uuid(UUID)
    case data(Data)

    init(_ datum: Datum) {
        self =
            switch datum {
            case .null: .null
            case .boolean(let value): .boolean(value)
            case .integer(let value): .integer(value)
            case .unsigned(let value): .unsigned(value)
            case .decimal(let value): .decimal(value.description)
            case .double(let value): .double(bits: value.bitPattern)
            case .date(let value):
                .date(bits: value.timeIntervalSinceReferenceDate.bitPattern)
            case .string(let value): .string(value)
            case .uuid(let value): .uuid(value)
            case .data(let value): .data(value)
            }
    }

    var datum: Datum {
        switch self {
        case .null: .null
        case .boolean(let value): .boolean(value)
        case .integer(let value): .integer(value)
        case .unsigned(let value): .unsigned(value)
        case .decimal(let text): .decimal(Decimal(string: text) ?? .nan)
        case .double(let bits): .double(Double(bitPattern: bits))
        case .date(let bits):
            .date(Date(timeIntervalSinceReferenceDate: Double(bitPattern: bits)))
        case .string(let value): .string(value)
        case .uuid(let value): .uuid(value)
        case .data(let value): .data(value)
        }
    }
}

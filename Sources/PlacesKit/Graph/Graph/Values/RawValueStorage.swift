import Foundation
import Synchronization

/// Which types with raw values are stored as these are.
enum RawValueStorage {
    private static let known = Mutex<[ObjectIdentifier: Bool]>([:])

    /// Whether a column holds the values of a type as it would hold their raw values, which are of another type than all
    /// that the column may hold, or at least what files give back that spell it as these.
    ///
    /// Documents of earlier versions spell all such types as their raw values.
    ///
    /// Nobody can see whether a type has a `stored` of its own, but its values tell. They are asked once.
    static func holdsRawValues(_ type: any (AttributeValue & RawRepresentable).Type) -> Bool {
        let key = ObjectIdentifier(type)
        if let answer = known.withLock({ $0[key] }) { return answer }
        // Not under the lock: these call code of the type.
        let answer = type.isStoredAsRawValue
        known.withLock { $0[key] = answer }
        return answer
    }
}

extension AttributeValue where Self: RawRepresentable {
    fileprivate static var isStoredAsRawValue: Bool {
        guard let rawType = RawValue.self as? any AttributeValue.Type else { return false }
        let rawAttribute = rawType.attributeType
        func isSame<Raw: AttributeValue>(_ value: Self, _ type: Raw.Type) -> Bool {
            guard let raw = (value.rawValue as? Raw)?.stored as? Stored else { return false }
            // What is no JSON could not be read at all.
            return value.stored.isIdentical(to: raw)
                || rawAttribute != .json
                    && rawAttribute.readsBack(value.datum(as: rawAttribute))
        }
        return examples(rawType).allSatisfy { isSame($0, rawType) }
    }

    /// All values, or some with ordinary raw values.
    private static func examples<Raw: AttributeValue>(_ type: Raw.Type) -> [Self] {
        func cases<Cases: CaseIterable>(_ type: Cases.Type) -> [Self] {
            type.allCases.compactMap { $0 as? Self }
        }
        if let type = Self.self as? any CaseIterable.Type { return cases(type) }
        return type.attributeType.ordinaryValues.compactMap { datum in
            (type.value(of: datum) as? RawValue).flatMap { Self(rawValue: $0) }
        }
    }
}

extension AttributeType {
    /// Whether files give back the very value of a type of one's own, which may store what its raw values are not.
    func readsBack(_ value: Datum) -> Bool {
        switch (self, value) {
        case (.float, .double(let number)): Double(Float(number)) == number || number.isNaN
        case (.url, .string(let text)): text.spelledAsURL == text
        case (_, .integer(let number)): integerRange?.contains(number) ?? true
        default: true
        }
    }

    /// A few values of a type that says more than its column, for which most types that have such raw values are ready.
    fileprivate var ordinaryValues: [Datum] {
        switch self {
        case .int8, .uint8: [3, 97, 41].map(Datum.integer)
        case .int16, .uint16, .int32, .uint32: [3, 97, 1_000, 30_000].map(Datum.integer)
        case .uint64: [3, 97, 41].map(Datum.unsigned)
        case .float: [12.5, 0.25].map(Datum.double)
        case .date: [800_000_000.5, 12_345].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
        case .url:
            ["https://www.example.com/a%20b?q=1#top", "file:///a/b%20c.txt"].map(Datum.string)
        case .json: ["[]", "[3]", "[\"a\"]", "{}", "{\"a\":\"b\"}"].map(Datum.string)
        case .boolean, .int64, .double, .decimal, .string, .uuid, .data: []
        }
    }
}

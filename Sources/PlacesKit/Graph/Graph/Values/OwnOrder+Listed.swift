import Foundation

extension OwnOrder {
    /// The order in which the values of an enum are listed, for readers without its class: mostly the cases are declared
    /// in it.
    init(listed values: [Datum]) {
        let places = Dictionary(
            zip(values.map(\.asStored), values.indices), uniquingKeysWith: { first, _ in first })
        let comparing: @Sendable (Datum) -> (Datum) -> ComparisonResult = { datum in
            let left = places[datum] ?? -1
            return { other in
                let right = places[other] ?? -1
                return left < right
                    ? .orderedAscending : left > right ? .orderedDescending : .orderedSame
            }
        }
        self.init(
            type: ObjectIdentifier(OwnOrder.self), compare: { comparing($0)($1) },
            comparing: comparing)
    }
}

extension Datum {
    /// The value as its column holds it, whatever its type makes of that.
    fileprivate var asStored: Datum {
        switch self {
        case .unsigned(let value): .integer(value.ordered)
        case .date(let value): .double(value.timeIntervalSinceReferenceDate)
        case .null, .boolean, .integer, .decimal, .double, .string, .uuid, .data: self
        }
    }
}

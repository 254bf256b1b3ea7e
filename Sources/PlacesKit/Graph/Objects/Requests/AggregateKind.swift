import Foundation

/// What an aggregate comes to, in a form that can be kept while objects come and go.
enum AggregateKind: Sendable {
    case count
    case identifiers
    case countDistinct(any AnyKeyPath & Sendable)
    case sum(any AnyKeyPath & Sendable, ColumnKind)
    case average(any AnyKeyPath & Sendable)
    case extreme(any AnyKeyPath & Sendable, greatest: Bool, isStoredOrder: Bool)
}

/// What was kept of a group; each aggregate takes its part.
struct KeptValues {
    /// The values, in the order of the aggregates that have one.
    var data: ArraySlice<Datum>
    /// The identifiers of the group's first objects, at most so many.
    let identifiers: (_ limit: Int) -> [ObjectID]

    /// The value of the next aggregate.
    mutating func next() -> Datum { data.popFirst() ?? .null }
}

import Foundation

/// What an aggregate comes to, in a form that can be kept while objects come and go.
enum AggregateKind: Sendable {
    case count
    case countDistinct(any AnyKeyPath & Sendable)
    case sum(any AnyKeyPath & Sendable, ColumnKind)
    case average(any AnyKeyPath & Sendable)
    case extreme(any AnyKeyPath & Sendable, greatest: Bool, isStoredOrder: Bool)
}

import Foundation

/// A group as it was made last.
struct KeptGroup<Key: Hashable & Sendable, Values> {
    let key: Key
    let values: Values
    /// What the group is ordered by.
    var ranks: [any GroupRanking] = []
    /// Its first row, by which it is ordered last.
    var first = Row(0)
    /// Whether it is one that was asked for.
    var isShown = true
}

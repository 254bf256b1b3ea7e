/// A row of a request's table that a change concerns, and what of it changed.
struct TouchedRow {
    var row: Row
    /// Its own properties that changed.
    var properties: PropertyMask = []
    /// Which of the properties changed that the request reads of others, by their numbers; those from 63 on
    /// share the last.
    var related: UInt64 = 0
    /// Whether anything did that the row's object shows; nothing does where time alone passes, or where the
    /// request's condition only counted what did.
    var isChanged = true
}

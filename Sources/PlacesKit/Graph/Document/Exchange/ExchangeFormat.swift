/// What the objects of one entity are exported as, and imported from.
public enum ExchangeFormat: String, Sendable, CaseIterable {
    /// JSON: an array with an object on each line.
    case json
    /// Comma-separated values, as RFC 4180 has them, in UTF-8.
    case csv
}

/// A query for records of an entity, written as text.
///
/// ```swift
/// let query = try RecordQuery(
///     "Photo WHERE takenAt.name == %@ SORT lastViewed DESC, title LIMIT 10", "Paris")
/// ```
///
/// - After the name of the entity you may write `WHERE` and a predicate in the language of
///   ``PredicateFormat``, then `SORT` and key paths, `LIMIT` and `OFFSET`.
/// - A key path sorts ascending unless `DESC` follows it. It may lead across to-one relationships,
///   or count the members of a to-many one: `photos.@count`.
/// - Records that are equal under all key paths come in an order that stays while they live. `nil`
///   comes before every value, with `DESC` after all, unless you write `NULLS FIRST` or `NULLS LAST`.
public struct RecordQuery: Sendable {
    /// The query as it was written.
    public let text: String
    let parts: RecordQueryText

    /// Parses a query and takes its arguments, as ``PredicateFormat`` does.
    ///
    /// - Throws: `PredicateFormatError`, which names the column and what belongs there.
    /// - Complexity: O(n).
    public init(_ text: String, _ arguments: Any?...) throws(PredicateFormatError) {
        self.text = text
        do throws(PredicateFormatError) {
            parts = try FormatParser.query(text, arguments)
        } catch {
            throw error.inQuery
        }
    }

    /// The name of the entity.
    public var entity: String { parts.entity }

    /// The positions of the window within all matches.
    var window: Range<Int> {
        let (end, isOverflow) = parts.offset.addingReportingOverflow(parts.limit ?? .max)
        return parts.offset..<(isOverflow ? .max : end)
    }
}

extension PredicateFormatError {
    /// The same error, said of a query.
    var inQuery: PredicateFormatError {
        var error = self
        error.source = "the query"
        return error
    }
}

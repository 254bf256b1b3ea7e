/// The number of an object within its table, or of an edge within the hidden table of a
/// many-to-many relationship.
@usableFromInline typealias Row = Int32

/// How rows that satisfy a condition are found: a tree that is made before anything runs.
///
/// What is planned is what runs, so that `explain` tells the truth: a step decides while it runs only
/// which way to go along links, for only then it knows how many there are, and when to give up
/// walking an index.
struct QueryPlan: Sendable {
    /// The number of the step among those of its query.
    let id: Int
    /// The table whose rows are found.
    let table: TableNumber
    /// How many rows are expected.
    let estimate: Int
    let step: Step

    indirect enum Step: Sendable {
        /// All rows; also deleted ones, to which links may lead while a delete is denied.
        case everything(isLinked: Bool)
        /// The rows of some numbers; also deleted ones, to which links may lead.
        case rows(Set<Datum>, isLinked: Bool)
        /// The rows that have one of some values of a unique attribute.
        case lookup(slot: Slot, Set<Datum>)
        /// A part of an ordered index.
        case range(IndexRange)
        /// Parts of a spatial index.
        case area(SpatialRanges)
        /// The rows with words in a part of an index of words.
        case words(WordRange)
        /// The rows that all of some plans find.
        case intersection([QueryPlan])
        /// The rows that at least one of some plans finds.
        case union([QueryPlan])
        /// The rows that a relationship joins to those of another plan.
        case links(slot: Slot, QueryPlan)
        /// The rows of a plan that pass some tests, asked one after the other.
        case filter(QueryPlan, [RowTest])
        /// The rows of a plan in the order of some keys, up to a limit; those of a page, if it is one.
        case sort(QueryPlan, [SortKey], limit: Int?, PageRest?)
        /// The first rows in the order of an index that pass some tests, or another plan.
        case walk(IndexWalk, [RowTest], otherwise: QueryPlan?)
        /// The rows nearest to a point that pass some tests, or another plan.
        case nearest(NearestRows, [RowTest], otherwise: QueryPlan)
    }
}

/// A part of an ordered index of a table.
struct IndexRange: Sendable {
    /// The number of the index.
    var index: Int
    var positions: Range<Int>
    /// The comparisons that hold there.
    var conditions: [Condition]
}

/// Parts of a spatial index of a table.
struct SpatialRanges: Sendable {
    /// The number of the index.
    var index: Int
    var cover: SpatialCover
    /// Whether those at the edges are meant that have to be asked where they lie, or all others.
    var areOnLines = false
}

/// A part of an index of the words of a table's text.
struct WordRange: Sendable {
    /// The number of the index.
    var index: Int
    var positions: Range<Int>
    /// Whether no row is there twice.
    var isOneWord: Bool
    /// What the words are or begin with, for people.
    var text: String
}

/// Entries of an ordered index in order, up to a number of matches.
struct IndexWalk: Sendable {
    var range: IndexRange
    var isAscending: Bool
    /// Whether rows without a value come as if that was the greatest: in the index they are before the others.
    var hasGreatestNil: Bool
    /// How many rows are wanted.
    var limit: Int
    /// How many entries may be looked at before another plan takes less time.
    var budget: Int
    /// What is wanted besides, if it is a page.
    var page: PageRest?
    /// By how many of the index's columns rows come in the order of the request.
    var columnCount: Int
    /// The request's keys, where rows that are equal by these columns are to be sorted by others.
    var keys: [SortKey]
}

/// A condition that rows are asked for, with the plans of what it joins.
indirect enum RowTest: Sendable {
    /// What is asked of a column, or of each row.
    case condition(Condition)
    /// What is asked of each object.
    case object(OpaqueCondition)
    case not(RowTest)
    case all([RowTest])
    case any([RowTest])
    /// Whether a to-one relationship leads to a row of a plan.
    case target(Join, otherwise: Bool)
    /// Whether a to-many relationship has a row of a plan for a member.
    case member(Join)
    /// Whether the row is one of a plan's, which are the only ones that satisfy a condition; all of
    /// them do where that is said.
    case among(QueryPlan, isExact: Bool, Condition)
}

extension RowTest {
    /// Rows of another table, found by a plan or asked one by one.
    struct Join: Sendable {
        let slot: Slot
        let plan: QueryPlan
        /// The same as a condition on a single row of the table that is joined.
        let condition: Condition
        /// How many rows are looked at to ask one row, on average.
        let visits: Double
    }
}

/// What a planner may use besides scans.
struct PlanChoices: OptionSet, Sendable {
    let rawValue: Int

    /// Look-ups of rows by number and by unique attributes.
    static let lookups = PlanChoices(rawValue: 1)
    /// Ranges of ordered indexes.
    static let ranges = PlanChoices(rawValue: 2)
    /// Intersections and unions of what indexes find.
    static let combinations = PlanChoices(rawValue: 4)
    /// Links as the first way to rows.
    static let links = PlanChoices(rawValue: 8)
    /// The order of an index instead of a sort.
    static let walks = PlanChoices(rawValue: 16)
    /// Whatever is possible, also where it seems to take longer.
    static let eager = PlanChoices(rawValue: 32)

    /// Whatever lets the first row be found soonest, which is all that is wanted: rows of one index are asked
    /// instead of looking for them in others.
    static let existence = PlanChoices(rawValue: 64)

    /// Whether what indexes find may be intersected.
    var intersects: Bool { contains(.combinations) && !contains(.existence) }

    /// What is used by itself: what seems to take least time.
    static let sensible: PlanChoices = [.lookups, .ranges, .combinations, .links, .walks]
}

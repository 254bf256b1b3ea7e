import Foundation
import PlacesBase

/// A predicate in the one form that every kind of query is compiled to.
///
/// Conditions are evaluated on whole tables at once (`QueryRun`) or on one row
/// (`Graph.matches`), with the same answer.
indirect enum Condition: Sendable {
    /// The same answer for every row.
    case constant(Bool)
    /// The opposite.
    case not(Condition)
    /// Every one of some conditions.
    case all([Condition])
    /// At least one of some conditions.
    case any([Condition])
    /// Whether the row is of one of some kinds: an object of an entity or its heirs.
    case kind(Range<Int32>)
    /// Whether the row is one of some rows.
    case rows(RowSet)
    /// How two values compare.
    case comparison(Operand, ComparisonOperator, Operand)
    /// Whether text passes a test.
    case text(Operand, TextTest)
    /// How the text of one value relates to that of another.
    case texts(Operand, TextOperator, TextFolding, Operand)
    /// Whether a value is among some others.
    case membership(Operand, Set<Datum>)
    /// A condition on the row that a to-one relationship leads to, or an answer for none.
    case related(slot: Slot, Condition, otherwise: Bool)
    /// Whether at least one member of a to-many relationship satisfies a condition.
    case anyMember(slot: Slot, Condition)
    /// What could not be compiled, and is asked of each object.
    case opaque(OpaqueCondition)

    /// Whether a row of an entity's table is an object of the entity or one of its heirs.
    static func objects(of entity: EntityLayout) -> Condition {
        entity.isWholeTable ? .constant(true) : .kind(entity.kinds)
    }
}

/// A value that a condition compares.
indirect enum Operand: Sendable {
    /// The same value for every row.
    case constant(Datum)
    /// The attribute at the end of a chain of to-one relationships; `.null` where the chain breaks.
    case attribute([Slot])
    /// The number of members of the to-many relationship at the end of a chain.
    case count([Slot])
    /// The number of the object at the end of a chain; `.null` where the chain breaks.
    case identity([Slot])
    /// The first of two values that is not `.null`.
    case coalesced(Operand, Operand)
    /// The first value where a condition holds, else the second.
    case chosen(Condition, Operand, Operand)
    /// What two numbers come to; `.null` where either is.
    case arithmetic(Operand, ArithmeticOperator, Operand)
    /// What two numbers of a type come to in Swift; `.null` where that would stop a program.
    case exact(Operand, ArithmeticOperator, Operand, AttributeType)
    /// What a function makes of a value.
    case applied(ValueFunction, Operand)
    /// How many kilometres a latitude and a longitude lie from a point; infinitely many where they are no point of the
    /// Earth.
    case distance(Operand, Operand, from: Coordinate)
    /// How well the texts of a row fit what is looked for.
    case relevance(TextRank)
    /// What a value of the members of a to-many relationship comes to.
    case aggregate(AggregateFunction, MembersPath, Operand)
    /// How many members of a to-many relationship satisfy a condition.
    case countWhere(MembersPath, Condition)
    /// A value of one member of a to-many relationship: counted from the start, or from the end
    /// where negative.
    case member(MembersPath, Int, Operand)
    /// A value of the first member of a to-many relationship that satisfies a condition.
    case first(MembersPath, where: Condition, Operand)
    /// A value of the row from which so many relationships were followed to this one.
    case outer(Int, Operand)
}

/// The way to the members of a to-many relationship.
struct MembersPath: Sendable, Hashable {
    /// How many relationships to go back before the way begins.
    var levels = 0
    /// A chain of to-one relationships, and the to-many one at its end.
    var slots: [Slot]
}

/// How two values compare.
enum ComparisonOperator: Sendable {
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual

    /// The operator that says the same with its sides exchanged.
    var mirrored: ComparisonOperator {
        switch self {
        case .equal, .notEqual: self
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        }
    }

    /// Whether two elements compare so.
    @inline(__always)
    func holds<Element: Comparable>(_ left: Element, _ right: Element) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less: left < right
        case .lessOrEqual: left <= right
        case .greater: left > right
        case .greaterOrEqual: left >= right
        }
    }

    /// Whether an integer and a number of any kind compare so, without rounding either.
    private func holdsExactly<Whole: FixedWidthInteger>(_ left: Whole, _ right: Double) -> Bool {
        if right.isNaN { return self == .notEqual }
        guard let whole = Whole(exactly: right.rounded(.down)) else {
            return right < 0 ? holds(1, 0) : holds(-1, 0)
        }
        // The integer that ends a number's whole part is less than it where a fraction follows.
        return left == whole ? holds(0, right.fraction) : holds(left, whole)
    }

    /// Whether two values compare so: `.null` equals itself, and is neither less nor greater than anything.
    func holds(_ left: Datum, _ right: Datum) -> Bool {
        switch (left, right) {
        case (.boolean(let a), .boolean(let b)): holds(a ? 1 : 0, b ? 1 : 0)
        case (.integer(let a), .integer(let b)): holds(a, b)
        case (.unsigned(let a), .unsigned(let b)): holds(a, b)
        case (.decimal(let a), .decimal(let b)): holds(a, b)
        case (.double(let a), .double(let b)): holds(a, b)
        case (.integer(let a), .double(let b)): holdsExactly(a, b)
        case (.double(let a), .integer(let b)): mirrored.holdsExactly(b, a)
        case (.unsigned(let a), .double(let b)): holdsExactly(a, b)
        case (.double(let a), .unsigned(let b)): mirrored.holdsExactly(b, a)
        case (.unsigned, _), (_, .unsigned), (.decimal, _), (_, .decimal):
            holdsForNumbers(left, right)
        // `<=` of dates is the opposite of `>`, which says that what is not a number is at most anything.
        case (.date(let a), .date(let b)):
            holds(a.timeIntervalSinceReferenceDate, b.timeIntervalSinceReferenceDate)
        case (.string(let a), .string(let b)): holds(a.canonicalOrder(to: b), 0)
        case (.uuid(let a), .uuid(let b)): holds(a.uuidString, b.uuidString)
        default: holdsForOthers(left, right)
        }
    }

    /// Whether numbers of different kinds compare so: as decimals, or a decimal rounded where the other is a
    /// `Double`.
    private func holdsForNumbers(_ left: Datum, _ right: Datum) -> Bool {
        if let left = left.wide, let right = right.wide { return holds(left, right) }
        if let left = left.number, let right = right.number { return holds(left, right) }
        return holdsForOthers(left, right)
    }

    private func holdsForOthers(_ left: Datum, _ right: Datum) -> Bool {
        switch self {
        case .equal: left == right
        case .notEqual: left != right
        case .less, .greater: false
        // As `compare:` of no object has it, which says that two are the same.
        case .lessOrEqual, .greaterOrEqual: left == .null && right == .null
        }
    }
}

/// A condition that only the objects themselves can answer.
struct OpaqueCondition: Sendable {
    /// Why it was not compiled.
    var reason: String
}

extension Condition {
    /// Whether some part of the condition must be asked of each object.
    var isOpaque: Bool {
        switch self {
        case .constant, .kind, .rows, .comparison, .text, .texts, .membership: false
        case .not(let condition), .related(_, let condition, _), .anyMember(_, let condition):
            condition.isOpaque
        case .all(let conditions), .any(let conditions): conditions.contains(where: \.isOpaque)
        case .opaque: true
        }
    }
}

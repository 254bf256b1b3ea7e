/// Changes that a transaction can make: those of a change set again, or the inverse of some of its own.
///
/// All rows are the transaction's. What is not to be changed, since others have changed it, is left out.
protocol Replayable {
    /// Rows of a table that are to exist; some may exist already.
    func arrivals(in table: TableNumber) -> [Arrival]

    /// Leads members back to rows that were gone, where no link does so.
    ///
    /// This comes before the links: these members were there before those that links lead there.
    func returnMembers(in transaction: Transaction)

    /// Writes an attribute of all rows that are to hold another value of it.
    func write(_ slot: Slot, in table: TableNumber, to transaction: Transaction)

    /// The rows that a to-one relationship is to lead elsewhere from, and to where, those that come to
    /// one owner in their order.
    func links(of slot: Slot, in table: TableNumber) -> [Link]

    /// The pairs that are to be parted and to be joined by the edges of a table, in this order.
    func pairs(in table: TableNumber) -> (parted: [EdgeEnds], joined: [EdgeEnds])

    /// Rows of a table that are to be deleted by their delete rules.
    func departures(in table: TableNumber) -> [Row]

    /// Rows that no departure takes along.
    var staying: Set<RowAddress> { get }

    /// Brings members of lists into their positions, when all else is done.
    func arrangeMembers(in transaction: Transaction)

    /// Whether links may lead again to a deleted row, or from it elsewhere, if they forbade its delete.
    func mayLead(toDeleted row: Row, in table: TableNumber) -> Bool
}

/// A row that is to exist.
struct Arrival {
    var row: Row
    /// Which of the table's entities it is an object of.
    var kind: Int32
    /// How often the row was used before the object.
    var generation: Int32
    /// Whether the object is known to have never been saved.
    var isNew = false
}

/// Where a to-one relationship leads.
struct Link {
    var row: Row
    var target: Row
}

/// The two rows that an edge joins.
struct EdgeEnds: Hashable {
    var first: Row
    var second: Row
}

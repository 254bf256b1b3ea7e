/// Where everything of a schema lies in the tables of a graph.
///
/// Table numbers below the number of entities belong to the entities: one that has no superentity
/// keeps its objects and those of all its heirs in the table of its own number, and the tables of
/// its heirs' numbers stay empty. So a row number is an object's own in its whole hierarchy. Tables
/// above hold the edges of many-to-many relationships. Column numbers below the number of a table's
/// properties are the slots of the properties; those above are what the graph keeps for itself.
final class GraphLayout: Sendable {
    let schema: Schema
    let tables: [TableLayout]
    /// Where the objects of each entity lie, by the entity's number.
    let entities: [EntityLayout]
    /// The relationships that forbid to delete their owners.
    let denials: [ColumnAddress]
    /// How each derived attribute is made.
    let derivations: [DerivationLayout]
    /// By the derivation the references that lead from an owner to the value; none for what is made of
    /// members.
    let paths: [[ColumnAddress]]
    /// By the derivation the order of the members' values that only their type knows.
    let orders: [OwnOrder?]
    /// By the derivation what makes a value of the row's own attributes; `nil` for what is read elsewhere, and where
    /// the classes are not known.
    let computations: [(sources: [Slot], computation: DerivedComputation)?]

    init(schema: Schema) {
        self.schema = schema
        var builder = GraphLayoutBuilder(schema: schema)
        var followers = FollowerLayout(
            schema: schema, tables: builder.build(), entities: builder.entities)
        followers.layOut()
        tables = followers.tables
        denials = followers.tables.tableNumbers.flatMap { table in
            let properties = followers.tables[table].properties
            return properties.slots.filter { properties[$0].relationship?.deleteRule == .deny }
                .map { ColumnAddress(table: table, column: $0) }
        }
        entities = builder.entities
        derivations = followers.derivations
        paths = followers.paths
        orders = followers.orders
        computations = followers.computations
    }

    /// Where the objects of the entity of a name lie.
    func entity(named name: String) -> EntityLayout? {
        schema.number(named: name).map { entities[$0] }
    }

    /// The number of the entity of an identifier, which may be from before the entity was renamed.
    func entityNumber(of id: ObjectID) -> Int? {
        schema.number(named: id.entity)
            ?? schema.entities.firstIndex { $0.originalName == id.entity }
    }

    /// Where the objects of the entity of an identifier lie.
    func entity(of id: ObjectID) -> EntityLayout? { entityNumber(of: id).map { entities[$0] } }

    /// The table that a relationship leads to.
    func destination(of slot: Slot, in table: TableNumber) -> TableNumber {
        guard let relationship = tables[table].relationships[slot] else {
            preconditionFailure("only a relationship leads to another table")
        }
        return relationship.destination
    }

    /// The names of the properties on a way from a table, of which all but the last are relationships.
    func names(of path: some Sequence<Slot>, from table: TableNumber) -> [String] {
        var table = table
        return path.map { slot in
            defer { table = tables[table].relationships[slot]?.destination ?? table }
            return tables[table].properties[slot].name
        }
    }

    /// The tables that hold objects.
    var entityTables: Range<TableNumber> { schema.entities.tableNumbers }

    /// The tables that hold edges.
    var edgeTables: Range<TableNumber> {
        entityTables.upperBound..<tables.tableNumbers.upperBound
    }

    /// The lists that the edges of a table are in: that of their first ends, and that of their second.
    func edgeLists(of table: TableNumber) -> (first: ListLayout, second: ListLayout)? {
        for entity in tables {
            for case .manyToMany(let own, let other)? in entity.relationships
            where own.members == table && own.isFirst {
                return (own, other)
            }
        }
        return nil
    }
}

/// Where the columns of one table lie.
///
/// A table is not an entity: code that has a table's number asks its layout for its properties.
struct TableLayout: Sendable {
    /// The name of the entity whose objects, and heirs' objects, the rows are; empty for edges.
    var name = ""
    /// The numbers of the entities whose objects the rows are, each before its heirs; none for edges.
    ///
    /// A row's *kind* is the position of its object's entity here.
    var entities: [Int] = []
    /// What is in the property slots, in order; nothing for edges.
    ///
    /// Properties of siblings may share a name. A row holds no value in slots that its entity lacks.
    var properties: [PropertyDescription] = []
    /// The empty columns.
    var columns: [Column]
    /// How the relationship in each property slot is stored; `nil` for attributes.
    var relationships: [RelationshipLayout?]
    /// The slots of the relationships, and the numbers of the entities that they lead to.
    var destinations: [(slot: Slot, entity: Int)] = []
    /// The lists that rows of this table own and that no property shows: they remember who refers
    /// to a row through a relationship without inverse.
    var hiddenLists: [ListLayout] = []
    /// The slots of the unique attributes, in the order of the table's indexes.
    ///
    /// An edge table has one index, of the pairs that its edges join.
    var uniqueSlots: [Slot]
    /// The rows among which derived attributes of subclasses are unique: others hold a value there, too.
    var uniqueKinds: [Slot: RowKinds] = [:]
    /// The combinations of slots whose values are unique, in the order of the table's indexes, which
    /// come after those of the unique attributes.
    var combinations: [CombinationLayout] = []
    /// What a clash does, by the numbers of unique attributes and combinations; `nil` leaves it to the merge
    /// policy.
    var clashPolicies: [ClashPolicy?] = []
    /// The ordered indexes.
    var orderedIndexes: [OrderedIndexLayout] = []
    /// The indexes of words.
    var wordIndexes: [WordIndexLayout] = []
    /// The numbers of the derivations that make attributes of the rows.
    var derivations: [Int] = []
    /// The number of indexes that keep members' values in order, a group for each row.
    var memberIndexCount = 0
    /// What follows the column of each property slot; nothing for edges.
    var followers: [ColumnFollowers?] = []
    /// The number of ordered lists that the rows are members of.
    var listOrderCount = 0
    /// The column whose validity bits say which rows exist.
    var presence: Slot
    /// The column of the rows' kinds; `nil` where all rows are of one kind.
    var kinds: Slot?
    /// For each kind the values that its new rows hold, and not all rows that were never written.
    var defaults: [[(slot: Slot, value: Datum)]] = []
}

/// Where the objects of one entity lie.
struct EntityLayout: Sendable {
    let name: String
    let isAbstract: Bool
    /// The table of the entity's whole hierarchy.
    let table: TableNumber
    /// The kinds of the rows that are objects of the entity or its heirs, its own first.
    let kinds: Range<Int32>
    /// The slots of the properties: the entity's own, then those of its superentity, and so on up.
    let slots: [Slot]

    /// The kind of the rows that are objects of the entity itself.
    var kind: Int32 { kinds.lowerBound }
    /// Whether the table has objects of this entity and its heirs only: whether it inherits nothing.
    var isWholeTable: Bool { kind == 0 }
}

extension TableLayout {
    /// The number of unique attributes and unique combinations.
    var uniqueIndexCount: Int { uniqueSlots.count + combinations.count }

    /// Whether deleted rows may still be linked: those whose relationships deny it.
    var keepsDeniedLinks: Bool {
        properties.contains { $0.relationship?.deleteRule == .deny }
    }

    /// Whether the property in a slot is derived: it follows from others and is never written.
    func isDerived(_ slot: Slot) -> Bool { properties[slot].derivation != nil }
}

/// How a relationship is stored, seen from one of its ends.
enum RelationshipLayout: BitwiseCopyable {
    /// A reference whose owner keeps the list of all that lead to it.
    case toOne(list: ListLayout)
    /// The list of the rows of another table that refer to this one.
    case toMany(list: ListLayout)
    /// A reference whose other end refers back.
    case oneToOne(other: ColumnAddress)
    /// Two lists through a table of edges: this end's and the other's.
    case manyToMany(own: ListLayout, other: ListLayout)

    /// The table to which the relationship leads.
    var destination: TableNumber {
        switch self {
        case .toOne(let list): list.owners
        case .toMany(let list): list.members
        case .oneToOne(let other): other.table
        case .manyToMany(_, let other): other.owners
        }
    }

    /// The relationship at the other end; `nil` where no property shows it.
    var inverse: ColumnAddress? {
        switch self {
        case .toMany(let list): ColumnAddress(table: list.members, column: list.owner)
        case .oneToOne(let other): other
        case .toOne(let list), .manyToMany(_, let list):
            list.ownerSlot.map { ColumnAddress(table: list.owners, column: $0) }
        }
    }
}

/// A column of a table.
struct ColumnAddress: BitwiseCopyable, Hashable {
    var table: TableNumber
    var column: Slot
}

/// A doubly linked list through the rows of its members, one list for each owner.
///
/// Adding, removing and moving one member is O(1) however many there are; so is the count.
struct ListLayout: BitwiseCopyable {
    /// The table whose rows own lists, and the columns that hold each list's ends and length.
    var owners: TableNumber
    var head: Slot
    var tail: Slot
    var count: Slot
    /// The table whose rows are members, and the columns that hold each member's position.
    var members: TableNumber
    var owner: Slot
    var next: Slot
    var previous: Slot
    /// The slot of the property that shows the list to its owner, unless nothing declares it.
    var ownerSlot: Slot?
    /// Where the positions of the members are kept, if the list is ordered.
    var order: ListOrder?
}

/// What finds the members of an ordered list by their positions.
struct ListOrder: BitwiseCopyable {
    /// The column of the members' table whose numbers are in the order of the list.
    var column: Slot
    /// The index by these numbers, among those of the members' table; a group is an owner.
    var index: Int
}

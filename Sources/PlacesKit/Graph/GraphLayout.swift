/// Where everything of a schema lies in the tables of a graph.
///
/// Table numbers below the number of entities are the entities' tables; those above hold the edges
/// of many-to-many relationships. Column numbers below the number of an entity's properties are the
/// slots of the properties; those above are what the graph keeps for itself.
final class GraphLayout: Sendable {
    let schema: Schema
    let tables: [TableLayout]
    /// How each derived attribute is made.
    let derivations: [DerivationLayout]

    init(schema: Schema) {
        self.schema = schema
        var builder = GraphLayoutBuilder(schema: schema)
        var followers = FollowerLayout(schema: schema, tables: builder.build())
        followers.layOut()
        tables = followers.tables
        derivations = followers.derivations
    }

    /// The table that a relationship leads to.
    func destination(of slot: Int, in table: Int) -> Int {
        switch tables[table].relationships[slot] {
        case .toOne(let list): list.owners
        case .toMany(let list): list.members
        case .oneToOne(let other): other.table
        case .manyToMany(_, let other): other.owners
        case nil: preconditionFailure("only a relationship leads to another table")
        }
    }

    /// The number of the first table that holds edges.
    var entityCount: Int { schema.entities.count }

    /// The lists that the edges of a table are in: that of their first ends, and that of their second.
    func edgeLists(of table: Int) -> (first: ListLayout, second: ListLayout)? {
        for entity in tables {
            for case .manyToMany(let own, let other)? in entity.relationships
            where own.members == table && own.owner == 0 {
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
    /// The name of the entity whose objects the rows are; empty for edges.
    var name = ""
    /// What is in the property slots, in order; nothing for edges.
    var properties: [PropertyDescription] = []
    /// The empty columns.
    var columns: [Column]
    /// How the relationship in each property slot is stored; `nil` for attributes.
    var relationships: [RelationshipLayout?]
    /// The lists that rows of this table own and that no property shows: they remember who refers
    /// to a row through a relationship without inverse.
    var hiddenLists: [ListLayout] = []
    /// The slots of the unique attributes, in the order of the table's indexes.
    ///
    /// An edge table has one index, of the pairs that its edges join.
    var uniqueSlots: [Int]
    /// The combinations of slots whose values are unique, in the order of the table's indexes, which
    /// come after those of the unique attributes.
    var combinations: [CombinationLayout] = []
    /// The ordered indexes.
    var orderedIndexes: [OrderedIndexLayout] = []
    /// The numbers of the derivations that make attributes of the rows.
    var derivations: [Int] = []
    /// The number of indexes that keep members' values in order, a group for each row.
    var memberIndexCount = 0
    /// What follows the column of each property slot; nothing for edges.
    var followers: [ColumnFollowers?] = []
    /// The number of ordered lists that the rows are members of.
    var listOrderCount = 0
    /// The column whose validity bits say which rows exist.
    var presence: Int
}

extension TableLayout {
    /// The number of unique attributes and unique combinations.
    var uniqueIndexCount: Int { uniqueSlots.count + combinations.count }

    /// Whether the property in a slot is a derived attribute, which follows and is never written.
    func isDerived(_ slot: Int) -> Bool { properties[slot].attribute?.derivation != nil }
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
}

/// A column of a table.
struct ColumnAddress: BitwiseCopyable, Hashable {
    var table: Int
    var column: Int
}

/// A doubly linked list through the rows of its members, one list for each owner.
///
/// Adding, removing and moving one member is O(1) however many there are; so is the count.
struct ListLayout: BitwiseCopyable {
    /// The table whose rows own lists, and the columns that hold each list's ends and length.
    var owners: Int
    var head: Int
    var tail: Int
    var count: Int
    /// The table whose rows are members, and the columns that hold each member's place.
    var members: Int
    var owner: Int
    var next: Int
    var previous: Int
    /// The slot of the property that shows the list to its owner, unless nothing declares it.
    var ownerSlot: Int?
    /// Where the places of the members are kept, if the list is ordered.
    var order: ListOrder?
}

/// What finds the members of an ordered list by their places.
struct ListOrder: BitwiseCopyable {
    /// The column of the members' table whose numbers are in the order of the list.
    var column: Int
    /// The index by these numbers, among those of the members' table; a group is an owner.
    var index: Int
}

/// Lays out a schema.
private struct GraphLayoutBuilder {
    let schema: Schema
    private var tables: [TableLayout]

    init(schema: Schema) {
        self.schema = schema
        tables = schema.entities.map { entity in
            TableLayout(
                name: entity.name, properties: entity.properties,
                columns: entity.properties.map { property in
                    property.attribute.map(Column.init(for:)) ?? Column(.reference)
                },
                relationships: Array(repeating: nil, count: entity.properties.count),
                uniqueSlots: entity.properties.indices.filter {
                    entity.properties[$0].attribute?.isUnique ?? false
                },
                presence: 0)
        }
    }

    mutating func build() -> [TableLayout] {
        for table in schema.entities.indices {
            for slot in schema.entities[table].properties.indices {
                guard tables[table].relationships[slot] == nil,
                    let relationship = schema.entities[table].properties[slot].relationship,
                    let destination = schema.number(named: relationship.destination)
                else { continue }
                let inverse = relationship.inverse.flatMap {
                    schema.entities[destination].slot(named: $0)
                }
                layOut(relationship, at: table, slot, destination: destination, inverse: inverse)
            }
        }
        for table in tables.indices {
            tables[table].presence = addColumn(Column(.boolean), to: table)
        }
        return tables
    }

    private mutating func layOut(
        _ relationship: RelationshipDescription, at table: Int, _ slot: Int, destination: Int,
        inverse: Int?
    ) {
        let mirror = inverse.flatMap { schema.entities[destination].properties[$0].relationship }
        switch (relationship.isToMany, mirror?.isToMany ?? true, inverse) {
        case (false, false, let inverse?):
            tables[table].relationships[slot] = .oneToOne(
                other: ColumnAddress(table: destination, column: inverse))
            tables[destination].relationships[inverse] = .oneToOne(
                other: ColumnAddress(table: table, column: slot))
        case (false, _, _):
            let list = addList(
                owners: destination, ownerSlot: inverse, members: table, reference: slot)
            tables[table].relationships[slot] = .toOne(list: list)
            if let inverse {
                tables[destination].relationships[inverse] = .toMany(list: list)
            } else {
                tables[destination].hiddenLists.append(list)
            }
        case (true, false, let inverse?):
            let list = addList(
                owners: table, ownerSlot: slot, members: destination, reference: inverse)
            tables[table].relationships[slot] = .toMany(list: list)
            tables[destination].relationships[inverse] = .toOne(list: list)
        case (true, _, let inverse?):
            tables.append(
                TableLayout(columns: [], relationships: [], uniqueSlots: [0], presence: 0))
            let edges = tables.count - 1
            let left = addColumn(Column(.reference), to: edges)
            let right = addColumn(Column(.reference), to: edges)
            let own = addList(owners: table, ownerSlot: slot, members: edges, reference: left)
            let other = addList(
                owners: destination, ownerSlot: inverse, members: edges, reference: right)
            tables[table].relationships[slot] = .manyToMany(own: own, other: other)
            tables[destination].relationships[inverse] = .manyToMany(own: other, other: own)
        case (true, _, nil):
            preconditionFailure("a schema gives every to-many relationship an inverse")
        }
    }

    private mutating func addColumn(_ column: Column, to table: Int) -> Int {
        tables[table].columns.append(column)
        return tables[table].columns.count - 1
    }

    private mutating func addList(
        owners: Int, ownerSlot: Int?, members: Int, reference: Int
    ) -> ListLayout {
        let next = addColumn(Column(.reference), to: members)
        let previous = addColumn(Column(.reference), to: members)
        let head = ownerSlot ?? addColumn(Column(.reference), to: owners)
        let tail = addColumn(Column(.reference), to: owners)
        let count = addColumn(Column(.reference), to: owners)
        let relationship = ownerSlot.flatMap { tables[owners].properties[$0].relationship }
        return ListLayout(
            owners: owners, head: head, tail: tail, count: count, members: members,
            owner: reference, next: next, previous: previous, ownerSlot: ownerSlot,
            order: relationship?.isOrdered ?? false ? addOrder(of: members) : nil)
    }

    private mutating func addOrder(of members: Int) -> ListOrder {
        tables[members].listOrderCount += 1
        return ListOrder(
            column: addColumn(Column(.integer), to: members),
            index: tables[members].listOrderCount - 1)
    }
}

import Foundation
import PlacesKit

@testable import PlacesGraph
@testable import PlacesKitTests

/// A random schema, and what a naive model says of its objects.
struct RandomSchema {
    typealias Values = [String: PropertyValue]

    var generator: DocumentRandom
    var entities: [EntityDescription] = []
    /// What each object holds.
    var records: [ObjectID: Values] = [:]
    /// The names, which are given once, of relationships whose order nobody promises.
    var unordered: Set<String> = []
    /// The first names of attributes that were retyped already: what two changes at once mean is not
    /// what one after the other would.
    var retyped: Set<String> = []
    /// What was done, for a failure's message.
    var steps: [String] = []
    private var nameCount = 0

    static let types: [AttributeType] = [
        .boolean, .int16, .int64, .uint64, .double, .decimal, .string, .date, .uuid, .data,
    ]

    init(seed: UInt64) {
        generator = DocumentRandom(seed: seed)
        for _ in 0..<number(1...4) {
            var entity = EntityDescription(name: name("E"), properties: [])
            for _ in 0..<number(0...4) {
                entity.properties.append(.attribute(attribute()))
            }
            if number(0...2) == 0 { entity.superentity = element(of: entities)?.name }
            entities.append(entity)
        }
        for _ in 0..<number(0...4) { addRelationship() }
    }

    // MARK: - Choices

    mutating func number(_ range: ClosedRange<Int>) -> Int {
        Int.random(in: range, using: &generator)
    }

    mutating func name(_ start: String) -> String {
        nameCount += 1
        return "\(start)\(nameCount)"
    }

    mutating func element<Element>(of list: [Element]) -> Element? {
        list.randomElement(using: &generator)
    }

    mutating func value(_ type: AttributeType) -> Datum {
        let small = number(-9...9)
        switch type {
        case .boolean: return .boolean(small > 0)
        case .uint64: return .unsigned(small > 8 ? .max : UInt64(abs(small)))
        case .double, .float: return .double(Double(small) / 4)
        case .decimal: return .decimal(Decimal(small) / 8)
        case .string, .url, .json: return .string("t\(small)")
        case .date: return .date(Date(timeIntervalSinceReferenceDate: Double(small) * 1e6))
        case .data: return .data(Data("\(small)".utf8))
        case .uuid:
            let byte = UInt8(abs(small))
            return .uuid(UUID(uuid: (byte, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, byte)))
        default: return .integer(Int64(small))
        }
    }

    /// An attribute that a file's schema tells wholly: without a default.
    mutating func attribute() -> AttributeDescription {
        AttributeDescription(
            name: name("a"), type: element(of: Self.types) ?? .string,
            isOptional: number(0...1) == 0)
    }

    /// A link as a value, for a relationship that leads nowhere.
    static func nothing(_ relationship: RelationshipDescription) -> PropertyValue {
        relationship.isToMany ? .objects([]) : .object(nil)
    }

    /// Adds a pair of relationships, or a to-one relationship without an inverse.
    mutating func addRelationship() {
        guard !entities.isEmpty else { return }
        let (one, other) = (number(0...entities.count - 1), number(0...entities.count - 1))
        let (name, inverse) = (self.name("r"), self.name("r"))
        var ends = [(one, name, other, inverse), (other, inverse, one, name)]
        // One without an inverse leads to its own entity, where nothing else could mirror it.
        let isAlone = number(0...3) == 0
        if isAlone { ends = [(one, name, one, "")] }
        for (entity, name, destination, inverse) in ends {
            var relationship = RelationshipDescription(
                name: name, destination: entities[destination].name,
                inverse: isAlone ? nil : inverse, isToMany: !isAlone && number(0...2) > 0)
            relationship.isOrdered = relationship.isToMany && number(0...2) == 0
            entities[entity].properties.append(.relationship(relationship))
            setAll(name, of: entities[entity].name, Self.nothing(relationship))
        }
    }

    /// Sets a property of all objects of an entity, and its heirs'.
    mutating func setAll(_ name: String, of entity: String, _ value: PropertyValue?) {
        for id in records.keys where isKind(id.entity, of: entity) { records[id]?[name] = value }
    }

    /// Whether an entity is another, or inherits from it.
    func isKind(_ entity: String, of other: String) -> Bool {
        var current: String? = entity
        while let name = current {
            if name == other { return true }
            current = entities.first { $0.name == name }?.superentity
        }
        return false
    }

    // MARK: - Objects

    /// A graph with random objects, which become the records.
    mutating func makeGraph() throws -> Graph {
        let layout = GraphLayout(schema: try Schema(entities: entities))
        let graph = Graph(layout: layout)
        let transaction = Transaction(graph, rows: RowAllocator(tables: graph.tables.count))
        var rows: [[Row]] = []
        for entity in layout.entities {
            let made = (0..<number(0...7)).map { _ in
                transaction.insert(into: entity.table, kind: entity.kind)
            }
            for row in made {
                for slot in entity.slots {
                    guard let attribute = layout.tables[entity.table].properties[slot].attribute,
                        !attribute.isOptional || number(0...2) > 0
                    else { continue }
                    transaction.write(value(attribute.type), row, slot, in: entity.table)
                }
            }
            for row in made where number(0...5) == 0 { transaction.erase(row, from: entity.table) }
            rows.append(made.filter { transaction.contains($0, in: entity.table) })
        }
        // Of each entity with its heirs.
        let families = layout.schema.families.map { family in family.flatMap { rows[$0] } }
        for (number, entity) in layout.entities.enumerated() {
            for slot in entity.slots {
                let property = layout.tables[entity.table].properties[slot]
                guard let relationship = property.relationship,
                    let destination = layout.schema.number(named: relationship.destination)
                else { continue }
                for row in rows[number].shuffled(using: &generator) {
                    for _ in 0..<self.number(0...2) {
                        guard let target = element(of: families[destination]) else { continue }
                        if relationship.isToMany {
                            transaction.addMember(target, to: row, slot, in: entity.table)
                        } else {
                            transaction.setToOne(row, slot, in: entity.table, to: target)
                        }
                    }
                }
            }
        }
        let made = transaction.freeze()
        records = Self.records(of: made)
        return made
    }

    /// What a graph holds.
    static func records(of graph: Graph) -> [ObjectID: Values] {
        var records: [ObjectID: Values] = [:]
        for entity in graph.layout.entities {
            for row in graph.rows(in: entity.table).rows
            where graph.kind(row, in: entity.table) == entity.kind {
                var values: Values = [:]
                for slot in entity.slots {
                    let property = graph.layout.tables[entity.table].properties[slot]
                    guard let relationship = property.relationship else {
                        values[property.name] = .attribute(
                            graph.datum(row, slot, in: entity.table))
                        continue
                    }
                    let destination = graph.destination(of: slot, in: entity.table)
                    let ids = graph.related(row, slot, in: entity.table).map {
                        graph.objectID($0, in: destination)
                    }
                    values[property.name] =
                        relationship.isToMany ? .objects(ids) : .object(ids.first)
                }
                records[graph.objectID(row, in: entity.table)] = values
            }
        }
        return records
    }

    /// The records without orders that nobody promises.
    func settled(_ records: [ObjectID: Values]) -> [ObjectID: Values] {
        var settled = records
        for (id, values) in records {
            for (name, value) in values {
                guard unordered.contains(name), case .objects(let ids) = value
                else { continue }
                settled[id]?[name] = .objects(ids.sorted { $0.number < $1.number })
            }
        }
        return settled
    }
}

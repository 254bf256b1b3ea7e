import Foundation

@testable import PlacesGraph

/// Reads bytes as a predicate format string, with and without arguments, and asks the rows of a small
/// graph what was accepted; then as a query of records.
func fuzzPredicateFormat(_ bytes: [UInt8]) {
    let format = String(decoding: bytes, as: UTF8.self)
    for arguments in [[], ["views", 3, 2.5, nil, [1, 2]] as [Any?]] {
        do throws(PredicateFormatError) {
            try world.ask(try PredicateFormat(format, arguments: arguments))
        } catch {
            precondition(error.column >= 1 && error.column <= format.count + 1)
            precondition(!error.description.isEmpty)
        }
    }
    do throws(PredicateFormatError) {
        _ = try FormatParser.query(format, [])
    } catch {
        precondition(error.column >= 1 && error.column <= format.count + 1)
    }
}

private let world = World()

/// The tables of the two entities.
private let (shots, sites) = (TableNumber(0), TableNumber(1))

/// Shots of sites: an attribute of each kind, and relationships of each kind.
private struct World {
    let graph: Graph

    init() {
        let attributes: [AttributeDescription] = [
            .init(name: "views", type: .int64),
            .init(name: "likes", type: .int16, isOptional: true),
            .init(name: "big", type: .uint64), .init(name: "price", type: .decimal),
            .init(name: "rating", type: .double, isOptional: true),
            .init(name: "title", type: .string),
            .init(name: "note", type: .string, isOptional: true),
            .init(name: "seen", type: .date, isOptional: true), .init(name: "flag", type: .boolean),
            .init(name: "uuid", type: .uuid), .init(name: "data", type: .data),
            .init(name: "coded", type: .json, isOptional: true),
        ]
        let shot = EntityDescription(
            name: "Shot",
            properties: attributes.map(PropertyDescription.attribute) + [
                .relationship(.init(name: "site", destination: "Site", inverse: "shots")),
                .relationship(.init(name: "next", destination: "Shot", inverse: "others")),
                .relationship(
                    .init(name: "others", destination: "Shot", inverse: "next", isToMany: true)),
            ])
        let site = EntityDescription(
            name: "Site",
            properties: [
                .attribute(.init(name: "name", type: .string)),
                .relationship(
                    .init(name: "shots", destination: "Shot", inverse: "site", isToMany: true)),
            ])
        guard let schema = try? Schema(entities: [shot, site]) else {
            preconditionFailure("the schema does not fit together")
        }
        let layout = GraphLayout(schema: schema)
        let transaction = Transaction(
            Graph(layout: layout), rows: RowAllocator(tables: layout.tables.count))
        let places = [transaction.insert(into: sites), transaction.insert(into: sites)]
        transaction.write(.string("Café"), places[0], Slot(0), in: sites)
        var last: Row?
        for number in 0..<6 {
            let row = transaction.insert(into: shots)
            transaction.write(.integer(Int64(number) * (.max / 7)), row, Slot(0), in: shots)
            transaction.write(.string(["", "a*b", "Zürich"][number % 3]), row, Slot(5), in: shots)
            if number > 2 { transaction.write(.double(-0.5), row, Slot(4), in: shots) }
            transaction.setToOne(row, Slot(12), in: shots, to: places[number % 2])
            if let last { transaction.setToOne(row, Slot(13), in: shots, to: last) }
            last = row
        }
        graph = transaction.graph
    }

    /// Asks the same of whole tables and of single rows.
    func ask(_ predicate: PredicateFormat) throws(PredicateFormatError) {
        let condition = try FormatCompiler.compile(
            predicate, of: 0, in: graph, now: Date(timeIntervalSinceReferenceDate: 0))
        let rows = graph.fetchRows(condition, in: shots) { _ in false }
        let single = graph.rows(in: shots).rows.filter {
            graph.matches(condition, $0, in: shots) { _ in false }
        }
        precondition(rows == ContiguousArray(single))
    }
}

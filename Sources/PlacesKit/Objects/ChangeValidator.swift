/// Finds the rules of the model that changes break.
///
/// Only objects that were inserted or updated are looked at, and all their properties: a rule that came
/// later than an object concerns it once it changes.
struct ChangeValidator {
    private let graph: Graph
    private(set) var failures: [ValidationFailure] = []

    /// Checks the objects that some changes inserted or updated.
    init(_ changes: ChangeSet) {
        graph = changes.after
        for table in changes.tables.indices {
            checkAttributes(of: changes.tables[table].changedRows, in: table)
            checkUniqueness(in: table)
        }
    }

    private mutating func fail(
        _ row: Int32, _ slot: Int, in table: Int, _ reason: ValidationFailure.Reason
    ) {
        failures.append(
            ValidationFailure(
                object: graph.objectID(row, in: table),
                property: graph.layout.tables[table].properties[slot].name, reason: reason))
    }

    private mutating func checkAttributes(of rows: ContiguousArray<Int32>, in table: Int) {
        for (slot, property) in graph.layout.tables[table].properties.enumerated() {
            guard let attribute = property.attribute else { continue }
            let column = graph.tables[table].columns[slot]
            if attribute.isRequired {
                for row in rows where !column.isValid(at: row) {
                    fail(row, slot, in: table, .missingValue)
                }
            }
            if attribute.type == .json {
                for row in rows
                where column.isValid(at: row) && column.element(String.self, at: row).isEmpty {
                    fail(row, slot, in: table, .notEncodable)
                }
            }
        }
    }

    private mutating func checkUniqueness(in table: Int) {
        for (index, slot) in graph.layout.tables[table].uniqueSlots.enumerated() {
            for row in graph.tables[table].uniqueIndexes[index].duplicates.sorted() {
                let value = graph.datum(row, slot, in: table)
                guard let other = graph.find(value, slot, in: table) else { continue }
                let id = graph.objectID(other, in: table)
                fail(row, slot, in: table, .duplicateValue(value, other: id))
            }
        }
        failures += graph.brokenCombinations(in: table)
    }

    /// Adds the relationships that forbid deletes.
    mutating func checkDeletes(_ denied: [(table: Int, row: Int32, slot: Int)]) {
        for (table, row, slot) in denied { fail(row, slot, in: table, .deleteDenied) }
    }
}

extension TableChanges {
    /// The rows that were inserted or updated.
    fileprivate var changedRows: ContiguousArray<Int32> {
        updated.isEmpty ? inserted : inserted + updated.map(\.row)
    }
}

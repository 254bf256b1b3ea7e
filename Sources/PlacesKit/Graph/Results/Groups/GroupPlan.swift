import Foundation

/// How groups are kept, or why they cannot be and are asked for again.
struct GroupPlan {
    var keys: [GroupKeyColumn] = []
    var accumulators: [any GroupAccumulator] = []
    var sortKeys: [SortKey] = []
    /// What is read for a row.
    var operands: [Operand] = []
    /// Why something is asked for again at each change, in words.
    var problems: [String] = []

    /// Plans what to keep for the objects of a request.
    ///
    /// - Parameters:
    ///   - request: The objects.
    ///   - key: What those of a group have in common; nothing where all are one group.
    ///   - kinds: What the groups come to.
    ///   - model: The classes.
    ///   - table: The table of the objects.
    ///   - graph: The objects that there are now.
    init<Object: ManagedObject>(
        _ request: FetchRequest<Object>, by key: [GroupKeyPart], _ kinds: [AggregateKind],
        model: ObjectModel, table: TableNumber, graph: Graph
    ) {
        if request.limit != nil || request.offset > 0 {
            problems.append("the objects are limited")
        }
        if let keys = try? model.sortKeys(request.sortDescriptors, in: graph) {
            sortKeys = keys
            operands += keys.map(\.operand)
        } else {
            problems.append("the objects are sorted by what is not a property")
        }
        for part in key {
            guard let column = column(part.keyPath, model, table) else { continue }
            keys.append(GroupKeyColumn(part, column))
        }
        for kind in kinds { add(kind, model, table) }
    }

    private mutating func column(
        _ keyPath: AnyKeyPath, _ model: ObjectModel, _ table: TableNumber
    ) -> GroupColumn? {
        guard let column = GroupColumn(keyPath, of: model, in: table) else {
            problems.append("\(keyPath) is computed")
            return nil
        }
        operands.append(column.operand)
        return column
    }

    private mutating func add(_ kind: AggregateKind, _ model: ObjectModel, _ table: TableNumber) {
        switch kind {
        case .identifiers: break
        case .count: accumulators.append(RowCounts())
        case .countDistinct(let keyPath):
            guard let column = column(keyPath, model, table) else { return }
            accumulators.append(DistinctCounts(column))
        case .sum(let keyPath, let kind): addSum(of: keyPath, as: kind, model, table)
        case .average(let keyPath): addSum(of: keyPath, as: nil, model, table)
        case .extreme(let keyPath, let greatest, let isStoredOrder):
            guard let column = column(keyPath, model, table) else { return }
            guard isStoredOrder else {
                problems.append("\(keyPath) has an order of its own")
                return
            }
            accumulators.append(RowExtremes(column, greatest: greatest))
        }
    }

    private mutating func addSum(
        of keyPath: AnyKeyPath, as kind: ColumnKind?, _ model: ObjectModel, _ table: TableNumber
    ) {
        guard let column = column(keyPath, model, table) else { return }
        switch (type(of: keyPath).valueType as? any AttributeValue.Type)?.columnKind {
        case .integer?: accumulators.append(RowSums(column, isReal: false, as: kind))
        case .double?: accumulators.append(RowSums(column, isReal: true, as: kind))
        default: problems.append("decimal numbers may be rounded, so nothing is taken from a sum")
        }
    }
}

/// What results are read from: a list, or the ordered trees of a results controller.
protocol ResultsStorage<Identifier>: Sendable {
    associatedtype Identifier: Hashable & Sendable

    /// The number of items.
    var count: Int { get }
    var sectionCount: Int { get }
    /// The same results as a list.
    var listed: ListedResults<Identifier> { get }
    /// The identifier at a valid index of the flat list.
    func identifier(at index: Int) -> Identifier
    /// The section at a valid index.
    func section(at index: Int) -> ResultsSnapshot<Identifier>.Section
    /// The index of the section in which a valid index of the flat list lies.
    func section(covering index: Int) -> Int
    /// Where an item is.
    func position(of identifier: Identifier) -> ItemPosition?
}

/// What a results controller shows, as it was in one graph.
struct RankedResults: ResultsStorage {
    let rows: RankedRows
    let query: ResultsQuery
    var graph: Graph
    /// What tells the states of the same trees from others.
    var lineage: UInt64

    var count: Int { rows.count }

    var sectionCount: Int { rows.isSectioned ? rows.sections.count : 1 }

    var listed: ListedResults<ObjectID> {
        var sections: [ResultsSnapshot<ObjectID>.Section] = []
        var start = 0
        for section in rows.sections.elements {
            sections.append(.init(section.label, range: start..<start + section.count))
            start += section.count
        }
        return ListedResults(
            identifiers: rows.rows.map { graph.objectID($0, in: query.table) },
            sections: rows.isSectioned ? sections : [.init(.none, range: 0..<count)])
    }

    func identifier(at index: Int) -> ObjectID {
        graph.objectID(rows.row(at: index), in: query.table)
    }

    func section(at index: Int) -> ResultsSnapshot<ObjectID>.Section {
        guard rows.isSectioned else { return .init(.none, range: 0..<count) }
        let start = rows.sections.weight(before: index)
        let section = rows.sections[index]
        return .init(section.label, range: start..<start + section.count)
    }

    func section(covering index: Int) -> Int {
        rows.isSectioned ? rows.sections.index(covering: index) : 0
    }

    /// The index of the section of a key, if there is one.
    func index(ofSection key: SectionKey) -> Int? {
        guard rows.isSectioned else { return key == .none ? 0 : nil }
        return rows.section(of: key).map {
            rows.index(ofSection: $0.number, $0.label, query.order, in: graph)
        }
    }

    /// The names of a row's own properties that are not as they were.
    func changedProperties(of row: Row, since other: RankedResults) -> Set<String> {
        let mask = graph.changes(from: other.graph, row, among: .all, in: query.table)
        return graph.changedNames(of: row, by: mask, since: other.graph, in: query.table)
    }

    func position(of identifier: ObjectID) -> ItemPosition? {
        graph.row(of: identifier, in: query.table).flatMap(position)
    }

    /// Where a row is.
    ///
    /// - Complexity: O(log n); O(n) where the order or the sections were not compiled.
    func position(of row: Row) -> ItemPosition? {
        guard graph.contains(row, in: query.table) else { return nil }
        if query.isOpaque {
            guard let index = rows.rows.firstIndex(of: row) else { return nil }
            let section = section(covering: index)
            return ItemPosition(
                section: section, item: index - self.section(at: section).range.lowerBound)
        }
        guard let position = rows.position(of: row, query, in: graph) else { return nil }
        return ItemPosition(
            section: rows.isSectioned
                ? rows.index(
                    ofSection: position.entry.group, position.label, query.order, in: graph) : 0,
            item: position.item)
    }
}

import PlacesBase

extension QueryPlan {
    /// What the step does, in words.
    func text(in graph: Graph) -> String {
        let layout = graph.layout.tables[table]
        switch step {
        case .everything: return "all of \(layout.name)"
        case .rows(let values, _):
            return "look up \(values.count) of \(layout.name) by identity"
        case .lookup(let slot, let values):
            return "look up \(values.count) of \(layout.name) by \(layout.properties[slot].name)"
        case .range(let range): return range.text(in: graph, table)
        case .area(let area):
            return area.cover.parts.counted("part") + " of the spatial index of "
                + spatialText(area.index, in: graph)
        case .nearest(let nearest, _, _):
            return "the \(nearest.limit) nearest to \(nearest.center.text) by the spatial index of "
                + spatialText(nearest.index, in: graph)
                + (nearest.keys.isEmpty ? "" : ", and sort those that are equally far")
        case .words(let range):
            let slot = layout.wordIndexes[range.index].column.column
            return "words of \(layout.name).\(layout.properties[slot].name) "
                + (range.isOneWord ? "that are" : "beginning with") + " \"\(range.text)\""
        case .intersection: return "what all of these have"
        case .union(let plans): return plans.isEmpty ? "nothing" : "what any of these has"
        case .links(let slot, _):
            let verb =
                graph.layout.tables[table].relationships[slot]?.isToOne == true
                ? "is one of" : "has one of"
            return "\(layout.name) whose \(layout.properties[slot].name) \(verb)"
        case .filter(let plan, _):
            if case .everything = plan.step { return "scan \(layout.name)" }
            return "keep of these"
        case .sort(_, let keys, let limit, _):
            let order = keys.map { $0.text(in: table, of: graph.layout) }
            let parts =
                (order.isEmpty ? [] : ["sort by " + order.joined(separator: ", ")])
                + (limit.map { ["take the first \($0)"] } ?? [])
            return parts.joined(separator: ", ")
        case .walk(let walk, _, _):
            let direction = walk.isAscending ? "up" : "down"
            let nils = walk.hasGreatestNil ? ", nil \(walk.isAscending ? "last" : "first")," : ""
            return "walk \(direction) the \(walk.range.text(in: graph, table))\(nils) "
                + "to the first \(walk.limit)"
                + (walk.keys.isEmpty ? "" : ", and sort those whose values are equal there")
        }
    }

    /// The table and the columns of a spatial index.
    private func spatialText(_ index: Int, in graph: Graph) -> String {
        let layout = graph.layout.tables[table]
        let columns = layout.orderedIndexes[index].columns.map { layout.properties[$0.column].name }
        return "\(layout.name) by " + columns.joined(separator: ", ")
    }
}

extension Coordinate {
    fileprivate var text: String { "\(latitude), \(longitude)" }
}

extension IndexRange {
    fileprivate func text(in graph: Graph, _ table: TableNumber) -> String {
        let layout = graph.layout.tables[table]
        let names = layout.orderedIndexes[index].columns.map { layout.properties[$0.column].name }
        let conditions = conditions.map { $0.text(in: table, of: graph.layout) }
        return "index of \(layout.name) by \(names.joined(separator: ", "))"
            + (conditions.isEmpty ? "" : " where " + conditions.joined(separator: " and "))
    }
}

extension SortKey {
    /// The key in words, with the names of the schema: the same in every process.
    func text(in table: TableNumber, of layout: GraphLayout) -> String {
        operand.text(in: table, of: layout) + (comparator.map { " with " + $0.name } ?? "")
            + (isAscending ? "" : " descending")
            + (hasGreatestNil ? " and nil \(hasNilFirst ? "first" : "last")" : "")
    }
}

extension Condition {
    /// The condition in words, with the names of the schema.
    func text(in table: TableNumber, of layout: GraphLayout) -> String {
        func list(_ conditions: [Condition], _ word: String) -> String {
            "(" + conditions.map { $0.text(in: table, of: layout) }.joined(separator: word) + ")"
        }
        switch self {
        case .constant(let answer): return "\(answer)"
        case .not(let inner): return "not " + inner.text(in: table, of: layout)
        case .all(let inner): return list(inner, " and ")
        case .any(let inner): return list(inner, " or ")
        case .kind(let kinds):
            let entities = kinds.compactMap { kind -> String? in
                let entities = layout.tables[table].entities
                guard entities.indices.contains(Int(kind)) else { return nil }
                return layout.entities[entities[Int(kind)]].name
            }
            return "it is " + entities.joined(separator: " or ")
        case .rows(let rows): return "it is one of \(rows.count) that are reached"
        case .comparison(let left, let comparison, let right):
            return left.text(in: table, of: layout) + " \(comparison.symbol) "
                + right.text(in: table, of: layout)
        case .text(let operand, let test):
            let folding = test.operation.isAboutWords ? [] : test.folding
            return operand.text(in: table, of: layout) + " " + test.operation.words
                + folding.suffix + " \"\(test.pattern)\""
                + (test.operation.isAboutWords && !operand.isSearchable(in: table, of: layout)
                    ? ", which is not searchable by an index" : "")
        case .texts(let operand, let operation, let folding, let other):
            return operand.text(in: table, of: layout) + " " + operation.words + folding.suffix
                + " " + other.text(in: table, of: layout)
        case .membership(let operand, let values):
            return operand.text(in: table, of: layout) + " is one of \(values.count) values"
        case .related(let slot, let inner, _):
            return layout.tables[table].properties[slot].name + " is one whose "
                + inner.text(in: layout.destination(of: slot, in: table), of: layout)
        case .anyMember(let slot, let inner):
            return layout.tables[table].properties[slot].name + " has one whose "
                + inner.text(in: layout.destination(of: slot, in: table), of: layout)
        case .opaque(let opaque): return "the object says so: \(opaque.reason)"
        }
    }
}

extension Operand {
    /// Whether this is an attribute whose words are in an index.
    fileprivate func isSearchable(in table: TableNumber, of layout: GraphLayout) -> Bool {
        guard case .attribute(let path) = self, path.count == 1 else { return false }
        return layout.tables[table].wordIndexes.contains { $0.column.column == path[0] }
    }

    /// The value in words, with the names of the schema.
    fileprivate func text(in table: TableNumber, of layout: GraphLayout) -> String {
        switch self {
        case .constant(.string(let text)): "\"\(text)\""
        case .constant(let datum): datum.description
        case .attribute(let path): Self.text(path, in: table, of: layout)
        case .count(let path): Self.text(path, in: table, of: layout) + ".count"
        case .applied(.length, let inner): inner.text(in: table, of: layout) + ".length"
        case .applied(.cast, let inner): "cast(\(inner.text(in: table, of: layout)))"
        case .applied(let function, let inner) where function.formatName != nil:
            "\(function.formatName ?? "")(\(inner.text(in: table, of: layout)))"
        case .distance(let latitude, _, let center):
            "the distance of \(latitude.text(in: table, of: layout)) from \(center.text)"
        case .relevance(let rank):
            "relevance to \(rank.matching == .wholeWords ? "the words " : "")\"\(rank.text)\" in "
                + rank.attributes.map {
                    "\(Self.text($0.path, in: table, of: layout)) × \($0.weight)"
                }.joined(separator: ", ")
        case .identity(let path): path.isEmpty ? "it" : Self.text(path, in: table, of: layout)
        default: "a computed value"
        }
    }

    private static func text(_ path: [Slot], in table: TableNumber, of layout: GraphLayout)
        -> String
    {
        layout.names(of: path, from: table).joined(separator: ".")
    }
}

extension ComparisonOperator {
    var symbol: String {
        switch self {
        case .equal: "=="
        case .notEqual: "!="
        case .less: "<"
        case .lessOrEqual: "<="
        case .greater: ">"
        case .greaterOrEqual: ">="
        }
    }
}

extension TextOperator {
    fileprivate var words: String {
        switch self {
        case .contains: "contains"
        case .beginsWith: "begins with"
        case .endsWith: "ends with"
        case .like: "is like"
        case .matches: "matches"
        case .words: "has the words of"
        case .wordPrefixes: "has words beginning like those of"
        }
    }
}

extension TextFolding {
    /// What is written behind an operator that compares so, as in `CONTAINS[cd]`.
    var suffix: String {
        switch (contains(.caseInsensitive), contains(.diacriticInsensitive)) {
        case (false, false): ""
        case (true, false): "[c]"
        case (false, true): "[d]"
        case (true, true): "[cd]"
        }
    }
}

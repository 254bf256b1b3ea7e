import Foundation

extension Graph {
    /// What is wrong with the ordered indexes, words, unique combinations and derived attributes, all of
    /// which are made anew and compared, in words.
    var brokenFollowers: [String] {
        tables.tableNumbers.flatMap {
            brokenIndexes(of: $0) + brokenWordIndexes(of: $0) + brokenCombinations(of: $0)
        }
            + layout.derivations.indices.flatMap(brokenDerivation)
    }

    private func name(_ slot: Slot, in table: TableNumber) -> String {
        "\(layout.tables[table].name).\(layout.tables[table].properties[slot].name)"
    }

    private func block(_ row: Row, _ column: Slot, in table: TableNumber) -> UnsafeMutableRawPointer
    {
        tables[table].columns[column].block(row.chunk)
    }

    /// Whether a row is one of those that a rule is about.
    func isConcerned(_ row: Row, _ kinds: RowKinds?, in table: TableNumber) -> Bool {
        kinds.map { $0.contains(row, block(row, $0.column, in: table)) } ?? true
    }

    private func brokenIndexes(of table: TableNumber) -> [String] {
        layout.tables[table].orderedIndexes.indices.flatMap { number in
            let layout = layout.tables[table].orderedIndexes[number]
            let index = tables[table].orderedIndexes[number]
            func block(_ row: Row, _ column: Slot) -> UnsafeMutableRawPointer {
                self.block(row, column, in: table)
            }
            var violations = index.brokenInvariants { a, b in
                let order = layout.order(a, b, block: block)
                return order < 0 || order == 0 && a < b
            }
            let expected = Set(
                rows(in: table).rows.filter { layout.has($0, block: block) }
                    .map { layout.entry($0, block: block) })
            if Set(index.entries) != expected || index.count != expected.count {
                violations.append("it has not just the rows there are, with their values")
            }
            let name = name(layout.columns[0].column, in: table)
            return violations.map { "the ordered index \(number) of \(name): \($0)" }
        }
    }

    private func brokenWordIndexes(of table: TableNumber) -> [String] {
        layout.tables[table].wordIndexes.indices.flatMap { number in
            let layout = layout.tables[table].wordIndexes[number]
            let index = tables[table].wordIndexes[number]
            var violations = index.brokenInvariants()
            let expected = rows(in: table).rows.flatMap { row in
                layout.entries(row, block(row, layout.column.column, in: table))
            }
            if Set(index.entries) != Set(expected) || index.count != expected.count {
                violations.append("it has not just the words of the rows there are")
            }
            let name = name(layout.column.column, in: table)
            return violations.map { "the index of the words of \(name): \($0)" }
        }
    }

    private func brokenCombinations(of table: TableNumber) -> [String] {
        let layout = layout.tables[table]
        return layout.combinations.indices.flatMap { number -> [String] in
            let combination = layout.combinations[number]
            let index = tables[table].uniqueIndexes[layout.uniqueSlots.count + number]
            let complete = rows(in: table).rows.filter { row in
                isConcerned(row, combination.kinds, in: table)
                    && combination.columns.allSatisfy {
                        tables[table].columns[$0.column].isValid(at: row)
                    }
            }
            let name = "\(layout.name), combination \(number)"
            let duplicates = Set(index.duplicates)
            var violations: [String] = []
            if duplicates.union(index.rows) != Set(complete)
                || index.rows.count + duplicates.count != complete.count
            {
                violations.append("\(name) has not just the rows that have all values")
            }
            for row in complete {
                let found = self.row(withCombination: number, of: row, in: table)
                if found == nil || found != row && !duplicates.contains(row) {
                    violations.append("\(name) does not find row \(row)")
                }
            }
            return violations
        }
    }

    // MARK: - Derived attributes

    private func brokenDerivation(_ number: Int) -> [String] {
        let derivation = layout.derivations[number]
        let isLink = layout.tables[derivation.owners].relationships[derivation.slot] != nil
        var violations: [String] = []
        var entries: Set<OrderedEntry> = []
        let kinds = layout.entities[derivation.entity].kinds
        for owner in tables[derivation.owners].rows
        where kinds.contains(kind(owner, in: derivation.owners)) {
            let members = members(of: owner, number)
            let found = value(owner, derivation.slot, in: derivation.owners)
            var expected = derive(number, from: members)
            if let (sources, computation) = layout.computations[number] {
                expected = computation.make(
                    { block(owner, sources[$0], in: derivation.owners) }, owner.offset)
            }
            if isLink { violations += brokenLink(of: owner, to: members, number) }
            // What is not a number equals nothing; its text equals itself.
            if !isLink, contains(owner, in: derivation.owners), found != expected,
                "\(found)" != "\(expected)"
            {
                violations.append(
                    "\(name(derivation.slot, in: derivation.owners)) of \(owner) is \(found), "
                        + "and \(expected) follows from its members")
            }
            guard let value = derivation.value, derivation.index != nil else { continue }
            for member in members {
                let block = block(member, value.column, in: derivation.members)
                entries.insert(
                    OrderedEntry(
                        group: owner.rawValue, row: member,
                        key: layout.orders[number] == nil ? value.key(member, block) : 0))
            }
        }
        if let index = derivation.index {
            let found = tables[derivation.owners].memberIndexes[index]
            if Set(found.entries) != entries || found.count != entries.count {
                violations.append("the index of members is not just of the members' values")
            }
            violations += found.brokenInvariants { isAscending($0, $1, number) }
        }
        return violations
    }

    private func brokenLink(
        of owner: Row, to members: [Row], _ number: Int
    ) -> [String] {
        let derivation = layout.derivations[number]
        let sorted = members.sorted { isAscending($0, $1, number) }
        let expected = derivation.function == .maximum ? sorted.last : sorted.first
        let found = reference(owner, derivation.slot, in: derivation.owners)
        if found == expected ?? .none { return [] }
        return ["\(name(derivation.slot, in: derivation.owners)) of \(owner) leads to \(found)"]
    }

    private func isAscending(_ a: Row, _ b: Row, _ number: Int) -> Bool {
        let order = order(a, b, number)
        return order < 0 || order == 0 && a < b
    }

    private func order(_ a: Row, _ b: Row, _ number: Int) -> Int {
        let derivation = layout.derivations[number]
        guard let value = derivation.value else { return 0 }
        let left = block(a, value.column, in: derivation.members)
        let right = block(b, value.column, in: derivation.members)
        return layout.orders[number].map {
            $0.compare(value.datum(a, left), value.datum(b, right)).rawValue
        } ?? value.order(a, left, b, right)
    }

    /// The members of an owner that count.
    private func members(of owner: Row, _ number: Int) -> [Row] {
        let derivation = layout.derivations[number]
        let path =
            [.value, .computed].contains(derivation.function)
            ? layout.paths[number]
            : [ColumnAddress(table: derivation.owners, column: derivation.relationship)]
        let ends = path.reduce([owner]) { rows, column in
            rows.flatMap { related($0, column.column, in: column.table) }
        }
        return ends.filter { member in
            if let condition = derivation.condition,
                value(member, condition, in: derivation.members) != .boolean(true)
            {
                return false
            }
            guard let value = derivation.value else { return true }
            return !value.isNull(member, block(member, value.column, in: derivation.members))
        }
    }

    /// What follows from some members.
    private func derive(_ number: Int, from members: [Row]) -> Datum {
        let derivation = layout.derivations[number]
        let sorted = members.sorted { isAscending($0, $1, number) }
        func value(_ member: Row?) -> Datum {
            guard let member, let value = derivation.value else { return .null }
            return self.value(member, value.column, in: derivation.members)
        }
        switch derivation.function {
        case .count: return .integer(Int64(members.count))
        case .any: return .boolean(!members.isEmpty)
        case .minimum, .value: return value(sorted.first)
        case .computed: return .null
        case .maximum: return value(sorted.last)
        case .countDistinct:
            let repeated = zip(sorted, sorted.dropFirst())
                .count { order($0, $1, number) == 0 }
            return .integer(Int64(members.count - repeated))
        case .sum where derivation.value?.kind == .double:
            var sum = ExactSum()
            for case .double(let number) in members.map(value) { sum.add(number, isAdded: true) }
            return .double(sum.value)
        case .sum:
            var sum: Int128 = 0
            for member in members {
                switch value(member) {
                case .integer(let number): sum += Int128(number)
                case .unsigned(let number): sum += Int128(number)
                default: break
                }
            }
            return .integer(Int64(clamping: sum))
        }
    }
}

extension FormatCompiler {
    /// What lies at the end of a key path from its root.
    mutating func operand(
        _ path: FormatPath, at column: Int
    ) throws(PredicateFormatError) -> FormatOperand {
        guard let root = root(of: path) else {
            return try substituted(path, at: column)
        }
        let levels = level - root
        let end = try operand(path.steps[...], from: rows[root].entity, levels: levels, path)
        return end
    }

    /// The row where a path starts; `nil` where that is a value that was substituted.
    func root(of path: FormatPath) -> Int? {
        guard let variable = path.variable else { return 0 }
        return rows.lastIndex { $0.variable == variable }
    }

    /// What lies at the end of some steps from a row `levels` relationships back.
    private mutating func operand(
        _ steps: ArraySlice<FormatStep>, from start: Int, levels: Int, _ path: FormatPath
    ) throws(PredicateFormatError) -> FormatOperand {
        func read(_ operand: Operand, _ type: FormatType) -> FormatOperand {
            FormatOperand(levels == 0 ? operand : .outer(levels, operand), type)
        }
        var (chain, entity, rest) = ([Slot](), start, steps)
        while let step = rest.popFirst() {
            let property = try property(step, &rest, in: entity, path)
            chain.append(property.slot)
            guard let target = property.destination else {
                guard let next = rest.popFirst() else {
                    return read(.attribute(chain), property.type)
                }
                if property.type.isCoded, rest.isEmpty,
                    next.kind == .size || next.kind == .aggregate("count")
                {
                    return read(.elementCount(chain), .integer)
                }
                guard next.isLength, property.type.hasLength else {
                    throw endOfPath(property, next, path)
                }
                if let beyond = rest.first {
                    throw problem(
                        .notARelationship("\(property.name).length", entity: property.entity),
                        at: beyond.column)
                }
                return read(.applied(.length, .attribute(chain)), .integer)
            }
            entity = target
            guard property.isToMany else {
                if let next = rest.first, next.isOfMany {
                    throw problem(
                        .oneValue(path.text, operation: next.text), at: next.column)
                }
                continue
            }
            guard let next = rest.popFirst() else {
                throw problem(.manyValues(path.text), at: step.column)
            }
            return try operand(
                next, rest, MembersPath(levels: levels, slots: chain), entity, path)
        }
        return read(.identity(chain), .object(table: layout.entities[entity].table))
    }

    /// What a function, an index or a count makes of the members of a relationship.
    private mutating func operand(
        _ step: FormatStep, _ rest: ArraySlice<FormatStep>, _ members: MembersPath, _ entity: Int,
        _ path: FormatPath
    ) throws(PredicateFormatError) -> FormatOperand {
        switch step.kind {
        case .size, .aggregate("count"):
            if let next = rest.first {
                throw problem(.oneValue("a count", operation: next.text), at: next.column)
            }
            let count = Operand.count(members.slots)
            return FormatOperand(
                members.levels == 0 ? count : .outer(members.levels, count), .integer)
        case .index(let index):
            let inner = try operand(rest, from: entity, levels: 0, path)
            return FormatOperand(.member(members, index, inner.operand), inner.type)
        case .aggregate(let name):
            guard let function = AggregateFunction(rawValue: name) else {
                throw problem(.unsupported("@\(name)"), at: step.column)
            }
            guard !rest.isEmpty else {
                throw unexpected("the end", expected: "a property behind @\(name)", at: step.column)
            }
            let inner = try operand(rest, from: entity, levels: 0, path)
            guard
                inner.type.isNumber || inner.type == .date && function.isExtreme
                    || inner.type == .string && function.isExtreme
            else {
                throw unexpected(inner.type.name, expected: "numbers for @\(name)", at: step.column)
            }
            return FormatOperand(
                .aggregate(function, members, inner.operand),
                function == .average ? .real : inner.type)
        case .key: throw problem(.manyValues(path.text), at: step.column)
        }
    }

    /// How many members of a relationship satisfy a test, which may read the rows around it.
    mutating func subquery(
        _ path: FormatPath, _ variable: String, _ test: FormatNode, at column: Int
    ) throws(PredicateFormatError) -> FormatOperand {
        guard let root = root(of: path) else {
            throw problem(.unsupported("a SUBQUERY over a value"), at: column)
        }
        var (chain, entity) = ([Slot](), rows[root].entity)
        var isToMany = false
        var rest = path.steps[...]
        while let step = rest.popFirst() {
            if isToMany { throw problem(.manyValues(path.text), at: step.column) }
            let property = try property(step, &rest, in: entity, path)
            guard let target = property.destination else {
                throw problem(.oneValue(path.text, operation: "SUBQUERY"), at: step.column)
            }
            chain.append(property.slot)
            entity = target
            isToMany = property.isToMany
        }
        guard isToMany else {
            throw problem(.oneValue(path.text, operation: "SUBQUERY"), at: column)
        }
        let levels = level - root
        rows.append(Start(entity: entity, variable: variable))
        defer { rows.removeLast() }
        return FormatOperand(
            .countWhere(MembersPath(levels: levels, slots: chain), try condition(test)), .integer)
    }

    /// The condition that at least one of the values at the end of a path satisfies `body`; `nil`
    /// where the path leads to one value.
    mutating func anyValue(
        of path: FormatPath,
        _ body: (inout FormatCompiler, FormatOperand) throws(PredicateFormatError) -> Condition
    ) throws(PredicateFormatError) -> Condition? {
        guard let root = root(of: path), root == level else {
            guard let root = root(of: path) else { return nil }
            // The members of a row further out are counted, since that can start there.
            return try anyValueFurtherOut(of: path, root, body)
        }
        return try anyValue(path.steps[...], path, body)
    }

    private mutating func anyValue(
        _ steps: ArraySlice<FormatStep>, _ path: FormatPath,
        _ body: (inout FormatCompiler, FormatOperand) throws(PredicateFormatError) -> Condition
    ) throws(PredicateFormatError) -> Condition? {
        guard let (chain, rest, destinations) = try firstToMany(steps, rows[level].entity, path)
        else { return nil }
        for entity in destinations { rows.append(Start(entity: entity)) }
        defer { rows.removeLast(destinations.count) }
        let inner = try valueCondition(rest, path, body)
        return .anyMember(slot: chain[chain.count - 1], inner).related(over: chain.dropLast())
    }

    private mutating func anyValueFurtherOut(
        of path: FormatPath, _ root: Int,
        _ body: (inout FormatCompiler, FormatOperand) throws(PredicateFormatError) -> Condition
    ) throws(PredicateFormatError) -> Condition? {
        let start = rows[root].entity
        guard let (chain, rest, destinations) = try firstToMany(path.steps[...], start, path)
        else { return nil }
        let members = MembersPath(levels: level - root, slots: chain)
        rows.append(Start(entity: destinations[destinations.count - 1]))
        defer { rows.removeLast() }
        let inner = try valueCondition(rest, path, body)
        return .comparison(.countWhere(members, inner), .greater, .constant(.integer(0)))
    }

    private mutating func valueCondition(
        _ steps: ArraySlice<FormatStep>, _ path: FormatPath,
        _ body: (inout FormatCompiler, FormatOperand) throws(PredicateFormatError) -> Condition
    ) throws(PredicateFormatError) -> Condition {
        if let deeper = try anyValue(steps, path, body) { return deeper }
        return try body(&self, operand(steps, from: rows[level].entity, levels: 0, path))
    }

    /// The slots up to the first relationship that leads to many values, what follows it, and the
    /// entities on the way; `nil` where there is none.
    func firstToMany(
        _ steps: ArraySlice<FormatStep>, _ start: Int, _ path: FormatPath
    ) throws(PredicateFormatError) -> (
        chain: [Slot], rest: ArraySlice<FormatStep>, destinations: [Int]
    )? {
        var (chain, destinations, rest) = ([Slot](), [Int](), steps)
        while let step = rest.popFirst() {
            let property = try property(step, &rest, in: destinations.last ?? start, path)
            guard let target = property.destination else { return nil }
            chain.append(property.slot)
            destinations.append(target)
            guard property.isToMany else { continue }
            return rest.first?.isOfMany ?? false ? nil : (chain, rest, destinations)
        }
        return nil
    }

    // MARK: - Properties

    /// A property that a step leads to.
    struct Property {
        var slot: Slot
        var type: FormatType
        /// The number of the entity at the other end of a relationship.
        var destination: Int?
        var isToMany: Bool
        var name: String
        var entity: String
    }

    /// The property that a step leads to, or where it is a composite attribute, the step and the next one.
    private func property(
        _ step: FormatStep, _ rest: inout ArraySlice<FormatStep>, in number: Int, _ path: FormatPath
    ) throws(PredicateFormatError) -> Property {
        let entity = layout.entities[number]
        let properties = entity.slots.map { layout.tables[entity.table].properties[$0] }
        guard case .key(var name) = step.kind else {
            throw problem(.oneValue(path.text, operation: step.text), at: step.column)
        }
        if case .key(let part)? = rest.first?.kind,
            properties.contains(where: { $0.name.hasPrefix(name + ".") })
        {
            name += "." + part
            rest.removeFirst()
        }
        guard let position = properties.firstIndex(where: { $0.name == name }) else {
            let names = properties.map(\.name)
            throw problem(
                names.first { $0.hasPrefix(name + ".") }.map {
                    .compositeAttribute(name, entity: entity.name, part: $0)
                }
                    ?? .unknownKey(
                        name, entity: entity.name, nearest: name.nearest(among: names),
                        isAlone: path.steps.count == 1),
                at: step.column)
        }
        switch properties[position] {
        case .attribute(let attribute):
            return Property(
                slot: entity.slots[position], type: FormatType(attribute), destination: nil,
                isToMany: false, name: name, entity: entity.name)
        case .relationship(let relationship):
            let table = layout.destination(of: entity.slots[position], in: entity.table)
            return Property(
                slot: entity.slots[position], type: .object(table: table),
                destination: layout.schema.number(named: relationship.destination),
                isToMany: relationship.isToMany, name: name, entity: entity.name)
        }
    }

    private func endOfPath(
        _ property: Property, _ next: FormatStep, _ path: FormatPath
    ) -> PredicateFormatError {
        next.isOfMany
            ? problem(.oneValue(path.text, operation: next.text), at: next.column)
            : problem(.notARelationship(property.name, entity: property.entity), at: next.column)
    }
}

extension Operand {
    /// The number of elements of the array at the end of a chain: none where an object has no array, and no number where
    /// the chain breaks, as for members.
    fileprivate static func elementCount(_ chain: [Slot]) -> Operand {
        let count = applied(.elementCount, .attribute(chain))
        guard chain.count > 1 else { return count }
        return .choosing(.isNil(.identity(Array(chain.dropLast()))), .constant(.null), count)
    }
}

extension FormatStep {
    /// Whether the step makes one value of many.
    var isOfMany: Bool {
        switch kind {
        case .key: false
        case .aggregate, .index, .size: true
        }
    }
}

extension AggregateFunction {
    /// Whether the result is one of the values.
    fileprivate var isExtreme: Bool { self == .least || self == .greatest }
}

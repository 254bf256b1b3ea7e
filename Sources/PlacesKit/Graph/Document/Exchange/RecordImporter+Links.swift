extension RecordImporter {
    /// Ties an object to those that its record names.
    func tie(
        _ row: Row, _ slot: Slot, _ value: ImportValue, _ column: ImportColumn,
        at location: TextLocation
    ) throws {
        switch value {
        case .target(let target):
            let other = try self.row(of: target, slot, column, at: location) ?? Row.none
            transaction.setToOne(row, slot, in: table.number, to: other)
        case .targets(let targets):
            let members = try targets.map { target in
                guard let member = try self.row(of: target, slot, column, at: location) else {
                    throw ImportFault(
                        location: location, problem: "\(column.name): expected no null")
                }
                return member
            }
            transaction.setMembers(members, of: row, slot, in: table.number, isArranged: true)
        case .datum: break
        }
    }

    /// The table of the objects that a relationship of the records' objects leads to.
    func destination(of slot: Slot) -> TableNumber? {
        let layout = context.store.model.layout
        return table.layout.properties[slot].relationship
            .flatMap { layout.entity(named: $0.destination) }?.table
    }

    /// The row of an object that a link leads to; `nil` for nobody.
    private func row(
        of target: ImportTarget, _ slot: Slot, _ column: ImportColumn, at location: TextLocation
    ) throws -> Row? {
        let name = table.layout.properties[slot].relationship?.destination ?? ""
        let destination = transaction.graph.destination(of: slot, in: table.number)
        let found: Row?
        let wanted: String
        switch target {
        case .nobody: return nil
        case .number(let number):
            // The file's own numbers come first, for they need not be those of this document.
            let own = destination == table.number ? rows[number] : nil
            found = own ?? context.row(of: number, name)
            wanted = "the number of an existing \(name), found \(number)"
        case .key(let datum):
            guard case .attribute(let key, let attribute, _)? = column.key else { return nil }
            found = datum == .null ? nil : transaction.find(datum, key, in: destination)
            // By the time of the save others may have given the key to another.
            if let found {
                context.unsaved.bases.rely(on: found, in: destination, for: PropertySet(key))
            }
            wanted = "the \(attribute.name) of an existing \(name), found \(datum)"
        }
        guard let found, transaction.contains(found, in: destination),
            context.isObject(found, of: name)
        else {
            throw ImportFault(location: location, problem: "\(column.name): expected \(wanted)")
        }
        return found
    }
}

extension ImportColumn {
    /// How a link names the object that it leads to.
    fileprivate var key: Key? {
        switch kind {
        case .toOne(_, let key), .toMany(_, let key): key
        case .identifier, .entity, .attribute: nil
        }
    }
}

extension ManagedObjectContext {
    /// The row of an object of a number, of an entity or one that inherits from it, that was there
    /// before the import: a file cannot know the numbers of those that it makes.
    func row(of number: Int64, _ entity: String) -> Row? {
        let graph = transaction.base
        guard let layout = graph.layout.entity(named: entity),
            let row = graph.row(of: number, in: layout.table),
            graph.contains(row, in: layout.table), graph.isObject(row, of: layout)
        else { return nil }
        return row
    }

    /// Whether a row is an object of an entity, or of one that inherits from it.
    fileprivate func isObject(_ row: Row, of entity: String) -> Bool {
        let graph = transaction.graph
        return graph.layout.entity(named: entity).map { graph.isObject(row, of: $0) } ?? false
    }
}

/// An object of a document that is being migrated, without its class.
///
/// ```swift
/// for photo in try records.records(of: "Photo") {
///     photo["title"] = photo["name"]
///     if photo[object: "takenAt"]?["name"] == .string("") { photo[object: "takenAt"] = nil }
/// }
/// ```
/// A name that does not exist, or a value that the attribute cannot have, changes nothing. When the
/// stage ends, the migration then fails with an error that describes it.
public struct MigrationRecord {
    let records: MigrationRecords
    let table: TableNumber
    let row: Row
    /// How often the schema had changed when the record was asked for.
    let epoch: Int

    /// The identifier of the object.
    public var id: ObjectID {
        epoch == records.epoch
            ? records.transaction.graph.objectID(row, in: table) : ObjectID(entity: "", number: -1)
    }

    /// Whether the record was deleted.
    public var isDeleted: Bool {
        epoch != records.epoch || !records.transaction.contains(row, in: table)
    }

    private var transaction: Transaction { records.transaction }

    private var isUsable: Bool {
        if epoch != records.epoch {
            records.fail("A record is from before changeSchema(_:). Ask for the records again.")
            return false
        }
        if isDeleted { records.fail("\(id) is deleted, and was used afterwards.") }
        return !isDeleted
    }

    private func slot(
        of name: String, _ kind: String, _ isKind: (PropertyDescription) -> Bool
    ) -> Slot? {
        guard isUsable, let slot = records.slot(named: name, of: row, in: table) else { return nil }
        guard isKind(records.layout.tables[table].properties[slot]) else {
            records.fail("\(id).\(name) is no \(kind).")
            return nil
        }
        return slot
    }

    // MARK: - Attributes

    /// The value of an attribute.
    ///
    /// A value of another type is converted to the attribute's type if nothing is lost. If bytes
    /// with external storage cannot be read, the value is null and the migration fails when the
    /// stage ends.
    public subscript(name: String) -> Datum {
        get {
            guard let slot = slot(of: name, "attribute", { $0.attribute != nil }) else {
                return .null
            }
            do {
                return try transaction.graph.readDatum(row, slot, in: table)
            } catch {
                records.fail(error)
                return .null
            }
        }
        nonmutating set {
            guard let slot = slot(of: name, "attribute", { $0.attribute != nil }),
                let attribute = records.layout.tables[table].properties[slot].attribute
            else { return }
            guard attribute.derivation == nil else {
                records.fail("\(id).\(name) follows from other values, and cannot be written.")
                return
            }
            guard let value = newValue == .null ? .null : ValueConversion(to: attribute)(newValue)
            else {
                records.fail(
                    "\(id).\(name) is \(attribute.type.rawValue), and cannot be \(newValue).")
                return
            }
            transaction.write(value, row, slot, in: table)
        }
    }

    // MARK: - Relationships

    /// The record that a to-one relationship holds.
    public subscript(object name: String) -> MigrationRecord? {
        get {
            guard let slot = toOneSlot(name) else { return nil }
            let target = transaction.reference(row, slot, in: table)
            return target.isNone ? nil : record(target, at: slot)
        }
        nonmutating set {
            guard let slot = toOneSlot(name), isTarget(newValue, of: slot) else { return }
            transaction.setToOne(row, slot, in: table, to: newValue?.row ?? Row.none)
        }
    }

    /// The records that a to-many relationship holds, in their order.
    ///
    /// To add one member to many it is faster to set the member's to-one relationship.
    public subscript(objects name: String) -> [MigrationRecord] {
        get {
            guard let slot = toManySlot(name) else { return [] }
            return transaction.graph.related(row, slot, in: table).map { record($0, at: slot) }
        }
        nonmutating set {
            guard let slot = toManySlot(name), newValue.allSatisfy({ isTarget($0, of: slot) })
            else { return }
            var seen: Set<Row> = []
            let members = newValue.map(\.row).filter { seen.insert($0).inserted }
            for member in Array(transaction.graph.related(row, slot, in: table))
            where !seen.contains(member) {
                transaction.removeMember(member, from: row, slot, in: table)
            }
            for member in members { transaction.addMember(member, to: row, slot, in: table) }
            _ = transaction.reorder(row, slot, in: table, to: members)
        }
    }

    private func toOneSlot(_ name: String) -> Slot? {
        slot(of: name, "to-one relationship") { $0.relationship?.isToMany == false }
    }

    private func toManySlot(_ name: String) -> Slot? {
        slot(of: name, "to-many relationship") { $0.relationship?.isToMany == true }
    }

    private func record(_ target: Row, at slot: Slot) -> MigrationRecord {
        MigrationRecord(
            records: records, table: transaction.graph.destination(of: slot, in: table),
            row: target, epoch: epoch)
    }

    /// Whether a relationship may lead to a record.
    private func isTarget(_ target: MigrationRecord?, of slot: Slot) -> Bool {
        guard let target else { return true }
        guard target.isUsable else { return false }
        let layout = records.layout
        guard target.records === records,
            let name = layout.tables[table].properties[slot].relationship?.destination,
            let entity = layout.entity(named: name), entity.table == target.table,
            transaction.graph.isObject(target.row, of: entity)
        else {
            records.fail(
                "\(id).\(layout.tables[table].properties[slot].name) cannot lead to \(target.id).")
            return false
        }
        return true
    }

    /// Deletes the record and all links to it.
    public func delete() {
        guard isUsable else { return }
        transaction.erase(row, from: table)
    }
}

@available(*, unavailable)
extension MigrationRecord: Sendable {}

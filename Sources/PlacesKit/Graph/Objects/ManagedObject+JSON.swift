extension ManagedObject {
    /// What an attribute is to hold for a `Codable` value.
    ///
    /// A set inside a value is encoded in another order each time that it is made. So that it is no change to write the
    /// value that the attribute has or that was saved last, the text of that is kept.
    @usableFromInline @inline(never)
    final func _json<Value: AttributeValue>(of value: Value, _ marked: Int32) -> Value.Stored? {
        guard let stored = value.storedIfAny else { return nil }
        let slot = Slot(rawValue: marked & .max)
        let held: Value.Stored? = heldElement(slot)
        if let held, held.isIdentical(to: stored) || value.isKept(as: held, insteadOf: stored) {
            return held
        }
        let saved: Value.Stored? = savedElement(slot)
        guard let saved, held.map({ saved.isIdentical(to: $0) }) != true,
            value.isKept(as: saved, insteadOf: stored)
        else { return stored }
        return saved
    }

    /// What a column holds for the object, if that is there and has a value.
    private final func heldElement<Element: ColumnElement>(_ slot: Slot) -> Element? {
        let access = _access
        guard access.pointee.contains(row),
            access.pointee.columns[slot.index][row.chunk].isValid(at: row.offset)
        else { return nil }
        return access.pointee.element(row, slot)
    }

    /// What a column held for the object when it was saved last, or holds for new ones.
    private final func savedElement<Element: ColumnElement>(_ slot: Slot) -> Element? {
        guard let table, let context, _access.pointee.contains(row) else { return nil }
        let column = context.lastSaved(row, in: table).tables[table.number].columns[slot]
        return column.isValid(at: row) ? column.element(Element.self, at: row) : nil
    }
}

extension AttributeValue {
    /// Whether another text stands for the value as well as its own.
    ///
    /// What equality does not see, such as the bytes of a letter, is a change that a file must keep.
    fileprivate func isKept(as other: Stored, insteadOf own: Stored) -> Bool {
        // Columns have what this process has encoded, so the bytes tell most of it.
        guard let new = own as? String, let old = other as? String,
            CodableText.haveSameBytes(new, old), let value = Self(stored: other)
        else { return false }
        return value == self
    }
}

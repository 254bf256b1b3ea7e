extension GraphMigration {
    /// Lets each object of an entity have all parts that a value of an optional composite attribute needs, or none.
    ///
    /// Parts are attributes of which each may be missing. One that was added, or is required by now, would be missing alone;
    /// or be there alone, where the composite has a default.
    func completeComposites(of number: Int) {
        let entity = layout.entities[number]
        for composite in composites[number] {
            let sources = zip(entity.slots, match.slots[number]).filter { slot, source in
                source != nil && composite.slots.contains(slot)
            }.map(\.0)
            for object in moved[number] {
                func hasValue(_ slot: Slot) -> Bool {
                    transaction.block(object.new, slot, in: entity.table)
                        .isValid(at: object.new.offset)
                }
                func write(_ value: Datum, _ slot: Slot) {
                    transaction.write(value, object.new, slot, in: entity.table)
                }
                if !sources.isEmpty, !sources.contains(where: hasValue) {
                    for slot in composite.slots where hasValue(slot) { write(.null, slot) }
                } else if composite.slots.contains(where: hasValue) {
                    for (slot, value) in zip(composite.required, composite.initial)
                    where !hasValue(slot) { write(value, slot) }
                }
            }
        }
    }
}

extension GraphLayout {
    /// The slots of each entity's attributes that satisfy a condition.
    func slots(where isIncluded: (AttributeDescription) -> Bool) -> [[Slot]] {
        entities.map { slots(of: $0, where: isIncluded) }
    }

    /// The slots of an entity's attributes that satisfy a condition.
    func slots(
        of entity: EntityLayout, where isIncluded: (AttributeDescription) -> Bool
    ) -> [Slot] {
        entity.slots.filter { slot in
            tables[entity.table].properties[slot].attribute.map(isIncluded) ?? false
        }
    }
}

extension AttributeDescription {
    /// Whether a file may leave the attribute out for it has no value, though it has a default.
    var hasOptionalDefault: Bool {
        isOptional && !isTransient && derivation == nil && defaultValue ?? .null != .null
    }
}

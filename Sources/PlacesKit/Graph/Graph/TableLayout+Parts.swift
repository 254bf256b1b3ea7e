extension TableLayout {
    /// The parts of the composite attribute to which a property belongs, none for an attribute of its own: their names have
    /// that of the whole and a dot before them.
    func parts(with slot: Slot) -> [Slot] {
        guard let dot = properties[slot].name.lastIndex(of: ".") else { return [] }
        let whole = properties[slot].name[...dot]
        return valueSlots.filter { properties[$0].name.hasPrefix(whole) }
    }
}

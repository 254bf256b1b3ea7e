/// What a key path may mean, and what else is known of that.
struct KeyPathMeaning {
    let meaning: ResolvedKeyPath
    /// What the attribute at the end consists of, or is a part of.
    var composite: CompositeLayout?
    /// The key path of the part that the attribute is.
    var part: AnyKeyPath?
}

/// What a key path reads and returns on a prototype if it means what it seems to mean.
struct KeyPathExpectation {
    enum Value {
        case datum(Datum)
        case composite([Datum], CompositeLayout)
        case object(ManagedObject)
        case members(of: ManagedObject, slot: Slot)
        case count(Int)
        case identity(ObjectID)
    }

    var slots: [Slot]
    var value: Value
    /// Whether a link on the way leads nowhere.
    var isCutShort = false
}

extension KeyPathExpectation.Value {
    /// Whether a key path returned just this.
    func matches(_ value: Any) -> Bool {
        switch self {
        case .datum(.null): isNil(value)
        case .datum(let datum): (value as? any AttributeValue)?.datum.isJust(datum) ?? false
        case .composite(let data, let layout):
            layout.data(value)?.elementsEqual(data) { $0.isJust($1) } ?? false
        case .object(let object): value as? ManagedObject === object
        case .members(let owner, let slot):
            (value as? any MemberView).map { $0.owner === owner && $0.slot == slot } ?? false
        case .count(let count): value as? Int == count
        case .identity(let id): value as? ObjectID == id
        }
    }
}

/// An object set of any element.
protocol MemberView {
    var owner: ManagedObject { get }
    var slot: Slot { get }
}

extension ResolvedKeyPath {
    /// The slots that the key path goes through.
    var path: [Slot] {
        switch self {
        case .property(let path), .count(let path), .identity(let path),
            .composite(let path, _, _):
            path
        }
    }
}

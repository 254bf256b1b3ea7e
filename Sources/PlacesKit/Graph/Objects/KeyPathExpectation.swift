/// What a key path reads and returns on a prototype if it means what it seems to mean.
struct KeyPathExpectation {
    enum Value {
        case datum(Datum)
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
        case .datum(.string(let text)) where value is LocalizedStandardText:
            (value as? LocalizedStandardText)?.text == text
        case .datum(let datum): (value as? any AttributeValue)?.datum == datum
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
        case .property(let path), .count(let path), .identity(let path): path
        }
    }
}

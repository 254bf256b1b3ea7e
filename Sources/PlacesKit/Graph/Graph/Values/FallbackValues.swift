import Synchronization

/// What attributes read as whose column holds no value of their type, one value for each type.
///
/// A file with such a column is refused, so only an attribute that was never given a value comes
/// here. A model in which a type has neither a default nor a blank is refused, so all that are read
/// are here.
enum FallbackValues {
    private static let known = Mutex<[ObjectIdentifier: any Sendable]>([:])
    /// What makes one of a type of which none may be known.
    private static let makers = Mutex<[ObjectIdentifier: @Sendable () -> any Sendable]>([:])

    /// Remembers the fallback of a type, unless it has one.
    static func remember<Value: AttributeValue>(_ value: Value) {
        known.withLock { known in
            let type = ObjectIdentifier(Value.self)
            if known[type] == nil { known[type] = value }
        }
    }

    /// Remembers how to make a value of a type, should none be known.
    static func remember<Value: AttributeValue>(made make: @escaping @Sendable () -> Value) {
        makers.withLock { makers in
            let type = ObjectIdentifier(Value.self)
            if makers[type] == nil { makers[type] = make }
        }
    }

    static func value<Value: AttributeValue>(of type: Value.Type) -> Value? {
        let type = ObjectIdentifier(type)
        let value = known.withLock { $0[type] } ?? makers.withLock { $0[type] }?()
        return value as? Value
    }
}

extension AttributeValue {
    /// What an attribute of this type reads as whose column holds no value of the type.
    @usableFromInline static var fallback: Self {
        guard let value = FallbackValues.value(of: Self.self) else {
            preconditionFailure("a model without a fallback of \(Self.self) is refused")
        }
        return value
    }
}

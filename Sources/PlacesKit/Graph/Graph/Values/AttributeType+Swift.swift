public import Foundation

extension AttributeValue {
    /// The type as the schema names it.
    @usableFromInline static var attributeType: AttributeType {
        AttributeType(builtIn: self) ?? AttributeType(of: self)
    }

    /// The only values there are, for enums; `nil` where there are too many to list.
    static var allowedValues: [Datum]? {
        if let optional = self as? any OptionalValue.Type {
            return (optional.wrappedType as? any AttributeValue.Type)?.allowedValues
        }
        guard attributeType != .json, self is any RawRepresentable.Type else { return nil }
        func values<Cases: AttributeValue & CaseIterable>(of type: Cases.Type) -> [Datum] {
            type.allCases.map(\.datum)
        }
        return (self as? any (AttributeValue & CaseIterable).Type).map { values(of: $0) }
    }

    /// The type of the elements of an array or a set, or of an optional one, where they conform by themselves; `nil` for
    /// others, whose JSON only their type knows.
    static var elementType: AttributeType? {
        guard let collection = unwrapped(self) as? any ElementCollection.Type else { return nil }
        return AttributeType(builtIn: unwrapped(collection.memberType))
    }

    /// Whether a column may hold what is no value of the type, so that files must be checked.
    static var isChecked: Bool {
        if let optional = self as? any OptionalValue.Type {
            return (optional.wrappedType as? any AttributeValue.Type)?.isChecked ?? false
        }
        return AttributeType(builtIn: self) == nil && allowedValues == nil
    }

    /// The value without its type.
    ///
    /// Inlined for what objects are mostly found by: asking for the type takes as long as finding one.
    @inlinable var datum: Datum {
        if Self.self == String.self { return .string(unsafeBitCast(self, to: String.self)) }
        if Self.self == Int.self { return .integer(Int64(unsafeBitCast(self, to: Int.self))) }
        if Self.self == UUID.self { return .uuid(unsafeBitCast(self, to: UUID.self)) }
        return typedDatum
    }

    /// The same, by the type's name in the schema.
    @usableFromInline var typedDatum: Datum { datum(as: Self.attributeType) }

    /// The same, where the type's name in the schema is known.
    func datum(as type: AttributeType) -> Datum {
        storedIfAny.map { Datum(stored: $0, as: type) } ?? .null
    }

    /// The value of what a column holds; `nil` where the type has no such value.
    static func value(of datum: Datum) -> Self? {
        datum.element(of: Stored.self).flatMap { Self(stored: $0) }
    }
}

/// An array or a set.
private protocol ElementCollection {
    static var memberType: Any.Type { get }
}

extension Array: ElementCollection {
    fileprivate static var memberType: Any.Type { Element.self }
}

extension Set: ElementCollection {
    fileprivate static var memberType: Any.Type { Element.self }
}

/// Lets a switch tell types apart.
@inline(__always)
func ~= (known: Any.Type, type: Any.Type) -> Bool { known == type }

extension AttributeType {
    /// The type of a Swift type that conforms by itself; `nil` for others.
    fileprivate init?(builtIn type: Any.Type) {
        // The most frequent first. Comparing takes less time than looking up.
        switch type {
        case String.self: self = .string
        case Int.self, Int64.self: self = .int64
        case Double.self: self = .double
        case Bool.self: self = .boolean
        case Date.self: self = .date
        case UUID.self: self = .uuid
        case URL.self: self = .url
        case Data.self: self = .data
        case Int32.self: self = .int32
        case Int16.self: self = .int16
        case Int8.self: self = .int8
        case UInt.self, UInt64.self: self = .uint64
        case UInt32.self: self = .uint32
        case UInt16.self: self = .uint16
        case UInt8.self: self = .uint8
        case Float.self: self = .float
        case Decimal.self: self = .decimal
        default: return nil
        }
    }

    /// The type of an optional, of JSON, of raw values that are stored as such, or else of what values are stored as.
    fileprivate init(of type: any AttributeValue.Type) {
        func rawValue<Value: RawRepresentable>(of type: Value.Type) -> Any.Type {
            Value.RawValue.self
        }
        if let optional = type as? any OptionalValue.Type,
            let wrapped = optional.wrappedType as? any AttributeValue.Type
        {
            self = wrapped.attributeType
        } else if type is any CodableAttribute.Type {
            self = .json
        } else {
            self = AttributeType(ofColumnFor: type)
            if let raw = (type as? any RawRepresentable.Type).map({ rawValue(of: $0) }),
                let raw = raw as? any AttributeValue.Type, raw.columnKind == type.columnKind,
                case let rawType = raw.attributeType, rawType != self,
                let type = type as? any (AttributeValue & RawRepresentable).Type,
                RawValueStorage.holdsRawValues(type)
            {
                self = rawType
            }
        }
    }

    /// The type of whatever a column holds.
    private init(ofColumnFor type: any AttributeValue.Type) {
        self =
            switch type.columnKind {
            case .boolean: .boolean
            case .integer: .int64
            case .double: .double
            case .decimal: .decimal
            case .uuid: .uuid
            case .data, .blob: .data
            // What no column holds is refused before anybody reads it.
            case .string, .reference, nil: .string
            }
    }
}

extension Datum {
    /// The value of what a column holds for an attribute of a type.
    fileprivate init<Stored: ColumnElement>(stored: Stored, as type: AttributeType) {
        // Casts of what is known to be equal would take longer.
        func known<Known>(_: Known.Type) -> Known? {
            Stored.self == Known.self ? unsafeBitCast(stored, to: Known.self) : nil
        }
        let value: Datum? =
            switch type {
            case .boolean: known(Bool.self).map(Datum.boolean)
            case .int8, .int16, .int32, .int64, .uint8, .uint16, .uint32:
                known(Int64.self).map(Datum.integer)
            case .uint64: known(Int64.self).map { .unsigned(UInt64(ordered: $0)) }
            case .float, .double: known(Double.self).map(Datum.double)
            case .date: known(Double.self).map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
            case .decimal: known(Decimal.self).map(Datum.decimal)
            case .string, .url, .json: known(String.self).map(Datum.string)
            case .uuid: known(UUID.self).map(Datum.uuid)
            case .data: known(Data.self).map(Datum.data)
            }
        self = value ?? .null
    }
}

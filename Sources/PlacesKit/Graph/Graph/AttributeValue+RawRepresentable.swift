extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// The raw value's type.
    public static var attributeType: AttributeType { RawValue.attributeType }
    /// `true`: a raw value may be that of no value.
    public static var isChecked: Bool { true }

    /// Reads the value of a raw value, or nothing where there is none.
    @inlinable
    public init?(checking stored: RawValue.Stored) {
        guard let rawValue = RawValue(checking: stored) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// Reads the value of a raw value.
    ///
    /// A document with a raw value that has no value is refused when it is opened, so only an
    /// attribute that was never given a value reads as something else: a default of the type.
    @inlinable
    public init(stored: RawValue.Stored, isValid: Bool) {
        self = Self(checking: stored) ?? Self.fallback
    }

    /// The raw value as its column holds it.
    @inlinable
    public var stored: RawValue.Stored? { rawValue.stored }

    /// The raw value without its type.
    public var datum: Datum { rawValue.datum }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
    /// The raw values of all cases.
    public static var allowedValues: [Datum]? { allCases.map(\.rawValue.datum) }
    /// `false`: the allowed values are listed.
    public static var isChecked: Bool { false }

    /// Reads the case of a raw value.
    ///
    /// A document with a raw value that has no case is refused when it is opened, so only an
    /// attribute that was never given a value reads as something else: the first case.
    @inlinable
    public init(stored: RawValue.Stored, isValid: Bool) {
        guard let value = Self(checking: stored) else {
            self = Self.allCases[Self.allCases.startIndex]
            return
        }
        self = value
    }
}

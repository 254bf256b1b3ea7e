@_documentation(visibility: internal)
extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// Makes the value of a raw value; `nil` where there is none.
    @inlinable
    public init?(stored: RawValue.Stored) {
        guard let rawValue = RawValue(stored: stored) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// What the raw value is stored as.
    @inlinable
    public var stored: RawValue.Stored { rawValue.stored }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
    /// Reads the case of a raw value.
    ///
    /// A document with a raw value that has no case is refused when it is opened, so only an
    /// attribute that was never given a value reads as something else: the first case.
    @_documentation(visibility: internal)
    @inlinable
    public init(stored: RawValue.Stored, isValid: Bool) {
        self = Self(stored: stored) ?? Self.allCases[Self.allCases.startIndex]
    }
}

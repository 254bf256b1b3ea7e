@_documentation(visibility: internal)
extension AttributeValue where Self: RawRepresentable, RawValue: AttributeValue {
    /// Makes the value from a raw value; `nil` if the type has no such value.
    @_disfavoredOverload
    @inlinable
    public init?(stored: RawValue.Stored) {
        guard let rawValue = RawValue(stored: stored) else { return nil }
        self.init(rawValue: rawValue)
    }

    /// The stored raw value.
    @inlinable
    public var stored: RawValue.Stored { rawValue.stored }
}

extension AttributeValue where Self: RawRepresentable & CaseIterable, RawValue: AttributeValue {
    /// Reads the value with a raw value.
    ///
    /// Opening a document refuses a raw value that has no case. So only an attribute that was never
    /// given a value reads as something else: the first case.
    @_disfavoredOverload
    @_documentation(visibility: internal)
    @inlinable
    public init(stored: RawValue.Stored, isValid: Bool) {
        self = Self(stored: stored) ?? Self.allCases[Self.allCases.startIndex]
    }
}

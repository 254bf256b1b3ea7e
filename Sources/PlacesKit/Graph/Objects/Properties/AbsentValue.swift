/// A value that may be none.
private protocol Absentable {
    var isAbsent: Bool { get }
}

extension Optional: Absentable {
    fileprivate var isAbsent: Bool { self == nil }
}

/// Whether a value of any type is an optional that holds nothing.
func isNil(_ value: Any) -> Bool { (value as? any Absentable)?.isAbsent ?? false }

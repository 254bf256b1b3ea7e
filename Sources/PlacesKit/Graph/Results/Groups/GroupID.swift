/// The identity of a group: its key.
///
/// Keys are equal as by `==`, except that NaN equals NaN.
public struct GroupID<Key: Hashable & Sendable>: Hashable, Sendable {
    /// The key of the group.
    public let key: Key

    /// Makes the identifier of the group with a key.
    public init(_ key: Key) { self.key = key }

    /// Whether two groups have the same key.
    public static func == (left: GroupID, right: GroupID) -> Bool {
        left.key.isSame(as: right.key)
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        if key.isNotANumber { hasher.combine(0) } else { hasher.combine(key) }
    }
}

extension GroupID: CustomStringConvertible {
    /// The key as text, with quotation marks around strings.
    public var description: String { SectionKey(key).description }
}

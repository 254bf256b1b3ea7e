/// What a group is told by: its key.
///
/// Keys are equal as `==` has it, but for what is not a number: that is one key, and equals itself.
public struct GroupID<Key: Hashable & Sendable>: Hashable, Sendable {
    /// The key of the group.
    public let key: Key

    /// The identifier of the group of a key.
    public init(_ key: Key) { self.key = key }

    /// Whether two groups are the same.
    public static func == (left: GroupID, right: GroupID) -> Bool {
        left.key == right.key || left.isNotANumber && right.isNotANumber
    }

    /// Hashes the key.
    public func hash(into hasher: inout Hasher) {
        if isNotANumber { hasher.combine(0) } else { hasher.combine(key) }
    }

    private var isNotANumber: Bool { key != key }
}

extension GroupID: CustomStringConvertible {
    /// The key in words.
    public var description: String { "\(key)" }
}

/// How the sections of live results are made of the values of some properties.
///
/// ```swift
/// let results = try FetchedResultsController(
///     request,
///     sectionBy: SectionRule(\.views) { views in
///         views < 100 ? 0 : 1
///     } title: { key in
///         key == 0 ? "New" : "Popular"
///     } order: { key in
///         -key
///     }, in: context)
/// ```
///
/// - The closures must give the same for the same values. They are called on any thread.
/// - A change costs what it costs without sections, as long as the key paths lead to attributes and counts, also
///   across to-one relationships. If one leads to a computed property, each change fetches again.
/// - What depends on something else, for example on the current day, is made again by `setRequest`.
public struct SectionRule<Object: ManagedObject> {
    /// The properties whose values make sections, which may be compiled.
    let keyPaths: [PartialKeyPath<Object>]
    /// What makes sections of these values; `nil` if they are keys themselves.
    let making: SectionMaking?
    /// What an object says that its section is.
    let label: (Object) -> SectionLabel
    /// The sections that are there even if they hold nothing.
    let always: [SectionLabel]

    /// Sections of a property whose values are told apart as they are.
    init<Key: Hashable & Sendable>(_ keyPath: KeyPath<Object, Key>) {
        self.init(keyPath) { SectionLabel(SectionKey($0[keyPath: keyPath])) }
    }

    /// Sections of a property of any type.
    init(describing keyPath: PartialKeyPath<Object>) {
        self.init(keyPath) { SectionLabel(SectionKey(describing: $0[keyPath: keyPath])) }
    }

    /// Sections of what a closure gives.
    init<Key: Hashable & Sendable>(_ section: @escaping (Object) -> (key: Key, name: String)) {
        self.init(nil) { object in
            let (key, name) = section(object)
            return SectionLabel(SectionKey(key), name: name)
        }
    }

    private init(_ keyPath: PartialKeyPath<Object>?, _ label: @escaping (Object) -> SectionLabel) {
        keyPaths = keyPath.map { [$0] } ?? []
        making = nil
        self.label = label
        always = []
    }

    /// Makes sections of the values of one or several properties.
    ///
    /// - Parameters:
    ///   - keyPath: The properties: attributes, or numbers of members, also across to-one relationships.
    ///   - keys: The keys of sections that are always there, even if they hold nothing. Without `order` they come
    ///     first, in this order.
    ///   - key: Makes the key that the objects of a section share, from the values of the properties.
    ///   - title: Makes the name of a section from its key; by default it is the key as text.
    ///   - order: Makes what sections are sorted by from their keys, for example a number, a text or a date. By
    ///     default sections come in the order of their first objects.
    public init<each Value: AttributeValue, Key: Hashable & Sendable>(
        _ keyPath: repeat KeyPath<Object, each Value>, always keys: [Key] = [],
        key: @escaping @Sendable (repeat each Value) -> Key,
        title: (@Sendable (Key) -> String)? = nil,
        order: (@Sendable (Key) -> any AttributeValue)? = nil
    ) {
        let make: @Sendable (Key) -> SectionLabel = { key in
            var label = SectionLabel(SectionKey(key), name: title?(key))
            if let order { label.rank.value = order(key).datum }
            return label
        }
        let read: @Sendable ([Datum]) -> Key = { values in
            var values = values[...]
            return key(repeat (each Value).taken(from: &values))
        }
        var keyPaths: [PartialKeyPath<Object>] = []
        repeat keyPaths.append(each keyPath)
        self.keyPaths = keyPaths
        making = SectionMaking(key: { SectionKey(read($0)) }, label: { make(read($0)) })
        label = { object in make(key(repeat object[keyPath: each keyPath])) }
        var known: Set<SectionKey> = []
        always = keys.map(make).filter { known.insert($0.key).inserted }.enumerated().map {
            var label = $1
            label.rank.index = $0
            return label
        }
    }
}

/// Makes sections of the values of properties, as columns hold them.
struct SectionMaking: Sendable {
    let key: @Sendable ([Datum]) -> SectionKey
    /// The key with what is asked of it once, when the section is new.
    let label: @Sendable ([Datum]) -> SectionLabel
}

extension AttributeValue {
    /// Takes the first value off a row's, as the accessors of an object would give it.
    fileprivate static func taken(from values: inout ArraySlice<Datum>) -> Self {
        let value = values.popFirst() ?? .null
        return Self(
            stored: value.element(of: Stored.self) ?? .unset, isValid: value != .null)
    }
}

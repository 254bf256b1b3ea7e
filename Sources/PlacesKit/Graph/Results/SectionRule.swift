/// What makes the sections of a controller.
struct SectionRule<Object: ManagedObject> {
    /// The property whose value makes them, which may be compiled.
    let keyPath: PartialKeyPath<Object>?
    /// What an object says that its section is.
    let label: (Object) -> SectionLabel

    /// Sections of a property whose values are told apart as they are.
    init<Key: Hashable & Sendable>(_ keyPath: KeyPath<Object, Key>) {
        self.keyPath = keyPath
        label = { SectionLabel(SectionKey($0[keyPath: keyPath])) }
    }

    /// Sections of a property of any type.
    init(describing keyPath: PartialKeyPath<Object>) {
        self.keyPath = keyPath
        label = { SectionLabel(SectionKey(describing: $0[keyPath: keyPath])) }
    }

    /// Sections of what a closure gives.
    init<Key: Hashable & Sendable>(_ section: @escaping (Object) -> (key: Key, name: String)) {
        keyPath = nil
        label = { object in
            let (key, name) = section(object)
            return SectionLabel(SectionKey(key), name: name)
        }
    }
}

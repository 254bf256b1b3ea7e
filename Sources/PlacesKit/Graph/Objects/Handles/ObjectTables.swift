/// The tables of a context's classes, by the numbers of their entities, and shortcuts to those that are asked
/// for again and again.
///
/// - Invariant: What the shortcuts lead to are tables among these.
struct ObjectTables: RandomAccessCollection {
    private let tables: [ObjectTable]
    /// The table that was last inserted into: most likely the next one too.
    private var latest: Unmanaged<ObjectTable>?
    private var lookups = UniqueLookups()

    init(_ tables: [ObjectTable]) {
        self.tables = tables
        for table in tables where table.isRoot { table.connectHierarchy(to: tables) }
    }

    var startIndex: Int { 0 }

    var endIndex: Int { tables.count }

    subscript(number: Int) -> ObjectTable { tables[number] }

    /// The table of the class on top of the hierarchy in a graph's table.
    subscript(number: TableNumber) -> ObjectTable { tables[number] }

    /// The table of a class of the model for a new row; `nil` where it has no such class.
    mutating func table(
        insertedInto type: ManagedObject.Type, of model: ObjectModel
    ) -> Unmanaged<ObjectTable>? {
        if let latest, latest._withUnsafeGuaranteedRef({ $0.type == type }) { return latest }
        guard let number = model.number(of: type) else { return nil }
        latest = .passUnretained(tables[number])
        return latest
    }

    /// The unique attribute of a class of the model that a key path leads to.
    mutating func uniqueLookup(
        _ type: ManagedObject.Type, _ keyPath: AnyKeyPath, of model: @autoclosure () -> ObjectModel
    ) throws(ContextError) -> UniqueLookup {
        if let known = lookups[type, keyPath] { return known }
        guard let number = model().number(of: type) else {
            throw .unknownClass(String(describing: type))
        }
        let table = tables[number]
        let lookup = UniqueLookup(table, try table.uniqueSlot(of: keyPath))
        lookups.remember(type, keyPath, lookup)
        return lookup
    }
}

extension ObjectTables {
    /// What is wrong with the tables, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        let strayed = ([latest].compactMap(\.self) + lookups.tables).filter { shortcut in
            !tables.contains { $0 === shortcut.takeUnretainedValue() }
        }
        return strayed.map { _ in "a shortcut leads to a table of another context" }
            + tables.flatMap(\.brokenInvariants)
    }
}

import PlacesBase

/// The ordered, sectioned identifiers of a query's results at one moment.
///
/// A snapshot of a results controller shares its ordered trees with earlier and later snapshots. So
/// taking one costs nothing, and reading a position takes O(log n). It has what a diffable list
/// needs: the keys of the sections and the identifiers of their items, in order.
///
/// - Without a section key path there is exactly one section, named `""`, even if it is empty.
/// - With a section key path no section is empty, and empty results have no sections; a
///   ``SectionRule`` may have sections that are always there.
/// - An identifier occurs only once.
///
/// ```swift
/// let photos = ResultsSnapshot(sections: [
///     (name: "Paris", identifiers: ["Louvre", "Orsay"]),
///     (name: "Rome", identifiers: ["Forum"]),
/// ])
/// photos.identifier(at: ItemPosition(section: 1, item: 0))  // "Forum"
/// ```
public struct ResultsSnapshot<Identifier: Hashable & Sendable>: Sendable {
    /// Consecutive items that share a key.
    public struct Section: Hashable, Sendable {
        /// The value that the items of the section share; no other section has it.
        public let key: SectionKey

        /// The name of the section.
        public let name: String

        /// The range of the section in the flat list of identifiers.
        public let range: Range<Int>

        init(_ label: SectionLabel, range: Range<Int>) {
            (key, name) = (label.key, label.name)
            self.range = range
        }

        var label: SectionLabel { SectionLabel(key, name: name) }
    }

    /// All identifiers, from the first item of the first section to the last of the last.
    public struct Identifiers: RandomAccessCollection, Sendable {
        fileprivate let storage: any ResultsStorage<Identifier>

        /// The index of the first identifier: zero.
        public var startIndex: Int { 0 }

        /// The number of identifiers.
        public var endIndex: Int { storage.count }

        /// The identifier at an index.
        public subscript(index: Int) -> Identifier {
            if !indices.contains(index) {
                mistake("Results of \(endIndex.counted("item")) have none at \(index).")
            }
            return storage.identifier(at: index)
        }

        /// Makes an iterator over the identifiers.
        ///
        /// - Complexity: O(n) for all of them.
        public func makeIterator() -> IndexingIterator<[Identifier]> {
            storage.listed.identifiers.makeIterator()
        }
    }

    /// The sections in their order.
    public struct Sections: RandomAccessCollection, Sendable {
        fileprivate let storage: any ResultsStorage<Identifier>

        /// The index of the first section: zero.
        public var startIndex: Int { 0 }

        /// The number of sections.
        public var endIndex: Int { storage.sectionCount }

        /// The section at an index.
        public subscript(index: Int) -> Section {
            if !indices.contains(index) {
                mistake("Results of \(endIndex.counted("section")) have none at \(index).")
            }
            return storage.section(at: index)
        }
    }

    let storage: any ResultsStorage<Identifier>

    /// Results that are read from a storage.
    init(_ storage: some ResultsStorage<Identifier>) { self.storage = storage }

    /// Creates results without a section key path: one section named `""`.
    public init(_ identifiers: [Identifier]) {
        self.init(
            ListedResults(
                identifiers: identifiers,
                sections: [Section(.none, range: 0..<identifiers.count)]))
    }

    /// Creates results in sections that are identified by their names; empty ones are left out.
    ///
    /// The section named `""` has the objects without a value.
    public init(sections: [(name: String, identifiers: [Identifier])]) {
        self.init(
            exactly: sections.filter { !$0.identifiers.isEmpty }.map { name, identifiers in
                (SectionLabel(named: name), identifiers)
            })
    }

    /// Creates results with just these sections, empty ones included.
    init(exactly groups: [(label: SectionLabel, identifiers: [Identifier])]) {
        var identifiers: [Identifier] = []
        var sections: [Section] = []
        for group in groups {
            let start = identifiers.count
            identifiers += group.identifiers
            sections.append(Section(group.label, range: start..<identifiers.count))
        }
        self.init(ListedResults(identifiers: identifiers, sections: sections))
    }

    /// All identifiers from the first item of the first section to the last of the last.
    public var identifiers: Identifiers { Identifiers(storage: storage) }

    /// The sections in their order.
    public var sections: Sections { Sections(storage: storage) }

    /// The keys of the sections in their order; no key occurs twice.
    ///
    /// - Complexity: O(s) for s sections.
    public var sectionIdentifiers: [SectionKey] { sections.map(\.key) }

    /// Returns the identifiers of a section, whose index must be valid.
    public func identifiers(inSection section: Int) -> Slice<Identifiers> {
        identifiers[sections[section].range]
    }

    /// Returns the identifier at a position, or nil if the results have no such position.
    public func identifier(at position: ItemPosition) -> Identifier? {
        index(of: position).map(storage.identifier)
    }

    /// Returns the position of an item, or nil if it is not among the results.
    ///
    /// - Complexity: O(log n) in the results of a controller whose request was compiled, else O(n).
    public func position(of identifier: Identifier) -> ItemPosition? {
        storage.position(of: identifier)
    }

    /// Returns the flat index of a position, or nil if the results have no such position.
    public func index(of position: ItemPosition) -> Int? {
        guard (0..<storage.sectionCount).contains(position.section) else { return nil }
        let range = storage.section(at: position.section).range
        guard (0..<range.count).contains(position.item) else { return nil }
        return range.lowerBound + position.item
    }

    /// Returns the position of a flat index, or nil if the results have no such index.
    public func position(at index: Int) -> ItemPosition? {
        guard (0..<storage.count).contains(index), storage.sectionCount > 0 else { return nil }
        let section = storage.section(covering: index)
        return ItemPosition(
            section: section, item: index - storage.section(at: section).range.lowerBound)
    }

    /// Computes the difference from earlier results to these, with the fewest moves.
    ///
    /// The difference reports the touched items: those that are new as inserts, those that are
    /// missing as deletes, the others as moves or updates. It moves as few items as possible while
    /// all untouched items stay where they are.
    ///
    /// An untouched item must keep its section and its order among the untouched items. If it does
    /// not, the difference also moves the fewest items that explain it.
    ///
    /// - Parameters:
    ///   - before: The earlier results.
    ///   - touched: The items that were inserted, deleted or updated, or may have moved.
    /// - Returns: The difference; ``applying(_:)`` with it turns `before` into these results.
    /// - Complexity: O(*n* + *s* log *s* + *k* log *k*) for *n* items, *s* sections and *k* touched
    ///   items; O(*n* log *n*) if untouched items moved.
    public func difference(
        from before: Self, touched: Set<Identifier>
    ) -> ResultsDifference<Identifier> {
        storage.listed.difference(
            from: before.storage.listed,
            touched: Dictionary(uniqueKeysWithValues: touched.map { ($0, []) }))
    }
}

extension ResultsSnapshot: Hashable {
    /// Whether two results have the same items in the same sections.
    ///
    /// - Complexity: O(n).
    public static func == (left: Self, right: Self) -> Bool {
        let (left, right) = (left.storage.listed, right.storage.listed)
        return left.identifiers == right.identifiers && left.sections == right.sections
    }

    /// Hashes the items.
    public func hash(into hasher: inout Hasher) { hasher.combine(storage.listed.identifiers) }
}

extension ResultsSnapshot: CustomStringConvertible {
    /// The sections with their items.
    public var description: String {
        storage.listed.sections.map { section in
            "\(section.name): \(Array(storage.listed.identifiers[section.range]))"
        }.joined(separator: "; ")
    }
}

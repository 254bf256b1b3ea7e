/// The ordered, sectioned identifiers of a query's results at one moment.
///
/// The identifiers lie in one flat array, and a section is a name with a range of it. So a copy
/// costs nothing, and the flat list and the sections are two views of the same storage.
///
/// - Without a section key path there is exactly one section, named `""`, also when it is empty.
/// - With one, no section is empty, and empty results have no sections.
/// - An identifier occurs once.
///
/// ```swift
/// let photos = ResultsSnapshot(sections: [
///     (name: "Paris", identifiers: ["Louvre", "Orsay"]),
///     (name: "Rome", identifiers: ["Forum"]),
/// ])
/// photos.identifier(at: ItemPosition(section: 1, item: 0))  // "Forum"
/// ```
public struct ResultsSnapshot<Identifier: Hashable & Sendable>: Hashable, Sendable {
    /// A named run of neighbouring items.
    public struct Section: Hashable, Sendable {
        /// What the items of the section have in common.
        public let name: String

        /// Where the section lies in the flat list of identifiers.
        public let range: Range<Int>

        /// The number of items in the section.
        public var numberOfItems: Int { range.count }
    }

    /// All identifiers from the first item of the first section to the last of the last.
    public let identifiers: [Identifier]

    /// The sections in their order.
    public let sections: [Section]

    /// Creates results without a section key path: one section named `""`.
    public init(_ identifiers: [Identifier]) {
        self.identifiers = identifiers
        sections = [Section(name: "", range: 0..<identifiers.count)]
    }

    /// Creates results with a section key path from their sections; empty ones are left out.
    public init(sections: [(name: String, identifiers: [Identifier])]) {
        self.init(exactly: sections.filter { !$0.identifiers.isEmpty })
    }

    /// Creates results with a section key path, where neighbours with equal names form a section.
    init<Failure: Error>(
        _ identifiers: [Identifier], sectionName: (Identifier) throws(Failure) -> String
    ) throws(Failure) {
        var sections: [Section] = []
        var start = 0
        var current: String?
        for index in identifiers.indices {
            let name = try sectionName(identifiers[index])
            guard name != current else { continue }
            if let current { sections.append(Section(name: current, range: start..<index)) }
            (current, start) = (name, index)
        }
        if let current {
            sections.append(Section(name: current, range: start..<identifiers.count))
        }
        self.identifiers = identifiers
        self.sections = sections
    }

    /// Creates results with just these sections, empty ones included.
    init(exactly groups: [(name: String, identifiers: [Identifier])]) {
        var identifiers: [Identifier] = []
        var sections: [Section] = []
        for group in groups {
            let start = identifiers.count
            identifiers += group.identifiers
            sections.append(Section(name: group.name, range: start..<identifiers.count))
        }
        self.identifiers = identifiers
        self.sections = sections
    }
}

extension ResultsSnapshot {
    /// The number of items in all sections together.
    public var numberOfItems: Int { identifiers.count }

    /// Returns the identifiers of a section, whose index must be valid.
    public func identifiers(inSection section: Int) -> ArraySlice<Identifier> {
        identifiers[sections[section].range]
    }

    /// Returns the identifier at a position, or nil if the results have no such position.
    public func identifier(at position: ItemPosition) -> Identifier? {
        index(of: position).map { identifiers[$0] }
    }

    /// Returns the flat index of a position, or nil if the results have no such position.
    public func index(of position: ItemPosition) -> Int? {
        guard sections.indices.contains(position.section) else { return nil }
        let range = sections[position.section].range
        guard (0..<range.count).contains(position.item) else { return nil }
        return range.lowerBound + position.item
    }

    /// Returns the position of a flat index, or nil if the results have no such index.
    ///
    /// - Complexity: O(log *s*) for *s* sections.
    public func position(at index: Int) -> ItemPosition? {
        guard identifiers.indices.contains(index) else { return nil }
        var (low, high) = (0, sections.count - 1)
        while low < high {
            let middle = (low + high) / 2
            if sections[middle].range.upperBound <= index {
                low = middle + 1
            } else {
                high = middle
            }
        }
        return ItemPosition(section: low, item: index - sections[low].range.lowerBound)
    }
}

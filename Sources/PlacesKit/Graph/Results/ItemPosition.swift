/// The position of an item in sectioned results: its section, and its index inside that section.
///
/// It is like `IndexPath` in a table view, but needs neither UIKit nor AppKit. Positions compare in
/// reading order: by section first, then by item.
public struct ItemPosition: Hashable, Comparable, Sendable {
    /// The index of the section among the sections.
    public let section: Int

    /// The index of the item inside its section.
    public let item: Int

    /// Creates the position of an item inside a section.
    public init(section: Int, item: Int) {
        self.section = section
        self.item = item
    }

    /// Tells whether one position comes before another when the list is read from its top.
    public static func < (left: Self, right: Self) -> Bool {
        (left.section, left.item) < (right.section, right.item)
    }
}

extension ItemPosition: CustomStringConvertible {
    /// The position as `[section, item]`.
    public var description: String { "[\(section), \(item)]" }
}

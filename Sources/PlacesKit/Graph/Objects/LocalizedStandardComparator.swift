public import Foundation

// On Apple's platforms Foundation itself has `String.StandardComparator.localizedStandard`.
#if !canImport(Darwin)
    /// The order in which the Finder shows names, for platforms whose Foundation lacks it.
    ///
    /// ```swift
    /// SortDescriptor(\Photo.title, comparator: .localizedStandard)
    /// ```
    public struct LocalizedStandardComparator: Sendable {
        /// Localized, with numbers by value, and case compared last: "photo 9" before "Photo 10".
        public static let localizedStandard = LocalizedStandardComparator()
    }

    extension SortDescriptor {
        /// Sorts by text as the Finder does.
        ///
        /// - Parameters:
        ///   - keyPath: The text to sort by.
        ///   - comparator: `.localizedStandard`.
        ///   - order: Ascending or descending.
        public init(
            _ keyPath: any KeyPath<Compared, String> & Sendable,
            comparator: LocalizedStandardComparator, order: SortOrder = .forward
        ) {
            self.init(keyPath.appendingSendable(\.localizedStandardText), order: order)
        }

        /// Sorts by text as the Finder does, with `nil` before all text.
        ///
        /// - Parameters:
        ///   - keyPath: The text to sort by.
        ///   - comparator: `.localizedStandard`.
        ///   - order: Ascending or descending.
        public init(
            _ keyPath: any KeyPath<Compared, String?> & Sendable,
            comparator: LocalizedStandardComparator, order: SortOrder = .forward
        ) {
            self.init(keyPath.appendingSendable(\.localizedStandardText), order: order)
        }
    }
#endif

/// Text that compares as the Finder does.
struct LocalizedStandardText: Comparable, Sendable {
    let text: String

    static func == (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
        left.text.localizedStandardCompare(right.text) == .orderedSame
    }

    static func < (left: LocalizedStandardText, right: LocalizedStandardText) -> Bool {
        left.text.localizedStandardCompare(right.text) == .orderedAscending
    }
}

extension LocalizedStandardText: OrderedAsStored {
    /// Whether a key path ends in such text, or in what may be.
    static func isValue(of keyPath: AnyKeyPath) -> Bool {
        let type = type(of: keyPath).valueType
        return type == LocalizedStandardText.self || type == LocalizedStandardText?.self
    }
}

extension String {
    /// The text as a value that compares as the Finder does.
    fileprivate var localizedStandardText: LocalizedStandardText {
        LocalizedStandardText(text: self)
    }
}

extension String? {
    /// The text as a value that compares as the Finder does.
    fileprivate var localizedStandardText: LocalizedStandardText? {
        map(LocalizedStandardText.init)
    }
}

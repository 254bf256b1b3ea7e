// On Apple's platforms Foundation itself has `String.StandardComparator.localizedStandard`.
#if !canImport(Darwin)
    public import Foundation

    /// The order in which the Finder shows names, for platforms whose Foundation lacks it.
    ///
    /// ```swift
    /// SortDescriptor(\Photo.title, comparator: .localizedStandard)
    /// ```
    public struct LocalizedStandardComparator: SortComparator {
        /// Ascending or descending.
        public var order: SortOrder = .forward

        /// How two texts compare: localized, with numbers by value, and case compared last.
        public func compare(_ left: String, _ right: String) -> ComparisonResult {
            comparePrepared(left.composed, right.composed)
        }
    }

    extension LocalizedStandardComparator: PreparingComparator {
        func prepared(_ text: String) -> String { text.composed }

        func comparePrepared(_ left: String, _ right: String) -> ComparisonResult {
            let result = left.localizedStandardCompare(right)
            return order == .forward ? result : result.reversed
        }
    }

    extension SortComparator where Self == LocalizedStandardComparator {
        /// Localized, with numbers by value, and case compared last: "photo 9" before "Photo 10".
        public static var localizedStandard: LocalizedStandardComparator {
            LocalizedStandardComparator()
        }
    }
#endif

#if !canImport(Darwin)
    public import Foundation

    // NB: What Foundation's predicates have on Apple's platforms only, built of what they have
    // everywhere: an expression of any other type stops the program when a predicate is printed.
    @_documentation(visibility: internal)
    extension PredicateExpressions {
        /// Tells whether text contains other text, ignoring case and accents.
        public static func build_localizedStandardContains<Root, Other>(
            _ root: Root, _ other: Other
        ) -> some StandardPredicateExpression<Bool>
        where
            Root: StandardPredicateExpression, Root.Output: StringProtocol,
            Other: StandardPredicateExpression, Other.Output: StringProtocol
        {
            // Nothing is found nowhere. The text comes first: where it has no value, the search has none,
            // whatever is looked for.
            build_Conjunction(
                lhs: build_contains(
                    build_KeyPath(root: root, keyPath: \.searched),
                    build_KeyPath(root: other, keyPath: \.searched)),
                rhs: build_Negation(build_KeyPath(root: other, keyPath: \.isEmpty)))
        }

        /// Compares two texts, ignoring case.
        public static func build_caseInsensitiveCompare<Root, Other>(
            _ root: Root, _ other: Other
        ) -> some StandardPredicateExpression<ComparisonResult>
        where
            Root: StandardPredicateExpression, Root.Output: StringProtocol,
            Other: StandardPredicateExpression, Other.Output: StringProtocol
        {
            order(
                build_KeyPath(root: root, keyPath: \.caseless),
                build_KeyPath(root: other, keyPath: \.caseless))
        }

        /// Compares two texts in the order of the current locale.
        public static func build_localizedCompare<Root, Other>(
            _ root: Root, _ other: Other
        ) -> some StandardPredicateExpression<ComparisonResult>
        where
            Root: StandardPredicateExpression, Root.Output: StringProtocol,
            Other: StandardPredicateExpression, Other.Output: StringProtocol
        {
            order(
                build_KeyPath(root: root, keyPath: \.localized),
                build_KeyPath(root: other, keyPath: \.localized))
        }

        /// The order of two values, as a result of their comparisons.
        private static func order<Left, Right>(
            _ left: Left, _ right: Right
        ) -> some StandardPredicateExpression<ComparisonResult>
        where
            Left: StandardPredicateExpression, Right: StandardPredicateExpression<Left.Output>,
            Left.Output: Comparable
        {
            build_Conditional(
                build_Equal(lhs: left, rhs: right), build_Arg(ComparisonResult.orderedSame),
                build_Conditional(
                    build_Comparison(lhs: left, rhs: right, op: .lessThan),
                    build_Arg(ComparisonResult.orderedAscending),
                    build_Arg(ComparisonResult.orderedDescending)))
        }
    }

    /// Text, composed, in the order of the current locale.
    struct LocalizedText: Comparable {
        let text: String

        static func == (left: Self, right: Self) -> Bool {
            left.text.localizedCompare(right.text) == .orderedSame
        }

        static func < (left: Self, right: Self) -> Bool {
            left.text.localizedCompare(right.text) == .orderedAscending
        }
    }

    extension StringProtocol {
        var localized: LocalizedText { LocalizedText(text: String(self).composed) }
    }

    extension String {
        /// The text by which equal texts are told from others: Foundation takes `é` as one character and as two for
        /// different.
        var composed: String {
            utf8.allSatisfy { $0 < 0x80 } ? self : precomposedStringWithCanonicalMapping
        }
    }
#endif

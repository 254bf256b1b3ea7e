/// Text in which some differences do not show, for the predicates that compare it.
///
/// Predicates reach it through a key path, which the compiler knows and every predicate can print.
protocol FoldedText: BidirectionalCollection<Character>, Comparable, StoredAsText, OrderedAsStored {
    static var folding: TextFolding { get }
    var folded: String { get }
}

extension FoldedText {
    var startIndex: String.Index { folded.startIndex }
    var endIndex: String.Index { folded.endIndex }
    func index(after index: String.Index) -> String.Index { folded.index(after: index) }
    func index(before index: String.Index) -> String.Index { folded.index(before: index) }
    subscript(index: String.Index) -> Character { folded[index] }

    static func < (left: Self, right: Self) -> Bool {
        left.folded.canonicalOrder(to: right.folded) < 0
    }
}

/// Text in which neither case nor accents show.
struct SearchedText: FoldedText {
    static let folding: TextFolding = [.caseInsensitive, .diacriticInsensitive]
    let folded: String
}

/// Text in which case does not show.
struct CaselessText: FoldedText {
    static let folding = TextFolding.caseInsensitive
    let folded: String
}

extension StringProtocol {
    var searched: SearchedText { SearchedText(folded: SearchedText.folding.fold(String(self))) }
    var caseless: CaselessText { CaselessText(folded: CaselessText.folding.fold(String(self))) }
}

extension String {
    /// The key paths that ask whether text is empty: that of the type, and that of its protocol.
    static var isEmptyKeyPaths: [AnyKeyPath] { [\String.isEmpty, generic(String.self)] }

    private static func generic<Text: StringProtocol>(_ type: Text.Type) -> AnyKeyPath {
        \Text.isEmpty
    }
}

extension SectionRule {
    /// Sections by the first letters of a text, in the order of an index.
    ///
    /// ```swift
    /// try results.setRequest(results.request, sectionBy: .firstLetters(of: \.title, keepsEmpty: true))
    /// ```
    /// - Parameters:
    ///   - keyPath: The text.
    ///   - index: The index, whose titles are the keys and the names of the sections.
    ///   - keepsEmpty: Whether the letters of the language have sections even if no text begins with them.
    /// - Returns: The rule.
    public static func firstLetters(
        of keyPath: KeyPath<Object, String>, in index: LocalizedIndex = LocalizedIndex(),
        keepsEmpty: Bool = false
    ) -> SectionRule {
        SectionRule(
            keyPath, always: keepsEmpty ? index.titles : [], key: { index.title(of: $0) },
            order: { index.order(of: $0) })
    }

    /// Sections by the first letters of a text that may be missing, in the order of an index.
    ///
    /// - Parameters:
    ///   - keyPath: The text; objects without it are in `#`.
    ///   - index: The index, whose titles are the keys and the names of the sections.
    ///   - keepsEmpty: Whether the letters of the language have sections even if no text begins with them.
    /// - Returns: The rule.
    public static func firstLetters(
        of keyPath: KeyPath<Object, String?>, in index: LocalizedIndex = LocalizedIndex(),
        keepsEmpty: Bool = false
    ) -> SectionRule {
        SectionRule(
            keyPath, always: keepsEmpty ? index.titles : [], key: { index.title(of: $0) },
            order: { index.order(of: $0) })
    }
}

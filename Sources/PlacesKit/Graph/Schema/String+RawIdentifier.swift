extension String {
    /// The text of an identifier as the program has it: Swift's reflection writes raw ones in backticks, with no-break
    /// spaces, and they can have neither themselves.
    var asIdentifier: String {
        String(
            UnicodeScalarView(
                unicodeScalars.lazy.filter { $0 != "`" }.map { $0 == "\u{a0}" ? " " : $0 }))
    }
}

extension String {
    /// The text without the backticks in which Swift writes raw identifiers, which can have none themselves.
    var withoutBackticks: String {
        String(UnicodeScalarView(unicodeScalars.filter { $0 != "`" }))
    }
}

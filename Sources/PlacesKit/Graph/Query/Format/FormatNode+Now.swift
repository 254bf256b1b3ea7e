extension FormatNode {
    /// Whether the part asks for the present time.
    var asksForNow: Bool {
        if case .now = kind { return true }
        return children.contains(where: \.asksForNow)
    }
}

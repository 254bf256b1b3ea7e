/// Finds what a person means by a number of a list or by the beginning of a name.
public enum Choosing {
    /// The element of a number, counted from 1, or the first whose name begins so.
    ///
    /// - Throws: What the user should read.
    public static func element<Elements: Collection>(
        _ text: String, of elements: Elements, called kind: String,
        name: (Elements.Element) -> String
    ) throws -> Elements.Element {
        if let number = Int(text), number > 0, number <= elements.count {
            return elements[elements.index(elements.startIndex, offsetBy: number - 1)]
        }
        let wanted = text.lowercased()
        if let found = elements.first(where: { name($0).lowercased().hasPrefix(wanted) }) {
            return found
        }
        guard !elements.isEmpty else { throw Problem("There is no \(kind) yet.") }
        throw Problem(
            "There is no \(kind) “\(text)” among \(elements.count). "
                + "Give a number of the list, or the beginning of a name.")
    }
}

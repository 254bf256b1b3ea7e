/// Finds what a person means by a number of a list or by the beginning of a name.
public enum Choosing {
    /// The element of a number, counted from 1, or of a name that is given whole, as its first part, or by a
    /// beginning that no other has.
    ///
    /// A number beyond the list is a slip, and not the beginning of a name as “11, 2”: what it is taken for may
    /// be deleted.
    ///
    /// - Throws: What the user should read.
    public static func element<Elements: Collection>(
        _ text: String, of elements: Elements, called kind: String,
        name: (Elements.Element) -> String
    ) throws -> Elements.Element {
        guard !text.isEmpty else { throw Problem("Give the number or the name of a \(kind).") }
        guard !elements.isEmpty else { throw Problem("There is no \(kind) yet.") }
        if let number = Int(text), number > 0, number <= elements.count {
            return elements[elements.index(elements.startIndex, offsetBy: number - 1)]
        }
        let wanted = text.lowercased()
        guard text.wholeMatch(of: /[+-]?[0-9]+/) == nil else {
            let found = elements.filter { name($0).lowercased() == wanted }
            if found.count == 1 { return found[0] }
            guard found.isEmpty else {
                throw Problem(
                    "“\(text)” is the name of \(found.count). Give the number in the list.")
            }
            throw Problem(
                "There is no \(kind) “\(text)” among \(elements.count). "
                    + "Give a number from 1 to \(elements.count), or more of a name.")
        }
        let found = elements.filter { name($0).lowercased().hasPrefix(wanted) }
        let whole = found.filter {
            let name = name($0).lowercased()
            return name == wanted || name.hasPrefix(wanted + ",")
        }
        switch (whole.count, found.count) {
        case (1, _): return whole[0]
        case (0, 1): return found[0]
        case (0, 0):
            throw Problem(
                "There is no \(kind) “\(text)” among \(elements.count). "
                    + "Give a number of the list, or the beginning of a name.")
        default:
            throw Problem(
                "“\(text)” is the beginning of \(found.count) names. "
                    + "Give more of it, or the number in the list.")
        }
    }
}

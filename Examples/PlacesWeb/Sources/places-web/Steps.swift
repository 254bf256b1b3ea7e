/// The last step of an address within a system: each element has its number, as in `places/17/photos/4`.
enum Steps {
    /// One of a list: what the list is called, and the number.
    case element(String, String)
    /// A list beside the first one.
    case named(String)

    /// The last step; `nil` for the first list of the system.
    init?(_ path: [String]) {
        guard let last = path.last else { return nil }
        if last.utf8.allSatisfy({ (48...57).contains($0) }), path.count > 1 {
            self = .element(path[path.count - 2], last)
        } else {
            self = .named(last)
        }
    }
}

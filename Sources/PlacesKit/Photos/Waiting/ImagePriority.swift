/// How soon a picture is wanted.
public enum ImagePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// At some time, when nothing else has to be fetched.
    case idle
    /// Soon, since the user may see it next.
    case prefetch
    /// Now, since the user sees the place where it belongs.
    case visible

    /// Compares by urgency.
    public static func < (lhs: ImagePriority, rhs: ImagePriority) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

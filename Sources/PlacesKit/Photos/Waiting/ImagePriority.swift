/// How soon a picture is wanted.
public enum ImagePriority: Int, Sendable, Hashable, Comparable, CaseIterable {
    /// Some time, when nothing else is to be fetched.
    case idle
    /// Soon, as the user is heading there.
    case prefetch
    /// Now, as the user is looking at its place.
    case visible

    /// Orders by urgency.
    public static func < (lhs: ImagePriority, rhs: ImagePriority) -> Bool {
        lhs.rawValue < rhs.rawValue
    }
}

/// Tells a file from all others, and from itself before a change.
package struct FileVersion: Hashable, Sendable {
    package let identity: FileIdentity
    package let size: Int
    /// When the file was last changed, in whole seconds since 1970 and nanoseconds.
    package let seconds: Int
    package let nanoseconds: Int

    init(_ status: PlatformStatus) {
        identity = status.identity
        size = status.size
        (seconds, nanoseconds) = (status.seconds, status.nanoseconds)
    }
}

/// How many bytes a source takes of a reply, counted after decompression.
///
/// Beyond it calls throw ``PhotoSourceError/tooLarge(limit:)``.
public struct ReplyLimits: Hashable, Sendable {
    /// The longest list or description; 64 MB unless set.
    public var reply: Int
    /// The longest picture; 32 MB unless set.
    public var picture: Int

    /// Creates limits.
    public init(reply: Int = 64_000_000, picture: Int = 32_000_000) {
        self.reply = reply
        self.picture = picture
    }
}

/// How many bytes of a reply a source accepts, after decompression.
///
/// If a reply is longer, the call throws ``PhotoSourceError/tooLarge(limit:)``.
public struct ReplyLimits: Hashable, Sendable {
    /// The longest list or description; 64 MB by default.
    public var reply: Int
    /// The longest picture; 32 MB by default.
    public var picture: Int

    /// Creates limits.
    public init(reply: Int = 64_000_000, picture: Int = 32_000_000) {
        self.reply = reply
        self.picture = picture
    }
}

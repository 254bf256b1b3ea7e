extension KeyPath {
    /// This key path with another at its end, both of which are safe to share.
    ///
    /// NB: The standard library does not say that two such key paths make a third. Whether one is
    /// safe to share is no part of its representation.
    func appendingSendable<Result>(
        _ path: any KeyPath<Value, Result> & Sendable
    ) -> any KeyPath<Root, Result> & Sendable {
        unsafeBitCast(appending(path: path), to: (any KeyPath<Root, Result> & Sendable).self)
    }
}

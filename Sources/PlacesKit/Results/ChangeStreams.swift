/// The sequences of those who listen to live results, which end with these.
final class ChangeStreams<Element> {
    private var continuations: [Int: AsyncStream<Element>.Continuation] = [:]
    private var next = 0

    deinit {
        for continuation in continuations.values { continuation.finish() }
    }

    /// A sequence of the elements from now on: of all, or of as many as may wait.
    func make(
        _ policy: AsyncStream<Element>.Continuation.BufferingPolicy = .unbounded
    ) -> AsyncStream<Element> {
        let (stream, continuation) = AsyncStream<Element>.makeStream(bufferingPolicy: policy)
        continuations[next] = continuation
        next += 1
        return stream
    }

    /// Gives an element to everybody who still listens.
    func yield(_ element: sending @autoclosure () -> Element) {
        for (number, continuation) in continuations {
            if case .terminated = continuation.yield(element()) { continuations[number] = nil }
        }
    }
}

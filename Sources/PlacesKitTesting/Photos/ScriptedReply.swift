/// What a scripted call does when its turn comes.
public enum ScriptedReply<Value: Sendable>: Sendable {
    /// Returns a value.
    case value(Value)
    /// Throws an error.
    case failure(any Error)
    /// Runs code, which may wait until the test lets it continue.
    case run(@Sendable () async throws -> Value)

    /// What the call returns or throws.
    ///
    /// A call that took its reply has it, even if its task is cancelled since: whether it does is decided once, so that no
    /// reply is lost.
    func resolve() async throws -> Value {
        switch self {
        case .value(let value): return value
        case .failure(let error): throw error
        case .run(let body): return try await body()
        }
    }
}

/// The replies to the calls of one kind, in order; the last one serves all further calls until another is added.
struct Script<Value: Sendable>: Sendable {
    private var replies: [ScriptedReply<Value>] = []
    /// Whether the only reply that is left has served a call.
    private var isLastGiven = false

    mutating func append(_ reply: ScriptedReply<Value>) {
        if isLastGiven { replies.removeAll() }
        isLastGiven = false
        replies.append(reply)
    }

    mutating func next() -> ScriptedReply<Value>? {
        guard replies.count == 1 else { return replies.isEmpty ? nil : replies.removeFirst() }
        isLastGiven = true
        return replies.first
    }
}

import Foundation
public import PlacesGraph

extension MemorySharedLog {
    /// A member's connection to a log, which can be cut.
    public final class Connection: SharedLog {
        /// The log that it leads to.
        public let log: MemorySharedLog
        private let id: Int

        init(to log: MemorySharedLog, _ id: Int) { (self.log, self.id) = (log, id) }

        /// Whether requests reach the log, and notices the member.
        package var isReachable: Bool { log.update { $0.isReachable(id) } }

        /// Lets no request reach the log, and no notice the member.
        ///
        /// What the log took before has its effect, if also late.
        public func cut() { log.update { $0.cut(id) } }

        /// Lets requests and notices pass again, and tells that there may be new commits.
        public func heal() { log.update { $0.heal(id) } }

        /// Ends all ``arrivals()`` of this connection, as a log does that can't tell of commits any more.
        public func endArrivals() {
            for calls in log.update({ $0.listeners(of: id) }) { calls.finish() }
        }

        /// Gives out the next number, but for faults.
        public func claimRange() async throws -> Int {
            try log.update { $0.take(.claim, from: id) { state, _ in state.claimRange() } }.get()
        }

        /// Adds commits, but for faults.
        public func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
            commits.checkNumbers(after: number)
            while true {
                let bytes = try await missingBytes(of: commits.flatMap(\.values))
                let isAdded = try log.update { state in
                    state.take(.append, from: id) { $0.append(commits, after: number, bytes, $1) }
                }.get()
                if let isAdded { return isAdded }
            }
        }

        /// The bytes of the values that the log does not have.
        private func missingBytes(of values: [SharedValue]) async throws -> [String: Data] {
            let known = log.update(\.values)
            var bytes: [String: Data] = [:]
            for value in values where known[value.digest] == nil && bytes[value.digest] == nil {
                bytes[value.digest] = try await value.bytes()
            }
            return bytes
        }

        /// The bytes of a value, but for faults.
        @Sendable private func bytes(of digest: String) async throws -> Data {
            let bytes = try log.update { state in
                state.take(.read, from: id) { state, _ in state.values[digest] }
            }.get()
            guard let bytes else { throw Failure.valueForgotten }
            return bytes
        }

        /// All commits after a number, but for faults.
        public func commits(after number: Int) async throws -> [SharedCommit] {
            try log.update { state in
                state.take(.read, from: id) { state, faults in
                    let limits = faults.compactMap { fault in
                        if case .part(let count) = fault { max(1, count) } else { nil }
                    }
                    return Array(state.commits(after: number).prefix(limits.min() ?? .max))
                }
            }.get().map { $0.fetching(bytes) }
        }

        /// The base that was kept last, but for faults.
        public func base(after number: Int) async throws -> SharedBase? {
            let base = try log.update { state in
                state.take(.read, from: id) { state, _ in state.base(after: number) }
            }.get()
            return base?.fetching(bytes)
        }

        /// Keeps a base, but for faults.
        ///
        /// How old commits are, ``MemorySharedLog/advance(by:)`` decides.
        public func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
            let content = try await base.content()
            while true {
                let bytes = try await missingBytes(of: base.values)
                let isDone = try log.update { state in
                    state.take(.keep, from: id) { state, _ in
                        state.keep(content, of: base, bytes, forgettingAfter: age)
                    }
                }.get()
                if isDone { return }
            }
        }

        /// Tells of commits until nobody listens any more, but for faults.
        public func arrivals() -> AsyncStream<Int?> {
            AsyncStream { calls in
                let listener = log.update { $0.listen(id, calls) }
                calls.onTermination = { [log] _ in log.update { $0.stopListening(listener) } }
            }
        }
    }
}

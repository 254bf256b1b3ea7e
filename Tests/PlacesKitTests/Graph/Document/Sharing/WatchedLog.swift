import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization

/// A way to a log that counts how often the bytes of values pass, can spoil them, and shows what a test wants.
final class WatchedLog: SharedLog {
    private let log: any SharedLog
    private let sent = Atomic(0)
    private let received = Atomic(0)
    private let isSpoiling = Atomic(false)
    private let failing = Atomic(0)
    private let refusing = Atomic(0)
    /// Runs when the log has added commits, before that is known.
    private let onAppend: @Sendable () async throws -> Void
    /// The number of the last commit that it shows.
    private let limit: Int
    /// Whether it tells of commits that come.
    private let isTelling: Bool

    init(
        _ log: any SharedLog, showingUpTo limit: Int = .max, isTelling: Bool = true,
        onAppend: @escaping @Sendable () async throws -> Void = {}
    ) {
        (self.log, self.limit, self.isTelling, self.onAppend) = (log, limit, isTelling, onAppend)
    }

    /// How often the log has asked for bytes.
    var sentCount: Int { sent.load(ordering: .sequentiallyConsistent) }
    /// How often the log was asked for bytes.
    var receivedCount: Int { received.load(ordering: .sequentiallyConsistent) }

    /// Lets the log give other bytes than it was given, or the right ones again.
    func spoil(_ isSpoiling: Bool) {
        self.isSpoiling.store(isSpoiling, ordering: .sequentiallyConsistent)
    }

    /// Lets one attempt to have bytes fail, the one after some others.
    func fail(after count: Int) {
        failing.store(receivedCount + count + 1, ordering: .sequentiallyConsistent)
    }

    /// Lets the log say of some batches that others were first, of whom it knows nothing afterwards.
    func refuse(_ count: Int) { refusing.store(count, ordering: .sequentiallyConsistent) }

    private func going(_ value: SharedValue) -> SharedValue {
        value.fetching { [self] _ in
            sent.add(1, ordering: .sequentiallyConsistent)
            return try await value.bytes()
        }
    }

    private func coming(_ value: SharedValue) -> SharedValue {
        value.fetching { [self] _ in
            let number = received.add(1, ordering: .sequentiallyConsistent).newValue
            if number == failing.load(ordering: .sequentiallyConsistent) {
                throw MemorySharedLog.Failure.noAnswer
            }
            let bytes = try await value.bytes()
            return isSpoiling.load(ordering: .sequentiallyConsistent)
                ? Data(bytes.reversed()) : bytes
        }
    }

    func claimRange() async throws -> Int { try await log.claimRange() }

    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
        if refusing.load(ordering: .sequentiallyConsistent) > 0 {
            refusing.subtract(1, ordering: .sequentiallyConsistent)
            return false
        }
        let isAdded = try await log.append(commits.map { $0.with(going) }, after: number)
        if isAdded { try await onAppend() }
        return isAdded
    }

    func commits(after number: Int) async throws -> [SharedCommit] {
        try await log.commits(after: number).prefix { $0.number <= limit }.map { $0.with(coming) }
    }

    func base(after number: Int) async throws -> SharedBase? {
        guard let base = try await log.base(after: number) else { return nil }
        return SharedBase(
            number: base.number, parts: base.parts, values: base.values.map(coming))
    }

    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
        let watched = SharedBase(
            number: base.number, parts: base.parts, values: base.values.map(going))
        try await log.keep(watched, forgettingAfter: age)
    }

    func arrivals() -> AsyncStream<Int?> {
        isTelling ? log.arrivals() : AsyncStream { _ in }
    }
}

extension SharedCommit {
    /// The same commit with values that are got in another way.
    fileprivate func with(_ change: (SharedValue) -> SharedValue) -> SharedCommit {
        let changed = Dictionary(
            uniqueKeysWithValues: values.map { ($0.digest, change($0)) })
        return fetching { digest in
            guard let value = changed[digest] else { throw CocoaError(.fileNoSuchFile) }
            return try await value.bytes()
        }
    }
}

import Foundation
import PlacesGraph
import Synchronization

/// A log that can be unplugged, as a cable can.
final class Plug: SharedLog {
    private let log: any SharedLog
    private let isUnplugged = Mutex(false)

    struct Unplugged: Error, CustomStringConvertible {
        var description: String { "the log is unplugged" }
    }

    init(_ log: any SharedLog) { self.log = log }

    func set(unplugged: Bool) { isUnplugged.withLock { $0 = unplugged } }

    private func plugged() throws -> any SharedLog {
        if isUnplugged.withLock(\.self) { throw Unplugged() }
        return log
    }

    func claimRange() async throws -> Int { try await plugged().claimRange() }

    func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
        try await plugged().append(commits, after: number)
    }

    func commits(after number: Int) async throws -> [SharedCommit] {
        try await plugged().commits(after: number)
    }

    func base(after number: Int) async throws -> SharedBase? {
        try await plugged().base(after: number)
    }

    func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
        try await plugged().keep(base, forgettingAfter: age)
    }

    func arrivals() -> AsyncStream<Int?> { log.arrivals() }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Synchronization
import Testing

@Suite struct MemorySharedLogTests {
    private typealias Failure = MemorySharedLog.Failure

    @Test func `a refused request has no effect`() async throws {
        let log = MemorySharedLog(script: [[.refused], [.refused], [.refused]])
        let member = log.connection()
        await #expect(throws: Failure.notReached) { try await member.claimRange() }
        await #expect(throws: Failure.notReached) {
            try await member.append(SharedCommit.after(0), after: 0)
        }
        await #expect(throws: Failure.notReached) { try await member.commits(after: 0) }
        #expect(log.commits.isEmpty)
        #expect(try await member.claimRange() == 1)
    }

    @Test func `a request whose answer is lost has its effect`() async throws {
        let log = MemorySharedLog(script: [[.answerLost], [.answerLost]])
        let member = log.connection()
        await #expect(throws: Failure.noAnswer) { try await member.claimRange() }
        await #expect(throws: Failure.noAnswer) {
            try await member.append(SharedCommit.after(0), after: 0)
        }
        #expect(log.commits == SharedCommit.after(0))
        #expect(try await member.claimRange() == 2)
    }

    @Test func `a late request has its effect before a later one`() async throws {
        let log = MemorySharedLog(script: [[.late(2)]])
        let (member, other) = (log.connection(), log.connection())
        await #expect(throws: Failure.noAnswer) {
            try await member.append(SharedCommit.after(0), after: 0)
        }
        #expect(try await other.commits(after: 0).isEmpty)
        #expect(try await other.commits(after: 0) == SharedCommit.after(0))
    }

    @Test func `a late request that others overtake is refused by its condition`() async throws {
        let log = MemorySharedLog(script: [[.late(2)]])
        let (member, other) = (log.connection(), log.connection())
        await #expect(throws: Failure.noAnswer) {
            try await member.append(SharedCommit.after(0), after: 0)
        }
        let others = SharedCommit.after(0, 2, by: 2)
        #expect(try await other.append(others, after: 0))
        #expect(try await member.commits(after: 0) == others)
        log.settle()
        #expect(log.commits == others)
    }

    @Test func `a request that arrives again is refused by its condition`() async throws {
        let log = MemorySharedLog(script: [[.again(1)], [.again(2)]])
        let member = log.connection()
        for number in 0..<2 {
            #expect(try await member.append(SharedCommit.after(number), after: number))
        }
        for _ in 0..<3 {
            #expect(try await member.commits(after: 0) == SharedCommit.after(0, 2))
        }
        log.settle()
        #expect(log.commits == SharedCommit.after(0, 2))
    }

    @Test(
        arguments: [[.late(.max)], [.again(.max)], [.toldLate(.max)]] as [[MemorySharedLog.Fault]])
    func `what comes after any number of requests comes when all is settled`(
        faults: [MemorySharedLog.Fault]
    ) async throws {
        let log = MemorySharedLog(script: [[], faults])
        let member = log.connection()
        #expect(try await member.claimRange() == 1)
        _ = try? await member.append(SharedCommit.after(0), after: 0)
        let isLate = faults == [.late(.max)]
        for _ in 0..<3 { #expect(try await member.commits(after: 0).isEmpty == isLate) }
        log.settle()
        #expect(log.commits == SharedCommit.after(0))
    }

    @Test func `a claim that arrives again takes a number that nobody gets`() async throws {
        let member = MemorySharedLog(script: [[.again(1)]]).connection()
        #expect(try await [member.claimRange(), member.claimRange()] == [1, 3])
    }

    @Test func `a read can return a part, which is never empty if there is something`()
        async throws
    {
        let log = MemorySharedLog(script: [[], [.part(2)], [.part(0)]])
        let member = log.connection()
        #expect(try await member.append(SharedCommit.after(0, 5), after: 0))
        #expect(try await member.commits(after: 1) == SharedCommit.after(1, 2))
        #expect(try await member.commits(after: 1) == SharedCommit.after(1, 1))
        #expect(try await member.commits(after: 1) == SharedCommit.after(1, 4))
    }

    @Test func `a member that is cut off reaches nothing until it is healed, others do`()
        async throws
    {
        let log = MemorySharedLog(script: [[], [], [.refused]])
        let (member, other) = (log.connection(), log.connection())
        member.cut()
        #expect(!member.isReachable && other.isReachable)
        await #expect(throws: Failure.notReached) {
            try await member.append(SharedCommit.after(0), after: 0)
        }
        // What does not reach the log takes no faults from the script.
        #expect(try await other.append(SharedCommit.after(0, by: 2), after: 0))
        member.heal()
        #expect(try await member.commits(after: 0) == SharedCommit.after(0, by: 2))
        await #expect(throws: Failure.notReached) { try await member.claimRange() }
    }

    @Test func `when it settles, what is late arrives and nothing goes wrong any more`()
        async throws
    {
        let log = MemorySharedLog(script: [[.late(100)], [.refused], [.refused]])
        let member = log.connection()
        await #expect(throws: Failure.noAnswer) {
            try await member.append(SharedCommit.after(0), after: 0)
        }
        log.settle()
        #expect(try await member.commits(after: 0) == SharedCommit.after(0))
    }

    @Test func `the commits of a log have the bytes of their values, whatever faults come`()
        async throws
    {
        let log = MemorySharedLog(script: [[], [.refused]])
        let bytes = Data("value".utf8)
        let commit = SharedCommit(bringing: bytes)
        #expect(try await log.connection().append([commit], after: 0))
        #expect(try await log.commits[0].values[0].bytes() == bytes)
    }

    // MARK: - Notices

    /// How often a member is told of commits, each of which is a request with these faults.
    private func notices(_ script: [[MemorySharedLog.Fault]], reads: Int = 0) async throws -> Int {
        let log = MemorySharedLog(script: script)
        let (member, other) = (log.connection(), log.connection())
        let arrivals = other.arrivals()
        for number in 0..<script.count {
            _ = try await member.append(SharedCommit.after(number), after: number)
        }
        for _ in 0..<reads { _ = try await member.commits(after: 0) }
        other.endArrivals()
        return await arrivals.reduce(into: 0) { count, _ in count += 1 }
    }

    @Test func `a member is told of what others add, unless nobody is or it is too early`()
        async throws
    {
        #expect(try await notices([[]]) == 1)
        #expect(try await notices([[.untold]]) == 0)
        #expect(try await notices([[.toldTwice]]) == 2)
        #expect(try await notices([[.toldLate(2)]], reads: 1) == 0)
        #expect(try await notices([[.toldLate(2)]], reads: 2) == 1)
        #expect(try await notices([[.untold], []]) == 1)
        // The first commit is told of after the second one.
        #expect(try await notices([[.toldLate(3)], []], reads: 1) == 1)
        #expect(try await notices([[.toldLate(3)], []], reads: 2) == 2)
    }

    @Test func `a member that was cut off is told once it is healed, and only then`()
        async throws
    {
        let log = MemorySharedLog()
        let (member, other) = (log.connection(), log.connection())
        for isHealed in [false, true] {
            let arrivals = other.arrivals()
            other.cut()
            let number = log.commits.count
            _ = try await member.append(SharedCommit.after(number), after: number)
            if isHealed { other.heal() }
            other.endArrivals()
            let count = await arrivals.reduce(into: 0) { count, _ in count += 1 }
            #expect(count == (isHealed ? 1 : 0))
        }
    }

    // MARK: - Seeds

    /// What some members meet in a log with faults, and what the log has in the end.
    private func outcome(seed: UInt64) async -> (answers: [String], commits: [SharedCommit]) {
        let log = MemorySharedLog(faultRate: 0.5, using: SeededGenerator(seed: seed))
        let members = (0..<3).map { _ in log.connection() }
        var answers: [String] = []
        var last = 0
        for request in 0..<200 {
            let member = members[request % 3]
            do {
                last = try await member.commits(after: last).last?.number ?? last
                let commits = SharedCommit.after(last, 1 + request % 2, by: Int64(request))
                answers.append("\(try await member.append(commits, after: last))")
            } catch {
                answers.append("\(error)")
            }
        }
        log.settle()
        return (answers, log.commits)
    }

    @Test(arguments: [1, 2, 3] as [UInt64])
    func `the same seed has the same outcome, whose commits have an order without gaps`(
        seed: UInt64
    ) async {
        let (first, second) = (await outcome(seed: seed), await outcome(seed: seed))
        #expect(first == second, "seed \(seed)")
        #expect(first.commits.map(\.number).elementsEqual(1..<first.commits.count + 1))
        #expect(Set(first.commits.map(\.id)).count == first.commits.count)
        #expect(Set(first.answers).count == 4, "seed \(seed): each kind of answer comes")
        #expect(await outcome(seed: seed + 100) != first)
    }

    @Test func `several tasks that write with faults add each commit once`() async throws {
        let log = MemorySharedLog(faultRate: 0.3, using: SeededGenerator(seed: 5))
        await withTaskGroup { group in
            for writer in 1...4 {
                let member = log.connection()
                group.addTask {
                    var last = 0
                    for _ in 0..<100 {
                        guard let commits = try? await member.commits(after: last) else { continue }
                        last = commits.last?.number ?? last
                        _ = try? await member.append(
                            SharedCommit.after(last, by: Int64(writer)), after: last)
                    }
                }
            }
        }
        log.settle()
        #expect(log.commits.map(\.number).elementsEqual(1..<log.commits.count + 1))
        #expect(try await log.connection().allCommits() == log.commits)
        #expect(!log.commits.isEmpty)
    }
}

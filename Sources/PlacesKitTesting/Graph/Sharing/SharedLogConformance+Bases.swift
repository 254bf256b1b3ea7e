import Foundation
import PlacesGraph

extension SharedLogConformance {
    /// Checks that the newest base is there for everybody, and to the byte.
    func checkBases(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let (log, other) = (try await connect(), try await connect())
        try await findings.expect(log, hasBase: nil, after: 0, "an empty log")
        try await log.keep(base(of: 1), forgettingAfter: .zero)
        try await findings.expect(log, hasBase: nil, after: 0, "one of a commit that is not there")
        let commits = SharedCommit.following(0, 6)
        for commit in commits { _ = try await log.append([commit], after: commit.number - 1) }
        // An age that no commit has, so that all of them stay.
        let age = Duration.seconds(1 << 40)
        for number in [2, 5] {
            try await log.keep(base(of: number), forgettingAfter: age)
            for log in [log, other] {
                try await findings.expect(log, hasBase: number, after: 0, "after it was kept")
                try await findings.expect(
                    log, hasBase: number, after: number - 1, "after the number before")
                try await findings.expect(log, hasBase: nil, after: number, "after its own number")
            }
        }
        for number in [3, 5, 7] {
            try await other.keep(base(of: number, "another"), forgettingAfter: .zero)
            try await findings.expect(
                log, hasBase: 5, after: 0, "after one of commit \(number) that is not the next")
        }
        let isBroken: (any Error)?
        do {
            try await log.keep(brokenBase(of: 6), forgettingAfter: .zero)
            isBroken = nil
        } catch {
            isBroken = error
        }
        findings.expect(isBroken is BrokenBase, "keep(_:forgettingAfter:) hides what parts throw")
        try await findings.expect(log, hasBase: 5, after: 0, "after one that broke off")
        try await findings.expect(log, has: commits, "after bases that leave all commits")
        try await findings.expect(try await connect(), has: commits, "a new connection")
    }

    /// Checks that a base does not take the place of a later one that was kept while its parts came.
    func checkSlowBase(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let (log, other) = (try await connect(), try await connect())
        let isAdded = try await log.append(SharedCommit.following(0, 3), after: 0)
        findings.expect(isAdded, "commits are not added")
        let interlude = Interlude()
        let slow = SharedBase(
            number: 2,
            parts: AsyncThrowingStream {
                let isFirst = try await interlude.pause()
                return isFirst ? Data("slow".utf8) : nil
            }, values: [])
        let later = base(of: 3)
        async let laterIsKept: Void = interlude.fill {
            try await other.keep(later, forgettingAfter: .zero)
        }
        try await log.keep(slow, forgettingAfter: .zero)
        interlude.end()
        try await laterIsKept
        try await findings.expect(log, hasBase: 3, after: 0, "after a former one that came slowly")
    }

    /// Checks that a cancelled task keeps no base: its parts may have ended before all had come.
    func checkCancelledBase(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let log = try await connect()
        let isAdded = try await log.append(SharedCommit.following(0, 2), after: 0)
        findings.expect(isAdded, "commits are not added")
        let cancelled = SharedBase(
            number: 2,
            parts: AsyncThrowingStream {
                withUnsafeCurrentTask { $0?.cancel() }
                return Data("half".utf8)
            }, values: [])
        _ = await Task { try await log.keep(cancelled, forgettingAfter: .zero) }.result
        try await findings.expect(log, hasBase: nil, after: 0, "after half of one had come")
        try await log.keep(base(of: 2), forgettingAfter: .zero)
        try await findings.expect(log, hasBase: 2, after: 0, "after all of it had come")
    }

    /// Checks that commits are forgotten that came before a base, and others are not.
    func checkForgetting(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let (log, other) = (try await connect(), try await connect())
        var commits = SharedCommit.following(0, 8)
        for commit in commits { _ = try await log.append([commit], after: commit.number - 1) }
        // Another connection knows what will be forgotten.
        try await findings.expect(other, has: commits, "before anything is forgotten")
        try await log.keep(base(of: 5), forgettingAfter: .zero)
        for log in [log, other, try await connect()] {
            let rest = commits.dropFirst(4)
            let first = try await log.commits(after: 0).first?.number ?? 0
            findings.expect(
                (1...5).contains(first), "begins with commit \(first) after a base of commit 5")
            findings.expect(first > 1, "forgets nothing")
            for number in [4, 5, 7, 8] {
                try await findings.expect(
                    log, has: rest.filter { $0.number > number }, after: number,
                    "after commits were forgotten")
            }
            let isAdded = try await log.append([commits[2]], after: 2)
            findings.expect(!isAdded, "adds a commit that it has forgotten")
        }
        for log in [other, log] {
            let added = SharedCommit.following(commits.count, 2, by: 3)
            let isAdded = try await log.append(added, after: commits.count)
            findings.expect(isAdded, "commits are not added after others were forgotten")
            commits += added
            try await findings.expect(
                other, has: commits.dropFirst(6), after: 6, "after more were added")
        }
        try await other.keep(base(of: commits.count), forgettingAfter: .zero)
        for log in [log, other, try await connect()] {
            try await findings.expect(
                log, has: commits.suffix(1), after: commits.count - 1,
                "the last commit, which is a base's")
        }
        try await findings.expect(log, hasBase: commits.count, after: 5, "the next one")
    }

    /// Checks that a base is whole, or throws, when another one takes its place while somebody reads it.
    func checkReplacedBase(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let (log, other) = (try await connect(), try await connect())
        _ = try await log.append(SharedCommit.following(0, 2), after: 0)
        try await log.keep(base(of: 1), forgettingAfter: .zero)
        guard let former = try await log.base(after: 0) else {
            return findings.expect(false, "keeps no base")
        }
        var parts = former.parts.makeAsyncIterator()
        var content = try await parts.next() ?? Data()
        try await other.keep(base(of: 2), forgettingAfter: .zero)
        do {
            while let part = try await parts.next() { content += part }
            findings.expect(
                content == SharedBase.parts(of: 1).reduce(into: Data()) { $0 += $1 },
                "a base that was replaced has other bytes, and does not throw")
        } catch {
            // Who reads it is told, and reads the new one.
        }
        try await findings.expect(log, hasBase: 2, after: 0, "after the former one was read")
    }

    /// A base in several parts, some of them empty, of bytes that are no text.
    func base(
        of number: Int, _ name: String = "base", _ values: [SharedValue] = []
    ) -> SharedBase {
        SharedBase(
            number: number,
            parts: AsyncThrowingStream { parts in
                for part in SharedBase.parts(of: number, name) { parts.yield(part) }
                parts.finish()
            }, values: values)
    }

    private struct BrokenBase: Error {}

    private func brokenBase(of number: Int) -> SharedBase {
        SharedBase(
            number: number,
            parts: AsyncThrowingStream { parts in
                parts.yield(Data("half".utf8))
                parts.finish(throwing: BrokenBase())
            }, values: [])
    }
}

extension SharedBase {
    fileprivate static func parts(of number: Int, _ name: String = "base") -> [Data] {
        [
            Data("\(name) \(number)\n".utf8), Data(), Data([0, 255, 0xc3, 0, 10, 13, 39, 92]),
            Data(repeating: UInt8(number), count: 3_000_000), Data([1]),
        ]
    }
}

extension SharedLogFindings {
    /// Checks which base somebody sees after a number.
    fileprivate mutating func expect(
        _ log: any SharedLog, hasBase expected: Int?, after number: Int, _ situation: String
    ) async throws {
        let base = try await log.base(after: number)
        expect(
            base?.number == expected,
            """
            \(situation): base(after: \(number)) has commit \(base.map { "\($0.number)" } ?? "none"), not \
            \(expected.map { "\($0)" } ?? "none")
            """)
        guard let base, base.number == expected else { return }
        let content = try await base.content()
        expect(
            content == SharedBase.parts(of: base.number).reduce(into: []) { $0 += $1 },
            "\(situation): base(after: \(number)) has other bytes than it was kept with")
    }
}

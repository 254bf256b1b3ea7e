import Foundation
import PlacesGraph
import Synchronization

extension SharedLogConformance {
    /// Checks that everybody can have the bytes of values, and that the log asks for each of them once.
    func checkValues(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let (log, other) = (try await connect(), try await connect())
        let texts = [
            Data("one".utf8), Data([0, 255, 0xc3, 0, 10, 13, 39, 92]), Data(),
            Data(repeating: 7, count: 2_500_000),
        ]
        let values = texts.map(CountedValue.init)
        // The second one refers to what the first one brought, and twice to what it brings.
        let commits = [
            SharedCommit(number: 1, [values[0].value, values[1].value]),
            SharedCommit(number: 2, [values[1].value, values[2].value, values[3].value]),
        ]
        for (index, commit) in commits.enumerated() {
            let isAdded = try await log.append([commit], after: index)
            findings.expect(isAdded, "a commit with values is not added")
        }
        let third = SharedCommit(number: 3, values.map(\.value))
        let isAdded = try await other.append([third], after: 2)
        findings.expect(isAdded, "a commit whose values are there is not added")
        for (index, value) in values.enumerated() {
            findings.expect(
                value.count == 1, "asks for the bytes of value \(index) \(value.count) times")
        }
        let new = Data("comes with both".utf8)
        let common = CountedValue(new)
        let last = [
            SharedCommit(number: 4, [common.value]), SharedCommit(number: 5, [common.value]),
        ]
        let areAdded = try await other.append(last, after: 3)
        findings.expect(areAdded, "commits are not added that refer to the same new value")
        findings.expect(
            common.count == 1,
            "asks \(common.count) times for bytes to which two commits of a batch refer")
        let all = commits + [third] + last
        for log in [log, other, try await connect()] {
            try await findings.expect(log, has: all, "commits with values")
            try await findings.expect(log, hasValuesOf: all, texts + [new])
        }
    }

    /// Checks that a commit is not added without its values.
    func checkMissingValues(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let log = try await connect()
        let text = Data("is there the second time".utf8)
        let missing = SharedValue(digest: text.digest, byteCount: text.count) {
            throw MissingValue()
        }
        let isThrown: Bool
        do {
            _ = try await log.append([SharedCommit(number: 1, [missing])], after: 0)
            isThrown = false
        } catch {
            isThrown = error is MissingValue
        }
        findings.expect(isThrown, "append(_:after:) hides what a value throws")
        try await findings.expect(log, has: [], "after a value could not be had")
        let commit = SharedCommit(number: 1, [CountedValue(text).value])
        let isAdded = try await log.append([commit], after: 0)
        findings.expect(isAdded, "a commit is not added whose value could not be had before")
        try await findings.expect(log, hasValuesOf: [commit], [text])
        let absent = SharedValue(digest: Data("is never there".utf8).digest, byteCount: 14) {
            throw MissingValue()
        }
        let isKeepThrown: Bool
        do {
            try await log.keep(base(of: 1, "base", [absent]), forgettingAfter: .zero)
            isKeepThrown = false
        } catch {
            isKeepThrown = error is MissingValue
        }
        findings.expect(isKeepThrown, "keep(_:forgettingAfter:) hides what a value throws")
        let kept = try await log.base(after: 0)
        findings.expect(kept == nil, "keeps a base without its values")
        try await findings.expect(log, has: [commit], "after a base whose value could not be had")
    }

    /// Checks that the values of a base stay when commits are forgotten that brought them.
    func checkValuesOfBases(_ connect: Connect, _ findings: inout SharedLogFindings) async throws {
        let (log, other) = (try await connect(), try await connect())
        let texts = (0..<4).map { Data("value \($0)".utf8) }
        let values = texts.map(CountedValue.init)
        for index in 0..<3 {
            let commit = SharedCommit(number: index + 1, [values[index].value])
            _ = try await log.append([commit], after: index)
        }
        // The second one stays by the base alone, and the last one comes with it.
        let kept = [values[1], values[2], values[3]]
        try await log.keep(base(of: 3, "base", kept.map(\.value)), forgettingAfter: .zero)
        for log in [log, other, try await connect()] {
            let found = try await log.base(after: 0)?.values ?? []
            findings.expect(
                Set(found) == Set(kept.map(\.value)) && found.count == kept.count,
                "a base has other values than it was kept with")
            for value in found {
                let index = values.firstIndex { $0.value == value }
                let bytes = try await value.bytes()
                findings.expect(
                    bytes == index.map { texts[$0] }, "a value of a base has other bytes")
            }
        }
        for (index, value) in values.enumerated() {
            findings.expect(
                value.count == 1, "asks for the bytes of value \(index) \(value.count) times")
        }
        // What nobody refers to may be gone, and comes again with who refers to it.
        let again = SharedCommit(number: 4, [values[0].value, values[1].value])
        let isAdded = try await other.append([again], after: 3)
        findings.expect(isAdded, "a commit is not added with a value that was forgotten")
        try await findings.expect(log, hasValuesOf: [again], texts)
        // Bases follow each other.
        try await other.keep(base(of: 4, "base", [values[0].value]), forgettingAfter: .zero)
        let next = try await log.base(after: 3)?.values ?? []
        findings.expect(next == [values[0].value], "the next base has other values")
        for value in next {
            let bytes = try await value.bytes()
            findings.expect(bytes == texts[0], "a value of the next base has other bytes")
        }
        // The commit stays, and refers to more than the base.
        try await findings.expect(log, hasValuesOf: [again], texts)
    }

    /// Checks that commits are not added without bytes that were forgotten while others came.
    func checkForgottenValues(_ connect: Connect, _ findings: inout SharedLogFindings) async throws
    {
        let (log, other) = (try await connect(), try await connect())
        let texts = [Data("was there".utf8), Data("comes slowly".utf8)]
        let old = CountedValue(texts[0]).value
        for commit in [SharedCommit(number: 1, [old]), SharedCommit(number: 2, [])] {
            let isAdded = try await log.append([commit], after: commit.number - 1)
            findings.expect(isAdded, "a commit is not added")
        }
        let interlude = Interlude()
        let new = SharedValue(digest: texts[1].digest, byteCount: texts[1].count) {
            _ = try await interlude.pause()
            return texts[1]
        }
        // By then no commit refers to the first value any more, and the new one does not yet.
        let empty = base(of: 2)
        async let isForgotten: Void = interlude.fill {
            try await other.keep(empty, forgettingAfter: .zero)
        }
        let commit = SharedCommit(number: 3, [old, new])
        let isAdded = try await log.append([commit], after: 2)
        interlude.end()
        try await isForgotten
        findings.expect(isAdded, "a commit is not added while another one is forgotten")
        for log in [log, other, try await connect()] {
            try await findings.expect(log, has: [commit], after: 2, "after values were forgotten")
            try await findings.expect(log, hasValuesOf: [commit], texts)
        }
    }

    /// Checks that what a log forgets stays in another one.
    func checkSeparateValues(
        _ connect: Connect, _ connectOther: Connect, _ findings: inout SharedLogFindings
    ) async throws {
        let (log, other) = (try await connect(), try await connectOther())
        let text = Data("is in both".utf8)
        let commits = [
            SharedCommit(number: 1, [CountedValue(text).value]), SharedCommit(number: 2, []),
        ]
        for log in [log, other] {
            let isAdded = try await log.append(commits, after: 0)
            findings.expect(isAdded, "commits are not added")
        }
        try await log.keep(base(of: 2), forgettingAfter: .zero)
        let kept = try await other.base(after: 0)
        findings.expect(kept == nil, "has the base of another log")
        let situation = "a log after another one has forgotten commits"
        for other in [other, try await connectOther()] {
            try await findings.expect(other, has: commits, situation)
            try await findings.expect(other, hasValuesOf: commits, [text])
        }
    }

    private struct MissingValue: Error {}
}

/// A value that counts how often its bytes are asked for.
private final class CountedValue: Sendable {
    private let bytes: Data
    private let asked = Atomic(0)

    init(_ bytes: Data) { self.bytes = bytes }

    var count: Int { asked.load(ordering: .sequentiallyConsistent) }

    var value: SharedValue {
        SharedValue(digest: bytes.digest, byteCount: bytes.count) { [self] in
            asked.add(1, ordering: .sequentiallyConsistent)
            return bytes
        }
    }
}

extension Data {
    fileprivate var digest: String { withUnsafeBytes(SharedValue.digest) }
}

extension SharedCommit {
    fileprivate init(number: Int, _ values: [SharedValue]) {
        self.init(
            opening: 1, sequence: Int64(number), number: number, change: "\(number)",
            values: values)
    }
}

extension SharedLogFindings {
    /// Checks that the values of some of a log's commits have their bytes, which are among some.
    fileprivate mutating func expect(
        _ log: any SharedLog, hasValuesOf commits: [SharedCommit], _ texts: [Data]
    ) async throws {
        for commit in try await log.commits(after: commits[0].number - 1) {
            let expected = commits.first { $0.number == commit.number }?.values
            expect(
                commit.values == expected,
                "commit \(commit.number) has other values than it was added with")
            for value in commit.values {
                let bytes = try await value.bytes()
                expect(
                    bytes.digest == value.digest && texts.contains(bytes),
                    "a value of commit \(commit.number) has other bytes")
            }
        }
    }
}

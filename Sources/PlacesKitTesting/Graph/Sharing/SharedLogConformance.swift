public import PlacesGraph

/// Checks that a shared log keeps the promises of its protocol.
///
/// Run it against your own log:
///
/// ```swift
/// @Test func `my log keeps the promises of SharedLog`() async {
///     let conformance = SharedLogConformance(
///         makeLog: { try await Database.empty() },
///         connect: { database in MyLog(database, document: "towns") })
///     let violations = await conformance.violations()
///     #expect(violations.isEmpty, "\(violations)")
/// }
/// ```
///
/// It makes about twenty logs, and some thousand requests, many of them at the same time over several connections.
/// The log should work: an error is a violation. It does not check ``SharedLog/arrivals()``, which promises nothing.
public struct SharedLogConformance: Sendable {
    /// Makes one more connection to the same log.
    typealias Connect = @Sendable () async throws -> any SharedLog

    private let makeLog: @Sendable () async throws -> Connect

    /// Creates a check.
    ///
    /// - Parameters:
    ///   - makeLog: Makes an empty log, whatever stands for it: a folder, an address.
    ///   - connect: Makes a connection to such a log, like that of another process.
    public init<Log: Sendable>(
        makeLog: @escaping @Sendable () async throws -> Log,
        connect: @escaping @Sendable (Log) async throws -> any SharedLog
    ) {
        self.makeLog = {
            let log = try await makeLog()
            return { try await connect(log) }
        }
    }

    /// All promises that the log does not keep.
    public func violations() async -> [ConformanceViolation] {
        var findings = SharedLogFindings()
        await check("an empty log", &findings, checkEmptyLog)
        await check("two logs", &findings) { connect, findings in
            try await checkSeparation(connect, try await makeLog(), &findings)
        }
        await check("two logs with the same value", &findings) { connect, findings in
            try await checkSeparateValues(connect, try await makeLog(), &findings)
        }
        await check("claimRange()", &findings, checkRanges)
        await check("append(_:after:) in order", &findings, checkOrder)
        await check("append(_:after:) out of order", &findings, checkConditions)
        await check("append(_:after:) of nothing", &findings, checkEmptyBatch)
        await check("append(_:after:) of much", &findings, checkLargeBatches)
        await check("commits with unusual text", &findings, checkText)
        await check("append(_:after:) at the same time", &findings, checkSimultaneousAppends)
        await check("writers at the same time", &findings, checkWriters)
        await check("keep(_:forgettingAfter:)", &findings, checkBases)
        await check("keep(_:forgettingAfter:) of a later base meanwhile", &findings, checkSlowBase)
        await check("keep(_:forgettingAfter:) that is cancelled", &findings, checkCancelledBase)
        await check("keep(_:forgettingAfter:) of old commits", &findings, checkForgetting)
        await check("keep(_:forgettingAfter:) while a base is read", &findings, checkReplacedBase)
        await check("values of commits", &findings, checkValues)
        await check("values that can't be had", &findings, checkMissingValues)
        await check("values of a base", &findings, checkValuesOfBases)
        await check("values that are forgotten meanwhile", &findings, checkForgottenValues)
        return findings.violations
    }

    private func check(
        _ operation: String, _ findings: inout SharedLogFindings,
        _ body: (@escaping Connect, inout SharedLogFindings) async throws -> Void
    ) async {
        findings.operation = operation
        do {
            try await body(try await makeLog(), &findings)
        } catch {
            findings.expect(false, "threw \(error), although nothing failed")
        }
    }
}

/// What is found of a log, and what is tried at the moment.
struct SharedLogFindings {
    private var log = ConformanceLog()
    var operation = ""

    var violations: [ConformanceViolation] { log.violations }

    mutating func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
        log.expect(condition, operation, problem())
    }

    /// Checks that somebody sees certain commits after a number, to the byte, and no others.
    mutating func expect(
        _ log: any SharedLog, has expected: some Collection<SharedCommit>, after number: Int = 0,
        _ situation: String
    ) async throws {
        var rest = expected[...]
        var last = number
        while true {
            let page = try await log.commits(after: last)
            guard !page.isEmpty else { break }
            for commit in page {
                let problem = "\(situation): commits(after: \(last)) has commit \(commit.number) "
                guard let next = rest.popFirst() else {
                    return expect(false, problem + "where there should be no more")
                }
                guard commit.number == next.number else {
                    return expect(false, problem + "where \(next.number) should be")
                }
                guard commit.line == next.line else {
                    return expect(false, problem + "with other bytes than it was added with")
                }
                last = commit.number
            }
        }
        expect(
            rest.isEmpty,
            "\(situation): commits(after: \(last)) is empty, but \(rest.count) more were added")
    }
}

extension SharedCommit {
    /// Commits with the numbers after one, for checks.
    static func following(_ number: Int, _ count: Int, by opening: Int = 1) -> [SharedCommit] {
        (number + 1..<number + 1 + count).map { commit in
            SharedCommit(
                opening: Int64(opening), sequence: Int64(commit), number: commit,
                change: #"{"commit":\#(commit),"insert":{"Place":{"\#(commit)":{}}}}"#)
        }
    }
}

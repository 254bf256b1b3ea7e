import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct SharedLogConformanceTests {
    @Test func `a log in memory conforms`() async {
        let violations = await SharedLogConformance(
            makeLog: { MemorySharedLog() }, connect: { $0.connection() }
        ).violations()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `a log in memory that tells of a part of its commits at a time conforms`() async {
        let violations = await SharedLogConformance(
            makeLog: { MemorySharedLog(script: (0..<5_000).map { [.part($0 % 4 * 300)] }) },
            connect: { $0.connection() }
        ).violations()
        #expect(violations.isEmpty, "\(violations)")
    }

    @Test func `a log in a folder conforms, over instances that know nothing of each other`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let violations = await SharedLogConformance(
                makeLog: { folder.appending(path: UUID().uuidString) },
                connect: { try FolderSharedLog(at: $0) }
            ).violations()
            #expect(violations.isEmpty, "\(violations)")
        }
    }

    @Test func `the log in which faults are planted conforms without one`() async {
        #expect(await violations(of: nil).isEmpty)
    }

    @Test(arguments: PlantedLog.Fault.allCases)
    func `a planted fault is found`(fault: PlantedLog.Fault) async {
        #expect(await !violations(of: fault).isEmpty)
    }

    /// A log that always has one more commit than was asked for.
    private struct EndlessLog: SharedLog {
        /// The commit, or the next one.
        let number: Int?

        func claimRange() async throws -> Int { 1 }
        func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool { true }
        func commits(after number: Int) async throws -> [SharedCommit] {
            [
                SharedCommit(
                    opening: 1, sequence: 1, number: self.number ?? number + 1, change: "{}")
            ]
        }
        func base(after number: Int) async throws -> SharedBase? { nil }
        func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {}
        func arrivals() -> AsyncStream<Int?> { AsyncStream { $0.finish() } }
    }

    @Test(.endsWaiting, arguments: [nil, .max, .min] as [Int?])
    func `a log without an end is told of`(number: Int?) async {
        let found = await SharedLogConformance(
            makeLog: {}, connect: { EndlessLog(number: number) }
        ).violations()
        #expect(found.contains { $0.operation == "writers at the same time" }, "\(found)")
    }

    @Test func `a violation says what was tried and what is wrong`() async {
        let found = await violations(of: .claimsFromZero).map(\.description)
        #expect(found == ["claimRange(): gives out a number below 1"])
        let lost = await violations(of: .losesTheLastOfMany).map(\.description)
        #expect(
            lost.first == """
                append(_:after:) of much: 1 commits are not added
                """, "\(lost)")
    }

    private func violations(
        of fault: PlantedLog.Fault?
    ) async -> [ConformanceViolation] {
        let common = PlantedLog.Storage()
        let values = PlantedLog.Values()
        @Sendable func newStorage() -> PlantedLog.Storage {
            switch fault {
            case .mixesDocuments: common
            case .forgetsValuesOfOtherDocuments: PlantedLog.Storage(values)
            default: PlantedLog.Storage()
            }
        }
        return await SharedLogConformance(
            makeLog: { newStorage() }, connect: { PlantedLog($0, fault) }
        ).violations()
    }
}

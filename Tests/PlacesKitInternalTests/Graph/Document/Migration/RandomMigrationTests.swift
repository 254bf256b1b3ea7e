import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Documents of random schemas, opened with what random changes made of them.
@Suite struct RandomMigrationTests {
    /// How many are tried: few by default, thousands where all changes are checked.
    private static let count =
        ProcessInfo.processInfo.environment["PLACESKIT_MIGRATIONS"].flatMap(UInt64.init) ?? 100
    private static let path = FilePath("/Document")

    @Test func `a migrated document holds what the changes of its model leave`() throws {
        for seed in 0..<Self.count { try check(seed: seed) }
    }

    private func check(seed: UInt64) throws {
        var random = RandomSchema(seed: seed)
        let graph = try random.makeGraph()
        let files = CrashingFiles()
        let format = random.element(of: SnapshotFormat.allCases) ?? .json
        let commit = Commit(number: 7, date: Date(timeIntervalSinceReferenceDate: 0), author: nil)
        try DocumentDirectory.make(
            CommittedGraph(graph: graph, commit: commit), at: Self.path, as: format, files,
            progress: nil
        ).directory.close()
        for _ in 0..<random.number(1...8) { random.edit() }
        let layout = GraphLayout(schema: try Schema(entities: random.entities))
        let comment = "seed \(seed): \(random.steps.joined(separator: "; "))"

        let directory = try DocumentDirectory(
            at: Self.path, createsDocument: false, isReadOnly: true, files: files)
        let content: DocumentContent
        do {
            content = try directory.readMigrating(MigrationModel(layout))
        } catch {
            if case DocumentError.migration(_, let errors) = error,
                errors == [.otherDocument(entities: graph.schema.entities.map(\.name))]
            {
                #expect(
                    Set(graph.schema.entities.map(\.name))
                        .isDisjoint(with: random.entities.map(\.identity)), "\(comment)")
                return
            }
            Issue.record("\(error), \(comment)")
            return
        }
        expect(content.graph, random, comment)

        // What the new model writes is its own.
        let other = FilePath("/Migrated")
        try DocumentDirectory.make(
            CommittedGraph(graph: content.graph, commit: commit), at: other, as: format, files,
            progress: nil
        ).directory.close()
        let migrated = try DocumentDirectory(
            at: other, createsDocument: false, isReadOnly: true, files: files)
        expect(try migrated.read(layout).graph, random, "again, \(comment)")
    }

    private func expect(_ graph: Graph, _ random: RandomSchema, _ comment: String) {
        let violations = graph.brokenInvariants(allowingDeniedDeletes: false)
        #expect(violations.isEmpty, "\(comment)")
        let found = random.settled(RandomSchema.records(of: graph))
        let expected = random.settled(random.records)
        guard found != expected else { return }
        for id in Set(found.keys).union(expected.keys) where found[id] != expected[id] {
            Issue.record(
                "\(id) is \(found[id] as Any), and not \(expected[id] as Any), \(comment)")
            return
        }
    }
}

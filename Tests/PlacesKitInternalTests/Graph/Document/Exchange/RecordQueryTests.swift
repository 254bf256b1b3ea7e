import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What a query of records is made of, and finds row by row.
@Suite struct RecordQueryTests {
    private typealias Item = DocumentModel.Item

    private let files = CrashingFiles()
    private let url = URL(filePath: "/Items", directoryHint: .notDirectory)

    private func open() async throws -> ManagedDocument {
        try await DocumentModel.open(url, files: files) { $0.keepsHistory = true }
    }

    private func reader(commit: Int? = nil) async throws -> DocumentReader {
        try await DocumentReader.open(at: url, commit: commit, files: files)
    }

    @Test(arguments: [
        "int32 > 0 SORT int32", "TRUEPREDICATE SORT BY box.name DESC, optionalInt, code LIMIT 7",
        "ANY tags.name > 'a' SORT tags.@count desc, date ASC OFFSET 3",
        "optionalText == nil OR optionalDouble < 0 SORT optionalDate DESC LIMIT 4 OFFSET 2",
        "favourite.name CONTAINS 'a' SORT uuid", "FALSEPREDICATE", "int > 3 LIMIT 0",
        "int32 > 0 SORT optionalInt NULLS LAST, optionalDate desc nulls first, text LIMIT 9",
    ])
    func `a query finds what a fetch finds, in its order`(text: String) async throws {
        let document = try await open()
        var random = RandomItems(seed: 5)
        try random.change(document.viewContext, times: 120)
        try await document.save()
        let query = try RecordQuery("Item WHERE " + text)
        let found = try await reader().records(query).map(\.id)
        #expect(found == naive(query, in: document.store.head.graph), "\(text)")
    }

    /// What a query finds, by asking and comparing row by row.
    private func naive(_ query: RecordQuery, in graph: Graph) -> [ObjectID] {
        guard let query = try? graph.compile(query, now: Date()), let keys = query.keys else {
            return []
        }
        let rows = graph.rows(in: query.table).rows
            .filter { graph.matches(query.condition, $0, in: query.table) { _ in false } }
            .sorted { graph.precedes($0, $1, by: keys, in: query.table) }
        return rows[query.window.clamped(to: rows.indices)]
            .map { graph.objectID($0, in: query.table) }
    }

    @Test func `words of a query are no reserved words`() throws {
        let query = try RecordQuery("#where WHERE sort == 1 SORT limit, offset DESC LIMIT %d", 3)
        #expect(query.entity == "where" && query.window == 0..<3)
        #expect(query.parts.sorting.map(\.isAscending) == [true, false])
        let nulls = try RecordQuery(
            "a SORT a NULLS LAST, a ASC NULLS FIRST, a DESC NULLS LAST, a DESC NULLS FIRST")
        #expect(nulls.parts.sorting.map(\.hasGreatestNil) == [true, false, false, true])
    }

    @Test func `an earlier commit is read by the schema that it was made with`() async throws {
        let document = try await open()
        let context = document.viewContext
        for name in ["a", "b"] {
            Item(context: context).code = name
            try await document.save()
        }
        try await document.close()
        // A generation of another model goes on from there.
        let directory = try DocumentDirectory(
            at: FilePath(url), createsDocument: false, files: files)
        let model = try ObjectModel(ExchangeModel.types)
        _ = try directory.begin(
            CommittedGraph(
                graph: Graph(layout: model.layout), commit: document.store.snapshot().commit),
            generation: 2, format: .json, isFirst: false,
            blobs: BlobWriter(directory.blobs, adopts: true))
        directory.close()
        let (now, then) = (try await reader(), try await reader(commit: 1))
        #expect(now.schema.entities.map(\.name) == ["Shot", "Town", "Word"])
        #expect(then.schema.entities.map(\.name).first == "Item")
        #expect(then.count(of: "Item") == 1)
        #expect(now.changes(since: then).isEmpty)
    }
}

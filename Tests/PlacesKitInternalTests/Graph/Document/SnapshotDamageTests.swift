import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Snapshots that are altered at random.
@Suite struct SnapshotDamageTests {
    @Test(arguments: [UInt64](1...2))
    func `a snapshot altered anywhere is told, or is another graph`(seed: UInt64) async throws {
        try await DocumentModel.with { document, url in
            var items = RandomItems(seed: 3)
            try items.change(document.viewContext, times: 20)
            try await document.close()
            let bytes = Array(try Data(contentsOf: DocumentFolder(url: url).snapshot))
            let schema = try ObjectModel(DocumentModel.types).schema
            var random = DocumentRandom(seed: seed)
            var graphs = 0
            for _ in 0..<1_000 {
                var altered = bytes
                for _ in 0..<Int.random(in: 1...3, using: &random) {
                    let position = Int.random(in: altered.indices, using: &random)
                    switch Int.random(in: 0..<4, using: &random) {
                    case 0: altered[position] ^= 1 << UInt8.random(in: 0..<8, using: &random)
                    case 1: altered[position] = UInt8.random(in: 0...255, using: &random)
                    case 2: altered.remove(at: position)
                    default:
                        let length = Int.random(in: 0..<40, using: &random)
                        altered.insert(
                            contentsOf: altered[position...].prefix(length), at: position)
                    }
                }
                do {
                    _ = try SnapshotReader.read(altered, schema: schema)
                    graphs += 1
                } catch {
                    #expect(
                        error is JSONError || error is SnapshotError, "seed \(seed): \(error)")
                }
            }
            #expect(graphs < 1_000)
        }
    }

    @Test(arguments: [#""code":5,"size":{"width":1}"#, #""code":5,"size":[]"#])
    func `JSON that its type does not decode is told, with its location`(values: String) throws {
        let model = try ObjectModel([DocumentCodableTests.Item.self])
        let text = DocumentCodableTests.text(values)
        let error = #expect(throws: JSONError.self) {
            try SnapshotReader.read(
                Array(text.utf8), schema: model.schema, checks: model.classes.map(\.checks))
        }
        #expect(error?.line == 2)
    }
}

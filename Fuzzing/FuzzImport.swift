import Foundation

@testable import PlacesGraph

final class Shot: ManagedObject {
    @Attribute(.unique) var code: String?
    @Attribute var views = 0
    @Attribute var rating: Double?
    @Attribute var price: Decimal?
    @Attribute var taken: Date?
    @Attribute var flag = false
    @Attribute var key: UUID?
    @Attribute var data: Data?
    @Attribute var words: [String]?
    @Relationship(inverse: \Shot.copies) var original: Shot?
    @Relationship var copies: ObjectSet<Shot>
    @Relationship(inverse: \Shot.friendOf) var friends: ObjectSet<Shot>
    @Relationship var friendOf: ObjectSet<Shot>
}

/// Imports bytes as JSON and as CSV, exports what came of them, and imports that: it must be the same.
func fuzzImport(_ bytes: [UInt8]) {
    for format in ExchangeFormat.allCases {
        guard let store = imported(bytes, format) else { continue }
        let broken = store.head.graph.brokenInvariants(allowingDeniedDeletes: false)
        precondition(broken.isEmpty, "\(broken)")
        let text = exported(store, .json)
        for other in ExchangeFormat.allCases {
            guard let again = imported(exported(store, other), other) else {
                preconditionFailure("what was exported as \(other) is refused")
            }
            precondition(exported(again, .json) == text, "\(other) comes back as something else")
        }
    }
}

private let path = FilePath("/dev/shm/placeskit-fuzz-import-\(getpid())")

/// The store that an import of bytes leads to; `nil` where they are refused.
private func imported(_ bytes: [UInt8], _ format: ExchangeFormat) -> GraphStore? {
    guard let store = try? GraphStore(model: [Shot.self]),
        (try? Data(bytes).write(to: URL(filePath: path.description))) != nil
    else { preconditionFailure("there is no room for a file") }
    do {
        _ = try format.read(path, as: Shot.self, into: store, .insert, .immediate)
        return store
    } catch let error as ImportError {
        precondition(!error.description.isEmpty)
        return nil
    } catch {
        preconditionFailure("\(error) says no location")
    }
}

/// Every value and link of the objects, whose numbers are those of the rows.
private func exported(_ store: GraphStore, _ format: ExchangeFormat) -> [UInt8] {
    let graph = store.head.graph
    let names = [
        "id", "code", "views", "rating", "price", "taken", "flag", "key", "data", "words",
        "original", "friends",
    ]
    guard let columns = try? RecordColumns(names, of: 0, in: graph, as: format) else {
        preconditionFailure("there is no such column")
    }
    var bytes: [UInt8] = []
    let export = RecordExport(
        graph: graph, table: TableNumber(0),
        rows: graph.fetchRows(.constant(true), in: TableNumber(0)) { _ in false },
        columns: columns)
    guard (try? format.write(export, .immediate) { bytes.append(contentsOf: $0) }) != nil else {
        preconditionFailure("nothing can be exported")
    }
    return bytes
}

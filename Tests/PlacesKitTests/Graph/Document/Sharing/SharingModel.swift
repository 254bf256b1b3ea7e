import Foundation
import PlacesKit
import PlacesKitTesting

/// Classes whose objects several processes change at a time.
enum SharingModel {
    final class Trip: ManagedObject {
        @Attribute var title = ""
        @Relationship(deleteRule: .deny) var guests: ObjectSet<Guest>
        @Relationship var stops: OrderedObjectSet<Stop>
    }

    final class Stop: ManagedObject {
        @Attribute(.unique) var code = ""
        @Attribute var title = ""
        @Attribute(.range(0...1000)) var nights = 0
        @Relationship(inverse: \Trip.stops) var trip: Trip?
        @Relationship(inverse: \Tag.stops) var tags: ObjectSet<Tag>
        @Derived(count: \Stop.tags) var tagCount: Int
    }

    final class Tag: ManagedObject {
        @Attribute(.unique) var name = ""
        @Relationship var stops: ObjectSet<Stop>
    }

    final class Guest: ManagedObject {
        @Attribute var name = ""
        @Relationship(inverse: \Trip.guests) var trip: Trip?
    }

    static let classes: [ManagedObject.Type] = [Trip.self, Stop.self, Tag.self, Guest.self]
}

/// One of several processes that share a document, as far as it is told from others by its folder and its connection.
final class SharingMember {
    let url: URL
    let connection: MemorySharedLog.Connection
    private(set) var document: ManagedDocument?

    init(_ url: URL, _ log: MemorySharedLog) {
        (self.url, connection) = (url, log.connection())
    }

    /// Opens the document, which does nothing by itself.
    nonisolated(nonsending) func open(_ policy: MergePolicy? = nil) async throws {
        var options = ManagedDocument.Options.exchangedByHand()
        options.sharedCommitAge = .seconds(10)
        if let policy { options.sharedMergePolicy = policy }
        document = try await ManagedDocument.open(
            at: url, model: SharingModel.classes, options: options, sharing: connection)
    }

    /// Lets go of the document as a crash would: nothing more is written.
    func crash() { document = nil }

    nonisolated(nonsending) func close() async throws {
        try await document?.close()
        document = nil
    }

    var context: ManagedObjectContext { get throws { try opened.viewContext } }
    var sharing: DocumentSharing { get throws { try require(opened.sharing) } }
    var opened: ManagedDocument { get throws { try require(document) } }

    nonisolated(nonsending) func synchronize() async throws { try await sharing.synchronize() }

    /// All that the document holds, in an order that is the same for everybody who holds the same.
    func content() throws -> [String] { try opened.store.content() }

    private struct Missing: Error {}

    private func require<Value>(_ value: Value?) throws -> Value {
        guard let value else { throw Missing() }
        return value
    }
}

extension GraphStore {
    /// All that the store holds, in an order that is the same for everybody who holds the same.
    ///
    /// Members of relationships without an order are sorted, and so are objects: they lie in the order in which a member
    /// made them or got them.
    func content() throws -> [String] {
        let snapshot = snapshot()
        try snapshot.checkIntegrity()
        return snapshot.records.map { record in
            let values = record.propertyNames.map { name in
                guard case .objects(let members)? = record[name] else {
                    return "\(name): \(record[name]?.description ?? "")"
                }
                let list = members.map(\.description)
                let isOrdered = name == "stops" && record.id.entity == "Trip"
                return "\(name): \(isOrdered ? list : list.sorted())"
            }
            return "\(record.id) \(values)"
        }.sorted()
    }
}

/// Runs a test with two members of one log.
nonisolated(nonsending) func withTwoMembers(
    _ policy: MergePolicy? = nil,
    _ body:
        nonisolated(nonsending) (SharingMember, SharingMember, MemorySharedLog)
        async throws -> Void
) async throws {
    try await withTemporaryDirectory { directory in
        let log = MemorySharedLog()
        let first = SharingMember(directory.appending(path: "first"), log)
        let second = SharingMember(directory.appending(path: "second"), log)
        try await first.open(policy)
        try await second.open(policy)
        try await body(first, second, log)
    }
}

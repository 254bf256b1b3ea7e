import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// An import says how many records became new objects, and how many updated others.
@Suite struct ImportSummaryTests {
    final class Updating: ManagedObject {
        @Attribute(.unique(onClash: .update)) var key: String
        @Attribute var value = 0
    }

    final class Keeping: ManagedObject {
        @Attribute(.unique(onClash: .keep)) var key: String
        @Attribute var value = 0
    }

    /// What two imports do, the second with two records of an object of the first and one of another.
    private func summaries<Object: ManagedObject>(
        of type: Object.Type, _ policy: ImportPolicy<Object> = .insert
    ) async throws -> [ImportSummary] {
        let store = try GraphStore(model: [type])
        return try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "file.csv")
            var summaries: [ImportSummary] = []
            for lines in ["a,1", "a,2\na,3\nb,4\nb,5"] {
                try Data("key,value\n\(lines)\n".utf8).write(to: url)
                summaries.append(
                    try await store.importObjects(into: type, from: url, as: .csv, policy: policy))
            }
            #expect(try ManagedObjectContext(store).count(FetchRequest<Object>()) == 2)
            return summaries
        }
    }

    @Test func `records that become an object which is there update it`() async throws {
        let expected = [ImportSummary(inserted: 1), ImportSummary(inserted: 1, updated: 3)]
        #expect(try await summaries(of: Updating.self) == expected)
        #expect(try await summaries(of: Keeping.self) == expected)
        #expect(try await summaries(of: Updating.self, .upsert(by: \.key)) == expected)
    }
}

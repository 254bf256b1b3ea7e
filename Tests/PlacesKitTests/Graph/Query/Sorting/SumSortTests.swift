import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

private final class Account: ManagedObject {
    @Attribute(.unique) var name: String
    @Relationship var entries: ObjectSet<Entry>
}

private final class Entry: ManagedObject {
    @Attribute var serial: UInt64 = 0
    @Attribute var whole = 0
    @Attribute var amount: Decimal = 0
    @Relationship(inverse: \Account.entries) var account: Account?
}

/// Records that are sorted by sums, which are numbers of several kinds.
@Suite struct SumSortTests {
    private static let serials: [String: [UInt64]] = [
        "a nothing": [], "b zero": [0], "c five": [2, 3], "d most": [.max], "e beyond": [.max, 1],
    ]
    private static let wholes: [String: [Int]] = [
        "a below": [.min, .min], "b least": [.min], "c minus": [-3], "d nothing": [], "e two": [2],
        "f most": [.max], "g beyond": [.max, .max],
    ]
    /// Close to the greatest decimal there is.
    private static let most = "3" + String(repeating: "0", count: 38) + "e127"
    private static let amounts = [
        "a below": ["-" + most, "-" + most], "b minus": ["-1.5"], "c nothing": [],
        "d half": ["0.5"],
        "e beyond": [most, most],
    ]

    /// The names of the accounts, as a reader sorts them by a sum.
    private func sorted(
        _ path: String, _ make: (ManagedObjectContext) throws -> Void
    ) async throws -> (up: [String], down: [String], page: [String]) {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: [Account.self, Entry.self])
            try make(document.viewContext)
            try await document.save()
            let reader = try await DocumentReader.open(at: url)
            func names(_ rest: String) throws -> [String] {
                try reader.records(RecordQuery("Account SORT \(path) \(rest)")).map {
                    guard case .attribute(.string(let name)) = $0["name"] else { return "" }
                    return name
                }
            }
            let names = (
                try names(", name"), try names("DESC, name"), try names("LIMIT 1")
            )
            try await document.close()
            return names
        }
    }

    private func fill<Value>(
        _ context: ManagedObjectContext, _ accounts: [String: [Value]],
        _ set: (Entry, Value) -> Void
    ) {
        for (name, values) in accounts.sorted(by: { $0.key > $1.key }) {
            let account = Account(context: context)
            account.name = name
            for value in values {
                let entry = Entry(context: context)
                set(entry, value)
                entry.account = account
            }
        }
    }

    @Test func `sums of unsigned numbers are sorted with those of nothing`() async throws {
        let (up, down, page) = try await sorted("entries.@sum.serial") { context in
            fill(context, Self.serials) { $0.serial = $1 }
        }
        let names = Self.serials.keys.sorted()
        #expect(up == names)
        #expect(down == names.dropFirst(2).reversed() + names.prefix(2))
        #expect(page == [names[1]])
    }

    @Test func `sums that 64 bits do not hold are sorted with those that they hold`() async throws {
        let (up, down, _) = try await sorted("entries.@sum.whole") { context in
            fill(context, Self.wholes) { $0.whole = $1 }
        }
        #expect(up == Self.wholes.keys.sorted())
        #expect(down == up.reversed())
    }

    @Test func `sums that no decimal holds are sorted with those that are decimals`() async throws {
        let (up, down, _) = try await sorted("entries.@sum.amount") { context in
            fill(context, Self.amounts) { $0.amount = Decimal(string: $1) ?? 0 }
        }
        #expect(up == Self.amounts.keys.sorted())
        #expect(down == up.reversed())
    }
}

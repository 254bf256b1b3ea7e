import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Files of a shared document that are damaged, cut off or lost.
@Suite(.serialized) struct SharingDamageTests {
    private typealias Trip = SharingModel.Trip

    /// Damages a file of a document for which three commits wait, and gives its path.
    private nonisolated(nonsending) func damage(
        _ member: SharingMember, _ prefix: String, _ change: (inout Data) -> Void
    ) async throws -> String {
        Trip(context: try member.context).title = "shared"
        try await member.opened.save(durability: .shared)
        member.connection.cut()
        for number in 0..<3 {
            Trip(context: try member.context).title = "\(number)"
            try await member.opened.save()
        }
        try await member.close()
        let names = try FileManager.default.contentsOfDirectory(
            atPath: member.url.path(percentEncoded: false))
        let file = member.url.appending(path: names.first { $0.hasPrefix(prefix) } ?? prefix)
        var bytes = (try? Data(contentsOf: file)) ?? Data()
        change(&bytes)
        try bytes.write(to: file)
        return file.path(percentEncoded: false)
    }

    /// The ends of the lines.
    private func ends(_ bytes: Data) -> [Int] {
        bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
    }

    @Test(arguments: ["outbox-", "conflicts.jsonl", "sharing.json"])
    func `a file of sharing that keeps a document from being opened is a problem`(
        prefix: String
    ) async throws {
        try await withTwoMembers { first, _, _ in
            let path = try await damage(first, prefix) { bytes in
                switch prefix {
                case "outbox-": bytes[ends(bytes)[1] - 30] ^= 1
                case "sharing.json": bytes[bytes.count / 2] ^= 1
                default: bytes = Data("{}\n".utf8)
                }
            }
            let report = try await ManagedDocument.verify(at: first.url)
            #expect(report.problems.map(\.file) == [path])
            #expect(!report.canBeOpened)
            await #expect(throws: DocumentError.self) { try await first.open() }
        }
    }

    @Test func `a file of waiting commits that was cut off is a finding`() async throws {
        try await withTwoMembers { first, _, _ in
            let path = try await damage(first, "outbox-") { $0 = $0.prefix(ends($0)[1] + 20) }
            let report = try await ManagedDocument.verify(at: first.url)
            #expect(report.problems.isEmpty && report.canBeOpened)
            #expect(report.recovery.findings.count == 1)
            #expect(report.recovery.findings.first?.description.hasPrefix(path) == true)
            try await first.open()
            #expect(try first.opened.recovery == report.recovery)
            let trips = try first.context.fetch(FetchRequest<Trip>()).map(\.title)
            #expect(trips == ["shared"])
        }
    }

    private nonisolated(nonsending) func save(
        _ title: String, in member: SharingMember, _ durability: ManagedDocument.Durability
    ) async throws {
        Trip(context: try member.context).title = title
        try await member.opened.save(durability: durability)
    }

    @Test func `the next save writes a new snapshot in place of a damaged one, also offline`()
        async throws
    {
        try await withTwoMembers { first, _, _ in
            try await save("one", in: first, .shared)
            try await first.opened.compact()
            try await save("two", in: first, .shared)
            try await first.close()
            try emptyLatestSnapshot(of: first.url)
            first.connection.cut()
            try await first.open()
            #expect(try first.opened.recovery.findings.count == 1)
            try await save("three", in: first, .disk)
            try await first.close()
            try await first.open()
            #expect(try first.opened.recovery.isEmpty)
            #expect(try first.content().count == 3)
            first.connection.heal()
            try await first.synchronize()
            #expect(try first.content().count == 3)
        }
    }

    @Test
    func `a shared document whose folder is gone can be copied, and closed once it is given up`()
        async throws
    {
        try await withTwoMembers { first, _, _ in
            try await first.synchronize()
            try FileManager.default.removeItem(at: first.url)
            Trip(context: try first.context).title = "own"
            let error = await #expect(throws: DocumentError.self) {
                try await first.opened.save()
            }
            guard case .replaced? = error else { throw Unexpected(error) }
            #expect(error?.description.contains("duplicate(to:)") == true)
            let copy = first.url.appendingPathExtension("copy")
            await #expect(throws: DocumentError.self) { try await first.opened.save(as: copy) }
            try await first.opened.duplicate(to: copy)
            let found = try await ManagedDocument.open(at: copy, model: SharingModel.classes)
            #expect(try found.viewContext.fetch(FetchRequest<Trip>()).map(\.title) == ["own"])
            try await found.close()
            await #expect(throws: DocumentError.self) { try await first.close() }
            try first.opened.revert()
            try await first.close()
        }
    }

    @Test func `a sound document for which commits wait is sound`() async throws {
        try await withTwoMembers { first, _, _ in
            _ = try await damage(first, "outbox-") { _ in }
            let report = try await ManagedDocument.verify(at: first.url)
            #expect(report.isSound)
            #expect((report.lastCommit, report.waitingCount, report.objectCount) == (4, 3, 4))
        }
    }

    @Test func `a document with waiting commits is not opened as one that is not shared`()
        async throws
    {
        try await withTwoMembers { first, _, _ in
            _ = try await damage(first, "outbox-") { _ in }
            try FileManager.default.removeItem(at: first.url.appending(path: "sharing.json"))
            #expect(try await !ManagedDocument.verify(at: first.url).canBeOpened)
            await #expect(throws: DocumentError.self) {
                try await ManagedDocument.open(at: first.url, model: SharingModel.classes)
            }
            let reader = try await DocumentReader.open(at: first.url)
            #expect(try reader.records(RecordQuery("Trip")).count == 4)
        }
    }

    @Test func `files of others beside a document that is not shared are no problem`()
        async throws
    {
        try await withTemporaryDirectory { directory in
            let url = directory.appending(path: "document")
            let document = try await ManagedDocument.open(at: url, model: SharingModel.classes)
            try await document.save()
            try await document.close()
            for name in ["sharing.json", "conflicts.jsonl", "outbox-0.jsonl"] {
                try Data("[1]\n".utf8).write(to: url.appending(path: name))
            }
            #expect(try await ManagedDocument.verify(at: url).isSound)
            #expect(try await DocumentReader.open(at: url).waitingCount == 0)
        }
    }
}

/// Empties the snapshot of a document's latest generation, of which there are fewer than ten.
func emptyLatestSnapshot(of url: URL) throws {
    let names = try FileManager.default.contentsOfDirectory(atPath: url.path)
    let latest = try #require(names.filter { $0.hasPrefix("snapshot-") }.max())
    try Data().write(to: url.appending(path: latest))
}

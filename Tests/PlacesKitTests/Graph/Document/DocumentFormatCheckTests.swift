import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Documents, as somebody reads them who knows only the article about their format.
@Suite struct DocumentFormatCheckTests {
    private static let formats: [ManagedDocument.Format] = [
        .json, .xmlPropertyList, .binaryPropertyList,
    ]

    /// Options of a document that writes when it is told to, and begins generations often or never.
    private func options(_ format: ManagedDocument.Format, seed: UInt64) -> ManagedDocument.Options
    {
        var options = ManagedDocument.Options()
        options.format = format
        options.autosave = nil
        options.keepsHistory = seed.isMultiple(of: 2)
        options.journalLimit =
            seed.isMultiple(of: 3)
            ? .init(ratio: 0, minimum: 0) : .init(ratio: 100, minimum: 1 << 20)
        return options
    }

    /// Opens a document twice, changes and saves it some times, and checks its files each time.
    private func check(
        _ model: [ManagedObject.Type], _ options: ManagedDocument.Options, saves: Int,
        compacts: Bool = false, edit: (ManagedObjectContext) throws -> Void
    ) async throws {
        try await withTemporaryDirectory { url in
            for round in 0..<2 {
                let document = try await ManagedDocument.open(
                    at: url, model: model, options: options)
                for _ in 0..<saves {
                    try edit(document.viewContext)
                    try await document.save(durability: .system)
                    try await checkDocumentFormat(at: url)
                }
                if compacts, round == 0 { try await document.compact() }
                try await document.close()
                try await checkDocumentFormat(at: url)
            }
        }
    }

    @Test(arguments: formats, [UInt64](1...3))
    func `values and links of every type are in the files as the format says`(
        format: ManagedDocument.Format, seed: UInt64
    ) async throws {
        var random = RandomItems(seed: seed)
        try await check(
            DocumentModel.types, options(format, seed: seed), saves: 2, compacts: true
        ) { try random.change($0, times: 20) }
    }

    @Test(arguments: formats, [UInt64](1...3))
    func `lists, hierarchies and bytes in files are as the format says`(
        format: ManagedDocument.Format, seed: UInt64
    ) async throws {
        var random = JournalEdits(seed: seed)
        try await check(JournalModel.types, options(format, seed: seed), saves: 4) {
            try random.change($0, times: 12)
        }
    }

    private final class Key: ManagedObject {
        @Attribute(.unique) var bytes: Data?
        @Attribute(.unique) var date: Date?
    }

    @Test(arguments: formats)
    func `unique bytes of one length and dates of one second are no contradiction`(
        format: ManagedDocument.Format
    ) async throws {
        var number: UInt8 = 0
        try await check([Key.self], options(format, seed: 1), saves: 2, compacts: true) { context in
            for _ in 0..<2 {
                let key = Key(context: context)
                key.bytes = Data([number, 2, 3])
                key.date = Date(timeIntervalSinceReferenceDate: Double(number) / 8)
                number += 1
            }
        }
    }

    @Test(arguments: [.max, .max - 1, -1] as [Int64])
    func `a journal that begins with a commit that no document reaches is told`(
        commit: Int64
    ) async throws {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options(.json, seed: 1))
            for _ in 0..<2 {
                _ = JournalModel.Album(context: document.viewContext)
                try await document.save()
            }
            try await document.close()
            let names = try FileManager.default.contentsOfDirectory(atPath: url.path())
            for name in names where name.hasPrefix("journal-") {
                let file = url.appending(path: name)
                let text = try String(contentsOf: file, encoding: .utf8)
                // Each line ends with the checksum of what comes before.
                let lines = text.split(separator: "\n").map { line in
                    let start = line.dropLast(#","crc":"00000000"}"#.utf8.count)
                        .replacing(/"commit":\d+/, with: #""commit":\#(commit)"#)
                    let checksum = Array(start.utf8).withUnsafeBytes(CRC32.checksum)
                    return #"\#(start),"crc":"\#(CRC32.text(of: checksum))"}"# + "\n"
                }
                try Data(lines.joined().utf8).write(to: file)
            }
            let error = await #expect(throws: StoredDocumentError.self) {
                try await checkDocumentFormat(at: url)
            }
            #expect(error?.description.contains("begins with commit \(commit)") == true)
        }
    }

    /// A document of two albums and two works, whose snapshot is changed by hand.
    private func findings(replacing text: String, with other: String) async throws -> String? {
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(
                at: url, model: JournalModel.types, options: options(.json, seed: 1))
            for number in 0..<2 {
                let album = JournalModel.Album(context: document.viewContext)
                let work = JournalModel.Work(context: document.viewContext)
                work.code = "code \(number)"
                album.works.append(work)
            }
            try await document.save()
            try await document.compact()
            try await document.close()
            try await checkDocumentFormat(at: url)
            let manifest = try JSONDecoder().decode(
                [String: JSONValue].self,
                from: Data(contentsOf: url.appending(path: "manifest.json")))
            guard case .string(let name)? = manifest["snapshot"] else { return nil }
            let file = url.appending(path: name)
            let snapshot = try String(contentsOf: file, encoding: .utf8)
            #expect(snapshot.contains(text), "\(snapshot)")
            try Data(snapshot.replacing(text, with: other).utf8).write(to: file)
            let error = await #expect(throws: StoredDocumentError.self) {
                try await checkDocumentFormat(at: url)
            }
            return error?.description
        }
    }

    @Test(arguments: [
        (#""code":"code 1""#, #""code":"code 0""#, "both have"),
        (#""code":"code 1""#, #""code":7"#, "holds what is no string"),
        (#""code":"code 1""#, #""kode":"code 1""#, "stores nothing as kode"),
        (#"{"id":1,"code":"code 1""#, #"{"id":0,"code":"code 1""#, "is there twice"),
        (#""album":1"#, #""album":5"#, "which is not there"),
        (#""album":1"#, #""album":"1""#, "is no number"),
        (#""inverse":"works""#, #""inverse":"readers""#, "does not lead back"),
        (#""placeskit":1"#, #""placeskit":3"#, "another format"),
    ])
    func `what contradicts the format is told`(
        text: String, other: String, finding: String
    ) async throws {
        let findings = try #require(try await findings(replacing: text, with: other))
        #expect(findings.contains(finding), "\(findings)")
    }
}

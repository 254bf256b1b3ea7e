import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// What is left of a snapshot that is damaged somewhere.
@Suite struct SalvageTests {
    private final class Note: ManagedObject {
        @Attribute(.unique) var title = ""
        @Relationship(inverse: \Folder.notes) var folder: Folder?
    }
    private final class Folder: ManagedObject {
        @Attribute var title = ""
        @Relationship var notes: OrderedObjectSet<Note>
    }
    /// Its objects could be folders as well.
    private final class Label: ManagedObject {
        @Attribute var title = ""
    }

    private static let types: [ManagedObject.Type] = [Note.self, Folder.self, Label.self]
    private static let (url, copy) = (
        URL(filePath: "/Notes", directoryHint: .notDirectory),
        URL(filePath: "/Copy", directoryHint: .notDirectory)
    )

    /// An object in the text of a snapshot.
    private struct Entry: Hashable {
        var entity: String
        var title: String
    }

    /// The objects of a snapshot, and where each stands.
    private static func entries(of bytes: [UInt8]) -> [Entry: Range<Int>] {
        var (entries, entity) = ([Entry: Range<Int>](), "")
        for line in bytes.split(separator: UInt8(ascii: "\n")) {
            let text = String(decoding: line, as: UTF8.self)
            let parts = text.split(separator: "\"")
            if text.hasPrefix("\""), text.hasSuffix("\":[") { entity = String(parts[0]) }
            guard text.hasPrefix(#"{"id":"#), let key = parts.firstIndex(of: "title") else {
                continue
            }
            let entry = Entry(entity: entity, title: String(parts[key + 2]))
            entries[entry] = line.startIndex..<line.endIndex - (text.hasSuffix(",") ? 1 : 0)
        }
        return entries
    }

    private func makeDocument(
        _ files: CrashingFiles, count: Int = 3
    ) async throws -> (bytes: [UInt8], entries: [Entry: Range<Int>]) {
        let document = try await ManagedDocument.open(
            at: Self.url, model: Self.types, options: .savedByHand(), files: files)
        let context = document.viewContext
        let folders = ["east", "west"].map { title in
            let folder = Folder(context: context)
            folder.title = "folder \(title)"
            return folder
        }
        for number in 0..<count {
            let note = Note(context: context)
            (note.title, note.folder) = ("note \(number * 111)", folders[number % 2])
        }
        folders[0].notes.move(fromOffsets: [0], toOffset: folders[0].notes.count)
        for title in ["one", "two"] { Label(context: context).title = "label \(title)" }
        try await document.close()
        let bytes = try files.read(Self.snapshot)
        return (bytes, Self.entries(of: bytes))
    }

    private static let snapshot = FilePath("/Notes/snapshot-1.json")

    /// Salvages the document with other bytes in its snapshot.
    private func salvage(
        _ bytes: [UInt8], _ files: CrashingFiles
    ) async throws -> (report: DocumentReport, entries: Set<Entry>) {
        let files = files.afterProcessDeath()
        let file = try files.open(Self.snapshot, mode: .append)
        try file.truncate(to: 0)
        try file.write(bytes)
        try file.close()
        let report = try await ManagedDocument.salvage(
            from: Self.url, to: Self.copy, files: files)
        let copy = try files.read(FilePath("/Copy/snapshot-1.json"))
        return (report, Set(Self.entries(of: copy).keys))
    }

    /// Expects each object back in whose text no byte of a range was damaged.
    private func expect(
        _ entries: [Entry: Range<Int>], withoutThoseIn range: Range<Int>, of bytes: [UInt8],
        _ files: CrashingFiles, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let whole = Set(entries.filter { !$0.value.overlaps(range) }.keys)
        let text = String(decoding: bytes, as: UTF8.self)
        do {
            let (report, found) = try await salvage(bytes, files)
            let missing = whole.subtracting(found).map(\.title)
            #expect(missing == [], "\(range): \(text)\n\(report)", sourceLocation: sourceLocation)
            #expect(
                found.count >= entries.count || !report.problems.isEmpty, "\(range)",
                sourceLocation: sourceLocation)
        } catch {
            #expect(whole.isEmpty, "\(range): \(error)", sourceLocation: sourceLocation)
        }
    }

    @Test func `a damaged byte of a snapshot costs no object but the one that has it`()
        async throws
    {
        let files = CrashingFiles()
        let (bytes, entries) = try await makeDocument(files)
        try #require(entries.count == 7, "\(String(decoding: bytes, as: UTF8.self))")
        for position in bytes.indices {
            // None of these makes the number of another object of a number.
            let damages = [0, bytes[position] ^ 1 << 2, bytes[position] ^ 1 << 5]
            var damaged = bytes
            damaged[position] = damages[position % damages.count]
            try await expect(entries, withoutThoseIn: position..<position + 1, of: damaged, files)
        }
    }

    @Test func `a snapshot that is cut off anywhere keeps the objects before`() async throws {
        let files = CrashingFiles()
        let (bytes, entries) = try await makeDocument(files)
        for count in bytes.indices {
            try await expect(
                entries, withoutThoseIn: count..<bytes.count, of: Array(bytes[..<count]), files)
        }
    }

    @Test(arguments: [2, 9, 33, 120, 400])
    func `zeros in a snapshot cost only the objects in which they are`(count: Int) async throws {
        let files = CrashingFiles()
        let (bytes, entries) = try await makeDocument(files)
        for start in stride(from: 0, through: bytes.count - count, by: 5) {
            let range = start..<start + count
            var damaged = bytes
            damaged.replaceSubrange(range, with: repeatElement(0, count: count))
            try await expect(entries, withoutThoseIn: range, of: damaged, files)
        }
    }

    @Test func `however many lines are damaged, the others are kept and each is told`()
        async throws
    {
        let files = CrashingFiles()
        let (bytes, _) = try await makeDocument(files, count: 2_400)
        let text = String(decoding: bytes, as: UTF8.self).replacing(
            /"title":"note (\d*[13579])"/
        ) { #""titel":"note \#($0.1)""# }
        let (report, entries) = try await salvage(Array(text.utf8), files)
        #expect(entries.count == 1_204)
        #expect(report.objectCount == 1_204)
        #expect(report.problems.count { $0.description.hasPrefix("Left out") } == 1_200)
    }

    @Test func `links to what is lost are told with their places, however many there are`()
        async throws
    {
        let files = CrashingFiles()
        let (bytes, _) = try await makeDocument(files, count: 2_400)
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing(#""title":"folder east""#, with: #""titel":"folder east""#)
        let (report, _) = try await salvage(Array(text.utf8), files)
        #expect(report.objectCount == 2_403)
        let lost = report.problems.map(\.description).filter { $0.hasPrefix("Left a link out") }
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        let places = lines.enumerated().compactMap { line, text in
            text.contains(#""note "#) && text.contains(#""folder":0"#) ? line + 1 : nil
        }
        #expect(places.count == 1_200)
        #expect(lost.count == places.count)
        for (link, line) in zip(lost, places) {
            #expect(link.contains("for line \(line), column"), "\(link)")
        }
    }

    /// A snapshot as editors format it, or all in one line.
    private static func reformatted(_ text: String, isPretty: Bool) -> String {
        var (result, depth, isInText) = ("", 0, false)
        func lineEnd() -> String { isPretty ? "\n" + String(repeating: "  ", count: depth) : "" }
        for character in text where character != "\n" {
            if character == "\"" { isInText.toggle() }
            switch character {
            case "{" where !isInText, "[" where !isInText:
                depth += 1
                result += "\(character)\(lineEnd())"
            case "}" where !isInText, "]" where !isInText:
                depth -= 1
                result += "\(lineEnd())\(character)"
            case "," where !isInText: result += ",\(lineEnd())"
            case ":" where !isInText: result += isPretty ? " : " : ":"
            default: result.append(character)
            }
        }
        return result
    }

    @Test(
        arguments: [true, false],
        [
            (#""note 111""#, "111", ["note 111"]), (#"note 111""#, "note 111", ["note 111"]),
            (#""label one""#, #""label one","x":{"id":[]}"#, ["label one"]),
            (#""label one""#, #""label one"}"#, []),
        ])
    func `a mistake in a snapshot that was formatted otherwise costs only the object that has it`(
        isPretty: Bool, edit: (old: String, new: String, lost: [String])
    ) async throws {
        let files = CrashingFiles()
        let (bytes, entries) = try await makeDocument(files)
        let text = String(decoding: bytes, as: UTF8.self)
        let formatted = Self.reformatted(text, isPretty: isPretty)
        let parts = formatted.components(separatedBy: edit.old)
        try #require(parts.count == 2, "\(formatted)")
        let damaged = parts.joined(separator: edit.new)
        let (report, found) = try await salvage(Array(damaged.utf8), files)
        #expect(Set(entries.keys).subtracting(found).map(\.title) == edit.lost)
        #expect(
            report.problems.count { $0.description.hasPrefix("Left out for") } == edit.lost.count)
    }

    @Test func `columns of what is left out are counted in Unicode scalars`() async throws {
        let files = CrashingFiles()
        let (bytes, _) = try await makeDocument(files)
        let damaged = Self.reformatted(String(decoding: bytes, as: UTF8.self), isPretty: false)
            .replacing(#""note 0""#, with: #""nöte 0""#).replacing(#""note 111""#, with: "111")
        let (report, _) = try await salvage(Array(damaged.utf8), files)
        let problem = try #require(
            report.problems.first { $0.description.hasPrefix("Left out for") })
        let found = try #require(
            problem.description.firstMatch(of: /line 1, column (\d+) \(byte (\d+)\)/))
        let (column, byte) = (Int(found.1) ?? 0, Int(found.2) ?? 0)
        let before = String(decoding: damaged.utf8.prefix(byte), as: UTF8.self)
        #expect(before.hasSuffix(#""title":"#) && before.contains("ö"))
        #expect(column == before.unicodeScalars.count + 1)
    }

    @Test func `keys of a snapshot that was formatted otherwise may have escapes`() async throws {
        let files = CrashingFiles()
        let (bytes, entries) = try await makeDocument(files)
        let formatted = Self.reformatted(String(decoding: bytes, as: UTF8.self), isPretty: true)
            .replacing(#""Note""#, with: #""\u004eote""#)
            .replacing(#""title""#, with: #""titl\u0065""#)
        let damaged = formatted.replacing(#""note 111""#, with: "111")
        let (report, found) = try await salvage(Array(damaged.utf8), files)
        #expect(Set(entries.keys).subtracting(found).map(\.title) == ["note 111"], "\(report)")
        #expect(report.problems.count { $0.description.hasPrefix("Left out for") } == 1)
    }

    @Test func `objects that share what must be unique are left out but the first`()
        async throws
    {
        let files = CrashingFiles()
        let (bytes, entries) = try await makeDocument(files, count: 9)
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing(#""note 222""#, with: #""note 111""#)
            .replacing(#""note 777""#, with: #""note 444""#)
        let (report, found) = try await salvage(Array(text.utf8), files)
        #expect(
            Set(entries.keys).subtracting(found).map(\.title).sorted() == ["note 222", "note 777"])
        #expect(report.objectCount == 11)
    }

    @Test func `a link that its other end does not confirm costs no object`() async throws {
        let files = CrashingFiles()
        let (bytes, entries) = try await makeDocument(files)
        let text = String(decoding: bytes, as: UTF8.self)
            .replacing(#""title":"note 0","folder":0"#, with: #""title":"note 0","folder":1"#)
        let (report, found) = try await salvage(Array(text.utf8), files)
        #expect(found == Set(entries.keys))
        #expect(report.problems.count == 2, "\(report)")
    }

    // MARK: - Journals

    /// Opens the document.
    private func open(_ files: CrashingFiles) async throws -> ManagedDocument {
        try await ManagedDocument.open(
            at: Self.url, model: Self.types, options: .savedByHand(), files: files)
    }

    @Test func `commits at the end of a journal that cannot be read are told`() async throws {
        let files = CrashingFiles()
        let document = try await open(files)
        for number in 1...6 {
            Note(context: document.viewContext).title = "note \(number)"
            try await document.save(durability: number < 3 ? .disk : .system)
        }
        // As if it had been killed then.
        let damaged = files.afterProcessDeath()
        try await document.close()
        let journal = FilePath("/Notes/journal-1.jsonl")
        let bytes = try damaged.read(journal)
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        damaged.damage(journal.description, at: ends[2] + 20, with: 0)
        let check = try await ManagedDocument.verify(at: Self.url, files: damaged)
        #expect(check.recovery.findings.count == 1 && check.lastCommit == 3)
        let report = try await ManagedDocument.salvage(
            from: Self.url, to: Self.copy, files: damaged)
        #expect(!report.isSound && report.lastCommit == 3)
        #expect(report.recovery == check.recovery)
    }

    @Test(arguments: ["journal-2.jsonl", "snapshot-2.json"])
    func `a file that the manifest names and that is gone is told`(name: String) async throws {
        let files = CrashingFiles()
        let document = try await open(files)
        Note(context: document.viewContext).title = "one"
        try await document.save()
        try await document.compact()
        Note(context: document.viewContext).title = "two"
        try await document.close()
        try files.remove(FilePath("/Notes/\(name)"))
        let report = try await ManagedDocument.salvage(from: Self.url, to: Self.copy, files: files)
        #expect(report.problems.map(\.file) == ["/Notes/\(name)"], "\(report)")
        #expect(report.objectCount == (name.hasPrefix("journal") ? 1 : 2))
    }

    @Test func `a copy of another journal that is not made again is told`() async throws {
        let files = CrashingFiles()
        let document = try await open(files)
        for title in ["one", "two"] {
            Note(context: document.viewContext).title = title
            try await document.save()
        }
        try await document.close()
        try files.replaceFile(
            at: FilePath("/Notes/journal-2.jsonl"),
            with: files.read(FilePath("/Notes/journal-1.jsonl")))
        let report = try await ManagedDocument.salvage(from: Self.url, to: Self.copy, files: files)
        #expect(report.problems.map(\.file) == ["/Notes/journal-2.jsonl"], "\(report)")
        #expect(report.lastCommit == 2 && report.objectCount == 2)
    }

    @Test(arguments: [false, true])
    func `where nothing can be read, to salvage is no advice`(isMissing: Bool) async throws {
        let files = CrashingFiles()
        _ = try await makeDocument(files)
        if isMissing {
            try files.remove(Self.snapshot)
        } else {
            try files.replaceFile(at: Self.snapshot, with: Array("nothing".utf8))
        }
        let error = await #expect(throws: DocumentError.self) {
            try await ManagedDocument.salvage(from: Self.url, to: Self.copy, files: files)
        }
        guard case .nothingToSalvage("/Notes", let reason)? = error else { throw Unexpected(error) }
        #expect(reason.contains("/Notes/snapshot-1.json is \(isMissing ? "missing" : "damaged")"))
        #expect(error?.description.contains("salvage(") == false)
        #expect(try !files.exists(FilePath("/Copy")))
    }

    @Test func `objects of which no commit is told have one in the new document`() async throws {
        let files = CrashingFiles()
        _ = try await makeDocument(files)
        try files.replaceFile(
            at: FilePath("/Notes/journal-1.jsonl"), with: Array("nothing\n".utf8))
        let report = try await ManagedDocument.salvage(from: Self.url, to: Self.copy, files: files)
        #expect(report.lastCommit == 1 && report.objectCount == 7 && !report.problems.isEmpty)
        let copy = try await DocumentReader.open(at: Self.copy, files: files)
        #expect(copy.commit.number == 1)
    }
}

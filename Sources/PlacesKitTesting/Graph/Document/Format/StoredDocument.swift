import Foundation
import PlacesGraph

/// The content of the files in a document's directory, read by the steps of <doc:DocumentFormat>.
struct StoredDocument {
    private(set) var graph: StoredGraph
    /// The last commit in the files; of a shared document the last one that its log is known to have.
    private(set) var commit: Int64
    private let directory: URL

    init(at directory: URL) throws {
        self.directory = directory
        let generation = try Self.generation(in: directory)
        graph = try Self.snapshot(generation, in: directory)
        commit = 0
        var isWhole = true
        let outboxes = try Self.names(in: directory).compactMap {
            Self.number(of: $0, "outbox-")
        }
        var (states, lines) = ([Int64: StoredGraph](), [Int64: [String: StoredTree]]())
        for number in try Self.journals(in: directory) where number >= generation {
            let journal = try StoredJournal(
                Data(contentsOf: directory.appending(path: "journal-\(number).jsonl")))
            guard journal.generation == number else {
                throw StoredDocumentError("journal-\(number).jsonl says it is another")
            }
            let first = journal.commit
            if number == generation {
                commit = first
            } else if !isWhole || first > commit {
                graph = try Self.snapshot(number, in: directory)
                commit = first
            } else if first < commit {
                throw StoredDocumentError(
                    "journal-\(number).jsonl begins before the one before it ends")
            }
            guard journal.schema == graph.schema else {
                throw StoredDocumentError(
                    "journal-\(number).jsonl has another schema than its snapshot")
            }
            if outboxes.contains(commit) { states[commit] = graph }
            for line in journal.lines {
                guard line["commit"] == .integer(commit + 1) else {
                    throw StoredDocumentError(
                        "journal-\(number).jsonl goes from \(commit) to another commit than the next"
                    )
                }
                commit += 1
                try graph.apply(line)
                lines[commit] = line
                if outboxes.contains(commit) { states[commit] = graph }
            }
            isWhole = journal.isWhole
        }
        guard let base = outboxes.filter({ $0 <= commit }).max(), let state = states[base] else {
            return
        }
        try addOutbox(after: base, state, lines)
    }

    /// Applies commits that the log may not have.
    private mutating func addOutbox(
        after base: Int64, _ state: StoredGraph, _ known: [Int64: [String: StoredTree]]
    ) throws {
        let outbox = try StoredJournal(
            Data(contentsOf: directory.appending(path: "outbox-\(base).jsonl")))
        let numbered = Array(zip((base + 1)..., outbox.lines))
        let isInJournal = numbered.prefix { $0.0 <= commit }.allSatisfy {
            Self.said(by: $0.1) == known[$0.0].map { Self.said(by: $0) }
        }
        if !isInJournal { (graph, commit) = (state, base) }
        for (number, line) in numbered where number > commit { try graph.apply(line) }
    }

    /// What a line says, but for who made it and which bytes it refers to.
    private static func said(by line: [String: StoredTree]) -> [String: StoredTree] {
        let others: Set = ["opening", "sequence", "values", "model", "synced", "crc"]
        return line.filter { !others.contains($0.key) }
    }

    /// The bytes of a file in `blobs`, for the reference in a value.
    func bytes(of reference: [String: StoredTree]) throws -> Data {
        if let digest = reference["sha256"]?.text {
            let folder = directory.appending(path: "blobs")
            let files = try FileManager.default.contentsOfDirectory(
                at: folder, includingPropertiesForKeys: nil)
            let found = try files.lazy.map { try Data(contentsOf: $0) }
                .first { $0.withUnsafeBytes(SharedValue.digest(of:)) == digest }
            guard let found else {
                throw StoredDocumentError("no file in blobs has the bytes of a digest")
            }
            return found
        }
        guard let number = reference["blob"]?.integer, let count = reference["bytes"]?.integer,
            let checksum = reference["crc"]?.text
        else { throw StoredDocumentError("a value with external storage is no reference") }
        let bytes = try Data(contentsOf: directory.appending(path: "blobs/\(number)"))
        guard bytes.count == count, StoredJournal.checksum(bytes) == checksum else {
            throw StoredDocumentError("blobs/\(number) has other bytes than a value says")
        }
        return bytes
    }

    // MARK: - Files

    /// The current generation: that of the manifest, or that of the newest file snapshot.
    private static func generation(in directory: URL) throws -> Int64 {
        if let bytes = try? Data(contentsOf: directory.appending(path: "manifest.json")) {
            let manifest = try StoredTree(json: bytes).members ?? [:]
            guard let format = manifest["placeskit"]?.integer, (1...2).contains(format),
                let generation = manifest["generation"]?.integer
            else { throw StoredDocumentError("the manifest names no generation") }
            return generation
        }
        let snapshots = try names(in: directory).compactMap { number(of: $0, "snapshot-") }
        guard let newest = snapshots.max() else {
            throw StoredDocumentError("there is neither a manifest nor a snapshot")
        }
        return newest
    }

    private static func snapshot(_ generation: Int64, in directory: URL) throws -> StoredGraph {
        let file = directory.appending(path: "snapshot-\(generation)")
        if let bytes = try? Data(contentsOf: file.appendingPathExtension("json")) {
            return try StoredGraph(snapshot: StoredTree(json: bytes))
        }
        var graph = try StoredGraph(
            snapshot: StoredTree(
                propertyList: Data(contentsOf: file.appendingPathExtension("plist"))))
        try graph.readTextsOfJSON()
        return graph
    }

    private static func journals(in directory: URL) throws -> [Int64] {
        try names(in: directory).compactMap { number(of: $0, "journal-") }.sorted()
    }

    private static func names(in directory: URL) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: directory.path(percentEncoded: false))
    }

    private static func number(of name: String, _ prefix: String) -> Int64? {
        guard name.hasPrefix(prefix), let dot = name.lastIndex(of: ".") else { return nil }
        return Int64(name[name.index(name.startIndex, offsetBy: prefix.count)..<dot])
    }
}

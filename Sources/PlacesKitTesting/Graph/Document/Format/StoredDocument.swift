import Foundation

/// The content of the files in a document's directory, read by the steps of <doc:DocumentFormat>.
struct StoredDocument {
    private(set) var graph: StoredGraph
    /// The last commit in the files.
    private(set) var commit: Int64
    private let directory: URL

    init(at directory: URL) throws {
        self.directory = directory
        let generation = try Self.generation(in: directory)
        graph = try Self.snapshot(generation, in: directory)
        commit = 0
        var isWhole = true
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
            for line in journal.lines {
                guard line["commit"] == .integer(commit + 1) else {
                    throw StoredDocumentError(
                        "journal-\(number).jsonl goes from \(commit) to another commit than the next"
                    )
                }
                commit += 1
                try graph.apply(line)
            }
            isWhole = journal.isWhole
        }
    }

    /// The bytes of a file in `blobs`, for the reference in a value.
    func bytes(of reference: [String: StoredTree]) throws -> Data {
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

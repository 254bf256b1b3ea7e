import Foundation
import PlacesBase

extension DocumentDirectory {
    /// Reads what the document holds, or held after an earlier commit that is kept.
    ///
    /// The snapshot that the manifest names is read, and the journals from its own on, each going on
    /// where the one before it ends. If the snapshot is damaged an earlier one does, as long as the
    /// journals lead from it to the last commit without a gap.
    ///
    /// - Parameters:
    ///   - layout: Where values lie; `nil` reads the files by the schema that they have.
    ///   - checks: What checks values that may be none of their types, by entity and property.
    ///   - limit: The number of the last commit that is wanted; `nil` for all.
    ///   - progress: Is told how many bytes there are, and how many were read.
    /// - Returns: What the files hold.
    /// - Throws: `DocumentError`, or `FileSystemError`.
    func read(
        _ layout: GraphLayout?, checks: [[Int: ValueCheck]] = [], upTo limit: Int? = nil,
        progress: Progress? = nil
    ) throws -> DocumentContent {
        let (snapshots, journals) = try generations()
        guard let manifest = try manifest(snapshots, journals) else {
            guard let layout else {
                throw DocumentError.incomplete(
                    file: path.appending(DocumentFile.manifestName).description)
            }
            return DocumentContent(
                graph: Graph(layout: layout), commit: .beforeAll,
                highestGeneration: (snapshots + journals).max() ?? 0)
        }
        var chain = DocumentChain(
            directory: self, layout: layout, checks: checks, manifest: manifest,
            snapshots: snapshots, journals: journals, limit: limit, progress: progress)
        var failures: [(generation: Int64, error: DocumentError)] = []
        let earlier = snapshots.filter { $0 < manifest.generation && journals.contains($0) }
        for generation in [manifest.generation] + earlier.reversed() {
            if try chain.begins(tooLate: generation) { continue }
            do {
                var content = try chain.read(from: generation)
                for failure in failures {
                    content.recovery.findings.insert(
                        .unusableSnapshot(
                            file: snapshot(failure.generation).description,
                            reason: failure.error.reason,
                            usedInstead: snapshot(generation).name), at: 0)
                }
                if !failures.isEmpty {
                    content.passedOver = Set(failures.map(\.generation))
                    content.needsGeneration = true
                    // What is written next goes beside the generation that was read.
                    if content.generation == manifest.generation {
                        content.generation = generation
                    }
                } else if !manifest.hasJournal,
                    try !files.exists(path.appending(DocumentFile.manifestName))
                {
                    content.recovery.findings.append(
                        .snapshotAlone(
                            file: snapshot(generation).description,
                            journal: journal(generation).name))
                }
                return content
            } catch let error as DocumentError {
                guard error.isDamage(of: snapshot(generation)) else {
                    // A way around a damaged snapshot that is damaged itself is none; one of another
                    // model may be.
                    if case .differentModel = error, layout != nil { throw error }
                    throw failures.first?.error ?? error
                }
                failures.append((generation, error))
            }
        }
        throw failures.first?.error
            ?? DocumentError.incomplete(file: snapshot(manifest.generation).description)
    }

    /// The manifest, or what it would say if it had not been lost; `nil` where nothing was saved yet.
    func manifest(
        _ snapshots: [Int64], _ journals: [Int64]
    ) throws -> DocumentManifest? {
        if let written = try writtenManifest() { return written }
        // Which of two counts that somebody has put there, nothing else tells.
        if let last = snapshots.last, snapshots.dropLast().last == last {
            let file = path.appending(DocumentFile.manifestName)
            throw DocumentError.incomplete(file: file.description)
        }
        // A snapshot has its name only when it is whole. So the newest one is the document's content,
        // whether its manifest was lost or not yet written.
        return snapshots.last.map {
            DocumentManifest(snapshot: snapshotName($0), hasJournal: journals.contains($0))
        }
    }

    /// What the manifest's file says; `nil` where there is none.
    func writtenManifest() throws -> DocumentManifest? {
        let file = path.appending(DocumentFile.manifestName)
        guard try files.exists(file) else { return nil }
        return try naming(file) {
            try DocumentManifest(files.read(file, prefix: DocumentFile.manifestLimit))
        }
    }
}

/// The files that make up a document, from a snapshot on.
private struct DocumentChain {
    let directory: DocumentDirectory
    /// Where values lie; `nil` where the files tell it.
    let layout: GraphLayout?
    let checks: [[Int: ValueCheck]]
    let manifest: DocumentManifest
    let snapshots: [Int64]
    let journals: [Int64]
    /// The last commit that is wanted.
    let limit: Int?
    /// Is told how many bytes there are, and how many were read.
    let progress: Progress?

    /// Whether a generation's snapshot is of a later commit than the last one that is wanted.
    func begins(tooLate generation: Int64) throws -> Bool {
        guard let limit else { return false }
        guard journals.contains(generation) else { return limit > 0 }
        return try directory.beginning(of: generation).header.commit.number > limit
    }

    /// Reads the snapshot of a generation and the journals from its own on.
    mutating func read(from generation: Int64) throws -> DocumentContent {
        var entities: [EntityDescription] = []
        try prepareProgress(from: generation)
        let path = directory.snapshot(generation)
        let (snapshot, blobs) = try directory.naming(path) {
            try readSnapshot(at: path, of: generation) { entities = $0 }
        }
        var content = snapshot
        content.blobs = blobs.references
        guard manifest.hasJournal || generation != manifest.generation else { return content }
        guard journals.contains(generation) else {
            throw DocumentError.incomplete(file: directory.journal(generation).description)
        }
        var replay = JournalReplay(content.graph, checks: checks, blobs: blobs)
        let chain = journals.filter { $0 >= generation }
        for (index, journal) in chain.enumerated() {
            let path = directory.journal(journal)
            let next = index + 1 < chain.count ? chain[index + 1] : nil
            let isRestart = next.map(snapshots.contains) ?? false
            // What is wrong with the next one is found when it is read.
            let end = next.flatMap { try? directory.beginning(of: $0).header.commit }
            let identity = directory.files.identity(of: path)
            let part = try directory.reading(path) {
                bytes -> (position: JournalPosition, outcome: JournalFile.Outcome)? in
                let file = try JournalFile(bytes, of: journal == generation ? journal : nil)
                let (header, number) = (file.header, content.commit.number)
                if journal == generation { content.commit = header.commit }
                guard header.generation == journal, header.commit.number >= content.commit.number
                else {
                    // Of a copy of another journal the one before it is not to blame.
                    throw JournalFile.failure(
                        expected: "what follows commit \(number), not a copy of another file")
                }
                if header.commit.number > content.commit.number { return nil }
                entities = file.header.entities
                try replay.use(file.header)
                var last = content.commit
                let outcome = try file.forEachRecord(
                    after: last, upTo: limit, isLast: next == nil || isRestart
                ) { line, number in
                    // A disk that failed, or a member that was killed, may have left what the next journal has again.
                    if let end, last.isSame(as: end) { return nil }
                    progress?.completedUnitCount += Int64(line.count + 1)
                    last = try replay.apply(line, after: number)
                    return last
                }
                return (file.position(after: outcome, of: journal, identity), outcome)
            }
            guard let (position, outcome) = part else {
                throw DocumentError.incomplete(
                    file: directory.journal(chain[index - 1]).description)
            }
            content.commit = outcome.commit
            if limit.map({ outcome.commit.number >= $0 }) ?? false { break }
            // A program that keeps folders in step may bring the manifest before the files that it names.
            guard next != nil || !manifest.hasJournal || journal >= manifest.generation else {
                throw DocumentError.incomplete(
                    file: directory.journal(manifest.generation).description)
            }
            content.position = position
            if let next, isRestart, !outcome.leads(to: end) {
                // The disk had failed, and a new generation was begun as a whole.
                return try read(from: next)
            }
            if next == nil, let tail = outcome.tail {
                content.isTorn = true
                content.recovery.findings.append(tail.finding(in: path, outcome.commit))
            }
        }
        if replay.isChanged { content.graph = replay.finish() }
        content.blobs = blobs.references
        if let progress { progress.completedUnitCount = progress.totalUnitCount }
        // What follows in a journal has the names of the schema at its top.
        if !entities.haveSameText(as: content.graph.schema.entities) {
            content.needsGeneration = true
        }
        // Bytes that stand where references should are held in memory until a snapshot is written.
        if blobs.foundBytes { content.needsGeneration = true }
        return content
    }

    /// Reads a snapshot, in pieces if that is possible.
    private func readSnapshot(
        at path: FilePath, of generation: Int64,
        onEntities: @escaping ([EntityDescription]) -> Void
    ) throws -> (DocumentContent, BlobReader) {
        let files = directory.files
        let onProgress = { [progress] (count: Int) in
            progress?.completedUnitCount += Int64(count)
            return
        }
        func content(_ graph: Graph, _ format: SnapshotFormat, _ count: Int) -> DocumentContent {
            DocumentContent(
                graph: graph, commit: .beforeAll,
                generation: max(generation, manifest.generation),
                highestGeneration: (snapshots + journals).max() ?? 0, format: format,
                snapshotCount: count)
        }
        if let layout {
            let blobs = BlobReader(directory.blobs)
            let window = try SnapshotWindow(files.openForReading(path))
            let format = SnapshotFormat(of: window.lines)
            if let graph = try SnapshotReader.read(
                window, schema: layout.schema, checks: checks, blobs: blobs,
                onProgress: onProgress, onEntities: onEntities)
            {
                return (content(graph, format, try files.status(of: path)?.size ?? 0), blobs)
            }
            progress?.completedUnitCount = 0
        }
        let blobs = BlobReader(directory.blobs)
        let bytes = try directory.content(of: path)
        let graph = try SnapshotReader.read(
            bytes, schema: try layout?.schema ?? SnapshotSchema.schema(ofSnapshot: bytes),
            checks: checks, blobs: blobs, onProgress: onProgress, onEntities: onEntities)
        return (content(graph, SnapshotFormat(of: bytes), bytes.count), blobs)
    }

    private func prepareProgress(from generation: Int64) throws {
        guard let progress else { return }
        let paths =
            [directory.snapshot(generation)]
            + journals.filter { $0 >= generation }.map(directory.journal)
        let sizes = try paths.map { try directory.files.status(of: $0)?.size ?? 0 }
        progress.begin(sizes.reduce(0, +))
    }
}

extension JournalFile.Outcome {
    /// Whether a journal that begins after a commit goes on here; behind what is no whole line only after the same one.
    fileprivate func leads(to next: Commit?) -> Bool {
        guard let next, next.number == commit.number else { return false }
        return tail == nil || commit.isSame(as: next)
    }
}

extension Commit {
    /// What an empty graph is.
    static let beforeAll = Commit(
        number: 0, date: Date(timeIntervalSinceReferenceDate: 0), author: nil)
}

extension [EntityDescription] {
    /// Whether a file says the same of both.
    fileprivate func haveSameText(as others: [EntityDescription]) -> Bool {
        func text(_ entities: [EntityDescription]) -> [UInt8] {
            var writer = JSONWriter()
            entities.write(to: &writer)
            return writer.bytes
        }
        return text(self) == text(others.written)
    }
}

extension DocumentError {
    /// Whether a file is damaged or missing.
    fileprivate func isDamage(of path: FilePath) -> Bool {
        switch self {
        case .damaged(let file, _), .incomplete(let file): file == path.description
        default: false
        }
    }

    /// What is wrong with the file, without its name.
    fileprivate var reason: String {
        switch self {
        case .damaged(_, let error): "it is damaged at \(error)"
        default: "it is missing"
        }
    }
}

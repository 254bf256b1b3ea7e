public import Foundation
import PlacesBase

extension ManagedDocument {
    /// Makes a new document of everything that can still be read of a damaged one.
    ///
    /// The damaged document is not changed. Salvaging reads the newest file snapshot that leads to
    /// the latest commit, and the journals after it up to the first damaged record. If no intact file
    /// snapshot leads to the commits that are there, as after a migration whose file snapshot is
    /// damaged, it leaves out the damaged lines of the newest one in JSON that has others, and the
    /// links to their objects. If an earlier one is intact, that is done only where later commits
    /// have changed as many objects as are missing, and the report says how to have the other. Of a
    /// shared document it also reads the commits that wait for the log. As it knows no classes, it keeps
    /// JSON that a `Codable` type cannot read.
    ///
    /// - Parameters:
    ///   - source: The file URL of the damaged document.
    ///   - destination: A path where nothing exists yet.
    /// - Returns: What was left out, and what the new document has.
    /// - Throws: `DocumentError.nothingToSalvage` if all is damaged or missing; another one if a newer version of PlacesKit wrote
    ///   the files, if the system cannot read them, or if the new document cannot be written.
    public nonisolated(nonsending) static func salvage(
        from source: URL, to destination: URL
    ) async throws -> DocumentReport {
        try await salvage(from: source, to: destination, files: DiskFileSystem())
    }

    package nonisolated(nonsending) static func salvage(
        from source: URL, to destination: URL, files: any FileSystem
    ) async throws -> DocumentReport {
        let (source, destination) = (FilePath(source), FilePath(destination))
        return try await DocumentQueue().run {
            let directory = try DocumentDirectory(
                at: source, createsDocument: false, isReadOnly: true, files: files)
            var (salvage, committed) = try DocumentSalvage.read(directory)
            var attempt = 0
            while true {
                attempt += 1
                do {
                    // Whoever has to mend something can read JSON.
                    try DocumentDirectory.make(
                        committed, at: destination, as: .json, access: directory.updateAccess(),
                        files, progress: nil
                    ).directory.close()
                    return salvage.report
                } catch let error as ExternalStorageError {
                    if salvage.isOvertaken, attempt < DocumentSalvage.attemptLimit {
                        (salvage, committed) = try DocumentSalvage.read(directory)
                        continue
                    }
                    let count = salvage.report.problems.count
                    committed.graph = salvage.withoutUnreadableBlobs(committed.graph)
                    guard salvage.report.problems.count > count else { throw error }
                }
            }
        }
    }
}

/// Reads what can be read of a damaged document.
struct DocumentSalvage {
    /// A file that begins with so many zeros is not read to its end, however large it says to be.
    private static let prefixCount = 1 << 20

    let directory: DocumentDirectory
    var report = DocumentReport()
    /// The files that need the bytes of what was read.
    var users: [FilePath] = []
    /// Whether files went before they were read: somebody who writes the document has put what they had into others.
    var hasMissed = false

    private let blobs: BlobReader
    /// The commits on which files of waiting commits begin, and what they left, as far as it was read.
    private var bases: [Int] = []
    private var states: [Int: CommittedGraph] = [:]
    /// The commits that were read.
    private var records: [Int: ChangeRecord] = [:]

    init(directory: DocumentDirectory) {
        self.directory = directory
        blobs = BlobReader(directory.blobs)
    }

    /// The latest state that some snapshot leads to.
    mutating func read() throws -> CommittedGraph {
        // Before the journals, which have what a file has when that goes.
        do {
            bases = try directory.outboxBases()
        } catch {
            note(directory.path, "\(error)")
        }
        let (snapshots, journals) = try directory.generations()
        do {
            if let manifest = try directory.manifest(snapshots, journals) {
                noteMissing(of: manifest, snapshots, journals)
            }
        } catch let error as FileSystemError {
            note(directory.path.appending(DocumentFile.manifestName), error.description)
        } catch {
            // Nothing of it is needed.
        }
        // Somebody may write more while it reads.
        let ends = journals.compactMap { journal in
            lastCommit(of: journal).map { (journal: journal, commit: $0) }
        }
        let last = ends.map(\.commit).max() ?? 0
        var (best, intact, tail) = (
            CommittedGraph?.none, Int64.min, DocumentRecovery.Finding?.none
        )
        var damaged: [Int64] = []
        var firstError: (any Error)?
        for snapshot in snapshots.reversed() {
            do {
                let graph = try directory.reading(directory.snapshot(snapshot)) { bytes in
                    // What was migrated has earlier snapshots of another schema. In a journal it is known to be whole.
                    let schema = try? directory.schema(ofJournal: snapshot)
                    return try SnapshotReader.read(
                        bytes, schema: try schema ?? SnapshotSchema.schema(ofSnapshot: bytes),
                        blobs: blobs)
                }
                let (found, end) = followJournals(graph, from: snapshot)
                if found.number > best?.number ?? -1 {
                    (best, intact, tail) = (found, snapshot, end)
                }
            } catch {
                note(directory.snapshot(snapshot), failure: error)
                firstError = firstError ?? error
                damaged.append(snapshot)
            }
        }
        for snapshot in damaged where snapshot > intact && last > best?.number ?? -1 {
            // What there is to say of its lines does not count if it is not taken in the end.
            var attempt = self
            do {
                guard let graph = try attempt.readLines(of: snapshot) else { continue }
                let (found, end) = attempt.followJournals(graph, from: snapshot, isPartial: true)
                guard max(graph.objectCount, found.graph.objectCount) > 0,
                    found.number > best?.number ?? -1
                else { continue }
                if let whole = best {
                    let missing = whole.graph.objectCount - graph.objectCount
                    let changes = ChangeSet(from: graph, to: found.graph).tables
                    guard missing <= changes.reduce(0, { $0 + $1.count }) else {
                        note(
                            snapshot, leadingTo: found, "without its damaged lines",
                            without: "before number \(snapshot)")
                        continue
                    }
                    attempt.note(
                        intact, leadingTo: whole, "without a loss",
                        without: "from number \(snapshot) on")
                }
                (self, best, intact, tail) = (attempt, found, snapshot, end)
                break
            } catch {
                note(directory.snapshot(snapshot), "\(error)")
            }
        }
        guard var best else {
            let file = directory.snapshot(1).description
            throw DocumentError(firstError ?? DocumentError.incomplete(file: file))
                .afterSalvage(of: directory.path)
        }
        for end in ends where end.commit > best.number {
            note(
                directory.journal(end.journal),
                "Left out what follows commit \(best.number), up to commit \(end.commit)")
        }
        users = [directory.snapshot(intact)] + bases.map(directory.outbox)
        if let tail { report.recovery.findings.append(tail) }
        best = addWaiting(to: best)
        report.lastCommit = best.number
        report.objectCount = best.graph.objectCount
        return best
    }

    mutating func note(_ file: FilePath, _ problem: String) {
        report.problems.append(
            DocumentReport.Problem(file: file.description, description: problem))
    }

    /// Tells of a snapshot that could have been taken as well, and how to have it.
    private mutating func note(
        _ snapshot: Int64, leadingTo other: CommittedGraph, _ how: String, without files: String
    ) {
        note(
            directory.snapshot(snapshot),
            """
            Not used, though \(how) it leads to commit \(other.number) with \(other.graph.objectCount) \
            objects; to have these, salvage a copy of the folder without snapshots and journals \(files)
            """)
    }

    /// The last commit that a journal has or comes after, as far as it is whole; `nil` for none.
    ///
    /// What a migration made of another commit is not one that could be lost.
    func lastCommit(of journal: Int64) -> Int? {
        var last: Int?
        try? directory.reading(directory.journal(journal)) { bytes in
            let file = try JournalFile(bytes, of: journal)
            var commit = file.header.commit
            if !file.header.isMigration { last = commit.number }
            _ = try file.forEachRecord(after: commit) { _, number in
                commit.number = number + 1
                last = commit.number
                return commit
            }
        }
        return last
    }

    /// Makes the commits of the journals from a generation on again, up to the first that cannot be, and tells what is no
    /// whole record there; where the graph is partial, without what concerns lost objects.
    private mutating func followJournals(
        _ graph: Graph, from generation: Int64, isPartial: Bool = false
    ) -> (read: CommittedGraph, tail: DocumentRecovery.Finding?) {
        var commit = Commit.beforeAll
        guard let journals = try? directory.generations().journals else {
            return (CommittedGraph(graph: graph, commit: commit), nil)
        }
        var (good, tail) = (graph, DocumentRecovery.Finding?.none)
        for (position, journal) in journals.enumerated() where journal >= generation {
            let path = directory.journal(journal)
            let next = journals.dropFirst(position + 1).first
            let end = next.flatMap { try? directory.beginning(of: $0).header.commit }
            var replay = JournalReplay(good, checks: [], blobs: blobs)
            var isDamaged = false
            do {
                try directory.reading(path) { bytes in
                    let file = try JournalFile(bytes, of: journal)
                    if journal == generation {
                        commit = file.header.commit
                        keep(good, after: commit)
                    }
                    guard file.header.commit.number == commit.number else {
                        isDamaged = true
                        return
                    }
                    try replay.use(file.header)
                    let outcome = try file.forEachRecord(after: commit, isLast: true) {
                        // The next journal has it again.
                        if let end, commit.isSame(as: end) { return nil }
                        // A record is made again wholly or not at all.
                        var attempt = JournalReplay(
                            replay.finish(), checks: [], blobs: blobs)
                        try attempt.use(file.header)
                        var losses: [JSONError] = []
                        if isPartial { attempt.onLoss = { losses.append($0) } }
                        let next = try attempt.apply($0, after: $1)
                        for loss in losses {
                            note(path, "Left a part of commit \(next.number) out: \(loss.kind)")
                        }
                        replay = attempt
                        commit = next
                        keep(replay.finish(), after: commit, $0)
                        return next
                    }
                    tail = outcome.tail?.finding(in: path, commit)
                    isDamaged = tail != nil && end.map(commit.isSame) != true
                }
            } catch {
                note(path, failure: error)
                isDamaged = true
            }
            good = replay.finish()
            if isDamaged { break }
        }
        return (CommittedGraph(graph: good, commit: commit), tail)
    }

    /// Keeps what a commit left, if others may have been made on it, and the commit.
    private mutating func keep(
        _ graph: @autoclosure () -> Graph, after commit: Commit,
        _ line: UnsafeRawBufferPointer? = nil
    ) {
        guard !bases.isEmpty else { return }
        if let line { records[commit.number] = try? ChangeRecord(line: Array(line)) }
        guard bases.contains(commit.number), states[commit.number] == nil else { return }
        states[commit.number] = CommittedGraph(graph: graph(), commit: commit)
    }

    /// Makes the commits again that a shared log may not have, up to the first that cannot be.
    private mutating func addWaiting(to read: CommittedGraph) -> CommittedGraph {
        // Nobody was told of those that begin on what was never there.
        guard let base = bases.last(where: { $0 <= read.number }) ?? bases.first else {
            return read
        }
        let path = directory.outbox(after: base)
        var (start, good, count) = (read, read, 0)
        do {
            try directory.reading(path) { bytes in
                count = bytes.count { $0 == UInt8(ascii: "\n") } - 1
                let waiting = try WaitingCommits(bytes, in: directory)
                if base > read.number || !waiting.begin(asUpTo: read.number, { records[$0] }) {
                    guard let state = states[base] else {
                        throw DocumentError.incomplete(file: LogExchange.name(base))
                    }
                    (start, good) = (state, state)
                }
                let (last, tail) = try waiting.forEachNew(after: start.commit) {
                    line, bytes, number in
                    var replay = JournalReplay(good.graph, checks: [], blobs: blobs)
                    try replay.use(waiting.header)
                    replay.know(line.values)
                    good.commit = try replay.apply(bytes, after: number)
                    good.graph = replay.finish()
                    return good.commit
                }
                if let tail { report.recovery.findings.append(tail.finding(in: path, last)) }
            }
        } catch {
            let left = count - min(max(good.number - base, 0), count)
            note(
                path, failure: error,
                "Left out \(left) of \(count) commits that wait for the log: ")
        }
        report.waitingCount = good.number - start.number
        guard report.waitingCount > 0 else { return read }
        if good.number < read.number {
            note(path, "Left out commit \(good.number + 1) and later ones, which the log has.")
        }
        return good
    }

    /// Reads a damaged snapshot without the lines that cannot be read; `nil` if it has none.
    private mutating func readLines(of snapshot: Int64) throws -> Graph? {
        let schema = try (try? directory.schema(ofJournal: snapshot)) ?? directory.newestSchema()
        let path = directory.snapshot(snapshot)
        let json = SnapshotName(generation: snapshot, format: .json)
        let start = try directory.files.read(path, prefix: Self.prefixCount)
        guard directory.snapshotName(snapshot) == json, !schema.entities.isEmpty,
            start.contains(where: { $0 != 0 })
        else { return nil }
        let bytes = try directory.files.read(path)
        func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }
        let scan = SnapshotScan(of: bytes, schema: schema, blobs: blobs)
        for (error, range) in scan.losses { note(path, "Left out for \(error): \(text(range))") }
        let remains = try SnapshotReader.read(scan, of: bytes, blobs: blobs)
        for object in remains.duplicates {
            note(path, "Left out for another has what must be unique: \(text(object.range))")
        }
        for link in remains.lostLinks { note(path, "Left a link out for \(link)") }
        return remains.graph
    }
}

import PlacesBase

/// Reads all generations of a document as who looks at its history does, and finds what is wrong with their files.
struct GenerationCheck {
    private let directory: DocumentDirectory
    private let snapshots: Set<Int64>
    private let journals: [Int64]

    private(set) var problems: [DocumentReport.Problem] = []
    /// The last file that needs a blob, which says whether it should be there.
    private(set) var users: [BlobReference: FilePath] = [:]

    /// What the files before lead to, and the last of them; `nil` where that is not known.
    private var reached: (committed: CommittedGraph, journal: FilePath)?

    init(of directory: DocumentDirectory) throws {
        self.directory = directory
        let (snapshots, journals) = try directory.generations()
        (self.snapshots, self.journals) = (Set(snapshots), journals)
    }

    /// Reads them, the earliest first.
    mutating func run() throws {
        for generation in snapshots.union(journals).sorted() { try check(generation) }
    }

    private mutating func check(_ generation: Int64) throws {
        let reader = BlobReader(directory.blobs)
        let snapshot = directory.snapshot(generation)
        var graph: Graph?
        if snapshots.contains(generation) {
            let problem = try directory.problem(of: snapshot) { bytes in
                let schema = try SnapshotSchema.schema(ofSnapshot: bytes)
                graph = try SnapshotReader.read(bytes, schema: schema, blobs: reader)
            }
            if let problem { problems.append(problem) }
        }
        // Only a document of format 1 needs a snapshot without a journal, and its blobs are found when it is opened. Others
        // were left by a crash, and their blobs may have gone.
        guard journals.contains(generation) else { return }
        try checkJournal(of: generation, on: graph, reader)
        let isSnapshot = snapshots.contains(generation)
        let user = isSnapshot ? snapshot : directory.journal(generation)
        for reference in reader.references { users[reference] = user }
    }

    /// Makes the commits of a journal again on its snapshot, or on what comes before it.
    private mutating func checkJournal(
        of generation: Int64, on graph: Graph?, _ blobs: BlobReader
    ) throws {
        let former = reached
        reached = nil
        let path = directory.journal(generation)
        let next = journals.first { $0 > generation }
        let isRestart = next.map(snapshots.contains) ?? false
        var end: CommittedGraph?
        let problem = try directory.problem(of: path) { bytes in
            let file = try JournalFile(bytes, of: generation)
            let start = try start(of: file.header, on: graph, after: former)
            var replay = start.map { JournalReplay($0.graph, checks: [], blobs: blobs) }
            try replay?.use(file.header)
            // What a disk has cut short is no commit: that of the last one is told when the document is opened, and behind
            // an earlier one a generation was begun as a whole.
            let outcome = try file.forEachRecord(
                after: file.header.commit, isLast: next == nil || isRestart
            ) { line, number in
                let record = try ChangeRecord(line: Array(line))
                return try replay?.apply(line, after: number)
                    ?? Commit(number: number + 1, date: record.date, author: record.author)
            }
            if var replay { end = CommittedGraph(graph: replay.finish(), commit: outcome.commit) }
        }
        if let problem { problems.append(problem) }
        reached = end.map { ($0, path) }
    }

    /// What a journal goes on from; `nil` where it is not known.
    private func start(
        of header: JournalHeader, on graph: Graph?,
        after former: (committed: CommittedGraph, journal: FilePath)?
    ) throws -> CommittedGraph? {
        if let graph { return CommittedGraph(graph: graph, commit: header.commit) }
        guard let former else { return nil }
        let number = former.committed.number
        if header.commit.number == number { return former.committed }
        // Where there is a snapshot, the disk had failed, or the snapshot was damaged.
        if snapshots.contains(header.generation) { return nil }
        guard header.commit.number > number else {
            throw JournalFile.failure(expected: "what follows commit \(number)")
        }
        throw DocumentError.incomplete(file: former.journal.description)
    }
}

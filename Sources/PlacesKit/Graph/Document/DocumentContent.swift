/// What a document's files hold.
struct DocumentContent: Sendable {
    var graph: Graph
    /// The commit that left the graph.
    var commit: Commit
    /// The last commit that a shared log has, where commits come after it that the log may not have.
    var confirmed: Commit?
    /// The files as they were before it was read, where commits may wait.
    var looked: DocumentFollower.LookedFiles?
    /// The generation that the manifest names, or a later one that was begun as a whole, or an earlier one that stands in
    /// for a damaged snapshot: those before it are not needed; 0 where nothing was saved yet.
    var generation: Int64 = 0
    /// The highest number that any file has.
    var highestGeneration: Int64 = 0
    /// The journal that was read last, as far as its lines are whole; `nil` where what was read is not what
    /// comes before the next line.
    var position: JournalPosition?
    /// Whether whoever writes the document has to begin a new generation.
    var needsGeneration = false
    /// Whether the journal has something after them.
    var isTorn = false
    /// What the snapshot is written as, and its length.
    var format = SnapshotFormat.json
    var snapshotCount = 0
    /// Whether it was made with another model, and is as no file has it.
    var isMigrated = false
    /// Whether a newer model made it, of which what is not known was left out.
    var isOfNewerModel = false
    /// The defaults that objects have because it was migrated.
    var madeDefaults = MadeDefaults()
    /// The blobs to which the files that were read refer.
    var blobs: Set<BlobReference> = []
    /// The generations whose snapshots are damaged, and another one stands in for them.
    var passedOver: Set<Int64> = []
    /// What was not as it should be.
    var recovery = DocumentRecovery()

    /// The blobs to which the snapshots refer that were read; those of damaged ones, which stay for whoever looks into them
    /// until their generations go, are unknown.
    var blobsOfGenerations: [Int64: Set<Int64>] {
        var numbers = Dictionary(uniqueKeysWithValues: passedOver.map { ($0, Set<Int64>()) })
        numbers[generation] = Set(blobs.map(\.number))
        // A later one that goes on may have been left whole by a crash: its snapshot, which nobody read, names some of these.
        if let goneOn = position?.generation, !needsGeneration {
            numbers[goneOn] = numbers[generation]
        }
        return numbers
    }

    /// How many commits wait for a shared log.
    var waitingCount: Int { confirmed.map { commit.number - $0.number } ?? 0 }

    /// What was read, with the last commit that no log can refuse.
    var committed: CommittedGraph { CommittedGraph(graph: graph, commit: confirmed ?? commit) }
}

import Foundation
import PlacesKit
import PlacesKitTesting

@testable import PlacesGraph
@testable import PlacesKitTests

/// A document beside the run: what is saved, and what its journal tells, must be what the store holds.
final class MachineDocument {
    let document: ManagedDocument
    private let recording: JournalRecording
    /// The graph that was read last, and how many lines of the journal led to it.
    private var former: (graph: Graph, lines: Int)
    /// A reader that stays open, and follows.
    private var follower: ManagedDocument?

    init(at url: URL, now: @escaping @Sendable () -> Date) async throws {
        var options = ManagedDocument.Options()
        options.autosave = nil
        options.now = now
        // Mostly a long journal; now and then the snapshot replaces it.
        options.journalLimit = .init(ratio: 100, minimum: 1 << 20)
        document = try await ManagedDocument.open(
            at: url, model: MachineModel.types, options: options)
        recording = JournalRecording(document.store)
        former = (document.store.head.graph, 0)
    }

    /// What comes of opening the document again; the journal from the last time on must lead there too.
    func reopened(isCompacted: Bool) async throws -> GraphStore {
        let store = document.store
        if isCompacted { try await document.compact() }
        try await document.save(durability: .system)
        try await checkDocumentFormat(at: document.url)
        let reader = try await ManagedDocument.open(
            at: document.url, model: MachineModel.types, options: .init { $0.isReadOnly = true })
        guard reader.recovery.findings.isEmpty else {
            throw Difference(description: "reading found \(reader.recovery.findings)")
        }
        try compare(reader.store.account, with: store.account, "the reopened document")
        let follower = follower ?? reader
        self.follower = follower
        try await follower.refresh()
        try compare(follower.store.account, with: store.account, "the document that follows")
        let unsound = follower.store.head.graph.brokenInvariants(allowingDeniedDeletes: false)
        guard unsound.isEmpty else { throw Difference(description: "following: \(unsound)") }

        let (lines, count) = recording.lines(from: former.lines)
        let replayed = try JournalRecording.replay(lines, from: former.graph, store.model)
        try compare(
            GraphStore(model: store.model, graph: replayed).account, with: store.account,
            "the replayed journal")
        let broken = replayed.brokenInvariants(allowingDeniedDeletes: false)
        guard broken.isEmpty else { throw Difference(description: "\(broken)") }
        former = (reader.store.head.graph, count)
        return reader.store
    }

    private func compare(_ found: [String], with expected: [String], _ what: String) throws {
        guard found != expected else { return }
        throw Difference(
            description: """
                \(what) has \(Set(found).subtracting(expected).sorted().prefix(4)), \
                the store has \(Set(expected).subtracting(found).sorted().prefix(4))
                """)
    }

    private typealias Difference = RandomGraphRun.Difference
}

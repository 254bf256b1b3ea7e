import PlacesKit
import Synchronization

@testable import PlacesGraph

/// The lines of a store's commits, as a journal has them.
final class JournalRecording: Sendable {
    private let recorded = Mutex<[[UInt8]]>([])

    /// Records a store's commits as long as it is there.
    init(_ store: GraphStore) {
        let names = JournalNames(store.model.layout)
        _ = store.addListener(
            CommitListener { [self] commit in
                let line = JournalEncoder.line(commit, names: names, synced: 0)
                recorded.withLock { $0.append(line) }
                return nil
            })
    }

    /// All lines, or those after some that are known already, and how many there are in all.
    func lines(from known: Int = 0) -> (lines: ArraySlice<[UInt8]>, count: Int) {
        recorded.withLock { ($0[known...], $0.count) }
    }

    /// What comes of lines of a journal on a graph.
    static func replay(
        _ lines: ArraySlice<[UInt8]>, from graph: Graph, _ model: ObjectModel
    ) throws -> Graph {
        var replay = JournalReplay(graph, checks: model.classes.map(\.checks))
        for (number, line) in zip(lines.indices, lines) {
            _ = try line.dropLast().withUnsafeBytes { try replay.apply($0, after: number) }
        }
        return replay.finish()
    }
}

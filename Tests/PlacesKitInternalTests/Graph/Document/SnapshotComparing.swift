import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph

/// Tests that read one snapshot in several ways, which must not matter.
protocol SnapshotComparing {
    /// What the snapshots are of.
    var schema: Schema { get }
}

extension SnapshotComparing {
    /// Expects that what is read in pieces of a size, if it can be, is what one core reads of the whole.
    func expectSame(_ bytes: [UInt8], inPiecesOf size: Int, _ what: String) throws -> Bool {
        let window = try SnapshotWindow(FileContent(bytes), size: size)
        guard let graph = try? SnapshotReader.read(window, schema: schema) else { return false }
        let whole = try SnapshotReader.read(bytes, schema: schema)
        #expect(try text(graph) == text(whole), "\(what), in pieces of \(size)")
        #expect(
            graph.brokenInvariants(allowingDeniedDeletes: false).isEmpty,
            "\(what), in pieces of \(size)")
        return true
    }

    /// The snapshot of a graph.
    func text(_ graph: Graph, _ format: SnapshotFormat = .json) throws -> [UInt8] {
        var bytes: [UInt8] = []
        try format.write(graph) { bytes.append(contentsOf: $0) }
        return bytes
    }
}

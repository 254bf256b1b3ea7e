@testable import PlacesGraph

/// Reads bytes as a snapshot in whichever format they begin like, as a whole and in pieces, as a manifest, and
/// writes what was read in every format.
func fuzzSnapshot(_ bytes: [UInt8]) {
    _ = try? DocumentManifest(bytes)
    _ = try? SnapshotSchema.schema(ofSnapshot: bytes)
    let pieces = try? SnapshotWindow(FileContent(bytes), size: 256)
    let pieced = pieces.flatMap { try? SnapshotReader.read($0, schema: layout.schema) }
    let divided = try? SnapshotReader.read(bytes, schema: layout.schema)
    guard let graph = try? SnapshotReader.read(bytes, schema: layout.schema, usesAllCores: false)
    else {
        precondition(pieced == nil && divided == nil, "what is no snapshot was read in pieces")
        return
    }
    let broken = graph.brokenInvariants(allowingDeniedDeletes: false)
    precondition(broken.isEmpty, "\(broken)")
    let text = written(graph, .json)
    precondition(pieced.map { written($0, .json) == text } ?? true, "pieces read as something else")
    precondition(divided.map { written($0, .json) } == text, "units read as something else")
    for format in SnapshotFormat.allCases {
        guard let same = try? SnapshotReader.read(written(graph, format), schema: layout.schema)
        else { preconditionFailure("\(format) cannot be read again") }
        precondition(written(same, .json) == text, "\(format) reads as something else")
    }
}

private func written(_ graph: Graph, _ format: SnapshotFormat) -> [UInt8] {
    var bytes: [UInt8] = []
    guard (try? format.write(graph) { bytes.append(contentsOf: $0) }) != nil else {
        preconditionFailure("\(format) cannot be written")
    }
    return bytes
}

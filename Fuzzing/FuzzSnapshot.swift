/// Reads bytes as a snapshot in whichever format they begin like, as a manifest, and writes what was read in
/// every format.
func fuzzSnapshot(_ bytes: [UInt8]) {
    _ = try? DocumentManifest(bytes)
    _ = try? SnapshotSchema.schema(ofSnapshot: bytes)
    guard let graph = try? SnapshotReader.read(bytes, schema: layout.schema) else { return }
    let broken = graph.brokenInvariants(allowingDeniedDeletes: false)
    precondition(broken.isEmpty, "\(broken)")
    let text = written(graph, .json)
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

import Foundation
import PlacesBase

extension ManagedDocument {
    /// The format of a document's file snapshots; its journal and manifest are JSON.
    public enum Format: String, Sendable, CaseIterable {
        /// JSON, with one object on each line: easy to read in `git diff`, `jq` and an editor.
        case json
        /// A property list in XML.
        case xmlPropertyList
        /// A binary property list.
        case binaryPropertyList
    }
}

typealias SnapshotFormat = ManagedDocument.Format

extension SnapshotFormat {
    /// The format of a file's content.
    init(of bytes: some Collection<UInt8>) {
        if bytes.starts(with: BinaryPropertyListReader.header) {
            self = .binaryPropertyList
        } else if bytes.starts(with: [0xEF, 0xBB, 0xBF, UInt8(ascii: "<")])
            || bytes.first(where: { $0 > 0x20 }) == UInt8(ascii: "<")
        {
            self = .xmlPropertyList
        } else {
            self = .json
        }
    }

    /// What the names of its files end in.
    var fileExtension: String { self == .json ? "json" : "plist" }

    /// Writes a graph, piece by piece, to `sink`.
    ///
    /// - Parameters:
    ///   - graph: The graph.
    ///   - blobs: Writes the blobs; without it their bytes stand where others have references.
    ///   - progress: Is told how many objects there are, and how many were written.
    ///   - sink: Gets the bytes.
    /// - Throws: What `sink` throws.
    func write(
        _ graph: Graph, blobs: BlobWriter? = nil, progress: Progress? = nil,
        to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        switch self {
        case .json: try write(graph, blobs, progress, as: JSONWriter.self, to: sink)
        case .xmlPropertyList:
            try write(graph, blobs, progress, as: XMLPropertyListWriter.self, to: sink)
        case .binaryPropertyList:
            try write(graph, blobs, progress, as: BinaryPropertyListWriter.self, to: sink)
        }
    }

    private func write<Output: SnapshotOutput>(
        _ graph: Graph, _ blobs: BlobWriter?, _ progress: Progress?, as: Output.Type,
        to sink: @escaping (UnsafeRawBufferPointer) throws -> Void
    ) throws {
        var writer = SnapshotWriter<Output>(
            graph: graph, blobs: blobs, progress: progress, sink: sink)
        try writer.writeSnapshot()
    }
}

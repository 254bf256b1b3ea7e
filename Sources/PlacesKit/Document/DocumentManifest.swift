/// The file that makes a directory a document: it names the snapshot that counts.
struct DocumentManifest: Equatable {
    static let fileName = "manifest.json"
    private static let version: Int64 = 1
    private static let keys = JSONKeyTable(["placeskit", "generation", "snapshot"])

    /// How many snapshots were written so far.
    var generation: Int64
    /// The name of the snapshot's file.
    var snapshot: String

    init(generation: Int64) {
        self.generation = generation
        snapshot = "snapshot-\(generation).json"
    }

    /// Reads a manifest.
    init(_ bytes: [UInt8]) throws {
        self = try JSONReader.read(bytes) { json in
            var (version, generation): (Int64?, Int64?)
            var snapshot: String?
            try json.beginObject()
            while let key = try json.nextKey(in: Self.keys) {
                switch key {
                case .known(0): version = try json.readInt64()
                case .known(1): generation = try json.readInt64()
                case .known(2): snapshot = try json.readString()
                case .known, .unknown: try json.skipValue()
                }
            }
            guard let version, let generation, let snapshot, generation >= 0,
                generation < .max, !snapshot.contains("/")
            else {
                throw json.failure(
                    .invalidValue(
                        expected: #"a manifest with "placeskit", "generation" and "snapshot""#))
            }
            guard version <= Self.version else {
                throw SnapshotError.newerFormat(
                    found: Int(version), supported: Int(Self.version))
            }
            var manifest = DocumentManifest(generation: generation)
            manifest.snapshot = snapshot
            return manifest
        }
    }

    /// The text of the manifest.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.writeKey("placeskit")
        writer.write(Self.version)
        writer.writeKey("generation")
        writer.write(generation)
        writer.writeKey("snapshot")
        writer.write(snapshot)
        writer.endObject()
        writer.endLine()
        var bytes: [UInt8] = []
        writer.drain(atLeast: 0) { bytes.append(contentsOf: $0) }
        return bytes
    }
}

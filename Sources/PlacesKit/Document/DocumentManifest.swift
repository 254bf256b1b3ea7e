/// The file that makes a directory a document: it names the snapshot that counts.
struct DocumentManifest: Equatable {
    static let fileName = "manifest.json"
    private static let version: Int64 = 1
    private static let keys = JSONKeyTable(["placeskit", "generation", "snapshot"])

    /// How many snapshots were written so far.
    var generation: Int64

    /// The name of the snapshot's file.
    var snapshot: String { SnapshotName(generation: generation).description }

    init(generation: Int64) { self.generation = generation }

    /// Reads a manifest.
    init(_ bytes: [UInt8]) throws {
        self = try JSONReader.read(bytes) { json in
            var generation: Int64?
            var snapshot: String?
            var isVersionRead = false
            try json.beginObject()
            while let key = try json.nextKey(in: Self.keys) {
                switch key {
                case .known(0):
                    try Self.check(version: try json.readInt64(), json)
                    isVersionRead = true
                case .known(1): generation = try json.readInt64()
                case .known(2): snapshot = try json.readString()
                case .known, .unknown: try json.skipValue()
                }
            }
            guard isVersionRead, let generation, let snapshot,
                let name = SnapshotName(snapshot), name.generation == generation
            else {
                throw json.failure(
                    .invalidValue(
                        expected: """
                            a manifest with "placeskit", "generation" and a "snapshot" of that \
                            generation
                            """))
            }
            return DocumentManifest(generation: generation)
        }
    }

    private static func check(version found: Int64, _ json: borrowing JSONReader) throws {
        guard found > 0 else {
            throw json.failure(.invalidValue(expected: "the number of a format from 1 on"))
        }
        guard found <= version else {
            throw SnapshotError.newerFormat(found: Int(found), supported: Int(version))
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
        writer.beginNewLine()
        var bytes: [UInt8] = []
        writer.drain(atLeast: 0) { bytes.append(contentsOf: $0) }
        return bytes
    }
}

import PlacesBase

/// The file that makes a directory a document: it names the snapshot that counts.
struct DocumentManifest: Equatable {
    /// The newest version that is read; documents of version 1 have no journal.
    private static let version: Int64 = 2
    private enum Key: String, FileKey {
        case version = "placeskit"
        case generation, snapshot, journal
    }
    private static let keys = FileKeys<Key>()

    /// The snapshot's file.
    var snapshot: SnapshotName
    /// Whether there is a journal.
    var hasJournal = true

    /// The number of the snapshot, and of the journal of the commits after it.
    var generation: Int64 { snapshot.generation }

    init(snapshot: SnapshotName, hasJournal: Bool = true) {
        self.snapshot = snapshot
        self.hasJournal = hasJournal
    }

    /// Reads a manifest.
    init(_ bytes: [UInt8]) throws {
        self = try JSONReader.read(bytes) { json in
            var generation: Int64?
            var (snapshot, journal) = (String?.none, String?.none)
            var version: Int64 = 0
            try json.beginObject()
            while let key = try json.nextKey(in: Self.keys) {
                switch key {
                case .version: version = try json.readFormatVersion(upTo: Self.version)
                case .generation: generation = try json.readInt64()
                case .snapshot: snapshot = try json.readString()
                case .journal: journal = try json.readString()
                }
            }
            guard version > 0, let generation, let snapshot,
                let name = SnapshotName(snapshot), name.generation == generation,
                version == 1 || journal == JournalName(generation: generation).description
            else {
                throw json.expected(
                    """
                    a manifest with "placeskit", "generation", and a "snapshot" and a \
                    "journal" of that generation
                    """)
            }
            return DocumentManifest(snapshot: name, hasJournal: version > 1)
        }
    }

    /// Whether a file may be a manifest, or was one: others have files of this name too.
    static func isLike(_ bytes: [UInt8]) -> Bool {
        (try? DocumentManifest(bytes)) != nil
            || String(decoding: bytes, as: UTF8.self).contains("placeskit")
    }

    /// The text of the manifest.
    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.write(hasJournal ? Self.version : 1, for: Key.version)
        writer.write(generation, for: Key.generation)
        writer.write(snapshot.description, for: Key.snapshot)
        if hasJournal {
            writer.write(JournalName(generation: generation).description, for: Key.journal)
        }
        writer.endObject()
        writer.endLine()
        return writer.bytes
    }
}

import PlacesBase

/// Who made a commit of a document that several processes write, and with which model.
struct CommitOrigin: Hashable, Sendable {
    /// The model that a commit was made with.
    struct Model: Hashable, Sendable, CustomStringConvertible {
        /// Which version of the model it is.
        var version: Int64
        /// The checksum of what files tell of the model.
        var digest: String

        init(version: Int64, digest: String) { (self.version, self.digest) = (version, digest) }

        /// The model of a schema.
        init(_ schema: Schema) {
            var writer = JSONWriter()
            schema.entities.written.write(to: &writer)
            version = Int64(schema.version)
            digest = CRC32.text(of: writer.bytes.withUnsafeBytes(CRC32.checksum))
        }

        /// The model of a description; `nil` for any other text.
        init?(_ description: String) {
            let hyphen = description.utf8.firstIndex(of: UInt8(ascii: "-"))
            guard let hyphen, description.utf8.lastIndex(of: UInt8(ascii: "-")) == hyphen,
                let version = Int64(description[..<hyphen])
            else { return nil }
            (self.version, digest) = (version, String(description[hyphen...].dropFirst()))
        }

        /// Checks that what a log has was made with the model of a document.
        ///
        /// - Throws: `DocumentError.newerModel`, or `.differentModel`.
        func check(against model: Model, in name: String, _ path: FilePath) throws {
            guard self != model else { return }
            let (found, known) = (Int(version), Int(model.version))
            guard found <= known else {
                throw DocumentError.newerModel(
                    path: path.description, found: found, supported: known)
            }
            let difference =
                found < known
                ? "it has version \(found), and this process version \(known)"
                : "it has other entities or properties, though both have version \(known)"
            throw DocumentError.differentModel(file: name, differences: [difference])
        }

        /// The version and the checksum, as in `1-1c291ca3`.
        var description: String { "\(version)-\(digest)" }
    }

    /// Which commit it is, whatever its number becomes.
    var id: SharedCommit.ID
    var model: Model
}

extension JSONWriter {
    /// Writes who made a commit, and which values it refers to.
    mutating func write(_ origin: CommitOrigin, _ values: [SharedValue] = []) {
        writeKey(JournalKeys.Record.opening)
        write(origin.id.opening)
        writeKey(JournalKeys.Record.sequence)
        write(origin.id.sequence)
        if !values.isEmpty {
            writeKey(JournalKeys.Record.values)
            write(values)
        }
        writeKey(JournalKeys.Record.model)
        write(origin.model.description)
    }
}

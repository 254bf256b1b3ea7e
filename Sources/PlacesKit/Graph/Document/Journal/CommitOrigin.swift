import PlacesBase

/// Who made a commit of a document that several processes write, and with which model.
struct CommitOrigin: Sendable {
    /// The model that a commit was made with.
    struct Model: Sendable, CustomStringConvertible {
        /// Which version of the model it is.
        var version: Int64
        /// The checksum of what files tell of the model, as far as all who share commits have it alike.
        var digest: String
        /// That of all that files tell of it, which earlier versions wrote; `nil` where only the text is known.
        private var formerDigest: String?

        init(version: Int64, digest: String) { (self.version, self.digest) = (version, digest) }

        /// The model of a schema.
        init(_ schema: Schema) {
            let written = schema.entities.written
            self.init(version: Int64(schema.version), digest: Self.digest(of: written.alike))
            formerDigest = Self.digest(of: written)
        }

        private static func digest(of entities: [EntityDescription]) -> String {
            var writer = JSONWriter()
            entities.write(to: &writer)
            return CRC32.text(of: writer.bytes.withUnsafeBytes(CRC32.checksum))
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
            let isSame = digest == model.digest || digest == model.formerDigest
            guard version != model.version || !isSame else { return }
            let (found, known) = (Int(version), Int(model.version))
            guard found <= known else {
                throw DocumentError.newerModel(
                    path: path.description, found: found, supported: known)
            }
            let difference =
                found < known
                ? "it has version \(found), and this process version \(known)"
                : "it has other entities, properties or unique values, though both have version \(known)"
            throw DocumentError.differentModel(file: name, differences: [difference])
        }

        /// The version and the checksum, as in `1-1c291ca3`.
        var description: String { "\(version)-\(digest)" }
    }

    /// Which commit it is, whatever its number becomes.
    var id: SharedCommit.ID
    var model: Model
}

extension [EntityDescription] {
    /// What all who share commits have alike of a schema: a document opens unchanged with other rules, indexes, derived
    /// attributes and notes.
    fileprivate var alike: [EntityDescription] {
        map { entity in
            EntityDescription(
                name: entity.name, properties: entity.properties.compactMap(\.alike),
                superentity: entity.superentity, uniqueConstraints: entity.uniqueConstraints)
        }
    }
}

extension PropertyDescription {
    /// What all have alike of the property; `nil` where it is derived.
    fileprivate var alike: PropertyDescription? {
        guard isStored else { return nil }
        switch self {
        case .attribute(let attribute):
            var alike = AttributeDescription(
                name: attribute.name, type: attribute.type, isOptional: attribute.isOptional,
                isUnique: attribute.isUnique, allowedValues: attribute.allowedValues)
            alike.usesExternalStorage = attribute.usesExternalStorage
            return .attribute(alike)
        case .relationship(let relationship):
            var alike = RelationshipDescription(
                name: relationship.name, destination: relationship.destination,
                inverse: relationship.inverse, isToMany: relationship.isToMany)
            alike.isOrdered = relationship.isOrdered
            return .relationship(alike)
        }
    }
}

extension JSONWriter {
    /// Writes who made a commit, and which values it refers to.
    mutating func write(_ origin: CommitOrigin, _ values: [SharedValue] = []) {
        write(origin.id.opening, for: JournalKeys.Record.opening)
        write(origin.id.sequence, for: JournalKeys.Record.sequence)
        if !values.isEmpty {
            writeKey(JournalKeys.Record.values)
            write(values)
        }
        write(origin.model.description, for: JournalKeys.Record.model)
    }
}

import GRDB

struct PartRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "part"
    static let connections = hasMany(
        ConnectionRecord.self,
        using: ForeignKey([ConnectionRecord.Columns.source], to: [Columns.id]))
    /// The document that mentions the part.
    static let mentioning = belongsTo(
        DocumentRecord.self, using: ForeignKey([Columns.document], to: [DocumentRecord.Columns.id]))

    var id: Int
    var x: Int
    var y: Int
    var buildDate: Int
    var document: Int
    var composite: Int

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let document = Column(CodingKeys.document)
        static let composite = Column(CodingKeys.composite)
    }
}

struct ConnectionRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "connection"

    var id: Int?
    var length: Int
    var source: Int
    var destination: Int

    enum Columns {
        static let source = Column(CodingKeys.source)
    }
}

struct DocumentRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "document"

    var id: Int
    var title: String
    var text: String

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let title = Column(CodingKeys.title)
    }
}

struct CompositeRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "composite"

    var id: Int
    var buildDate: Int
    var root: Int

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let buildDate = Column(CodingKeys.buildDate)
    }
}

struct UseRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "use"
    static let used = belongsTo(
        CompositeRecord.self,
        using: ForeignKey([Columns.composite], to: [CompositeRecord.Columns.id]))

    var assembly: Int
    var composite: Int

    enum Columns {
        static let assembly = Column(CodingKeys.assembly)
        static let composite = Column(CodingKeys.composite)
    }
}

struct AssemblyRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "assembly"
    static let children = hasMany(
        AssemblyRecord.self, using: ForeignKey([Columns.parent], to: [Columns.id]))
    static let uses = hasMany(
        UseRecord.self, using: ForeignKey([UseRecord.Columns.assembly], to: [Columns.id]))
    static let composites = hasMany(CompositeRecord.self, through: uses, using: UseRecord.used)

    var id: Int
    var buildDate: Int
    var parent: Int?

    enum Columns {
        static let id = Column(CodingKeys.id)
        static let buildDate = Column(CodingKeys.buildDate)
        static let parent = Column(CodingKeys.parent)
    }
}

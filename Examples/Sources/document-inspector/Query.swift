import ArgumentParser
import ExampleSupport
import Foundation
import PlacesKit

struct Query: AsyncParsableCommand {
    enum Output: String, ExpressibleByArgument, CaseIterable { case table, json, csv }

    static let configuration = CommandConfiguration(
        abstract: "Shows the objects that a query describes.",
        discussion: """
            A query names an entity; then, each if need be, come WHERE and a predicate, SORT and \
            key paths, LIMIT and OFFSET:

              "Photo WHERE takenAt.name == 'Paris' SORT lastViewed DESC LIMIT 10"
            """)

    @Argument(help: "The document.") var document: DocumentArgument
    @Argument(help: "The query.") var query: String
    @Option(help: "How to print the objects.") var output = Output.table
    @Option(
        help: ArgumentHelp(
            """
            What to show of each object: names of properties, and key paths as takenAt.name, with \
            commas between them.
            """, valueName: "names"))
    var columns: String?
    @Option(help: "The width of a table; that of the terminal by default.") var width: Int?

    func validate() throws {
        guard width ?? 1 > 0 else { throw ValidationError("--width must be at least 1.") }
    }

    func run() async throws {
        try await reportingErrors {
            let query = try RecordQuery(query)
            let reader = try await document.open()
            let paths = columns.map(keyPaths(in:)) ?? reader.schema.keyPaths(of: query.entity)
            switch output {
            case .json: try write(query, paths, as: .json, from: reader)
            case .csv: try write(query, paths, as: .csv, from: reader)
            case .table: try show(query, paths, from: reader)
            }
        }
    }

    private func keyPaths(in list: String) -> [String] {
        list.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
    }

    private func write(
        _ query: RecordQuery, _ paths: [String], as format: ExchangeFormat,
        from reader: DocumentReader
    ) throws {
        try reader.write(query, keyPaths: paths, as: format) {
            try OutputFile.print($0)
        }
    }

    private func show(
        _ query: RecordQuery, _ paths: [String], from reader: DocumentReader
    ) throws {
        let rows = try reader.values(of: paths, for: query)
        let columns = paths.enumerated().map { position, path in
            TextTable.Column(
                path, isRightAligned: rows.lazy.map { $0[position] }.first { $0.isNumber } != nil)
        }
        var table = TextTable(columns)
        for row in rows { table.add(row.map(\.cell)) }
        // Whoever names columns wants to see them all; of others some are worth more than a bit of each.
        let (lines, omitted) = table.lines(
            fitting: width ?? Terminal.columns, least: self.columns == nil ? 16 : 4)
        for line in lines { print(line) }
        if !omitted.isEmpty {
            warn("no room for \(omitted.joined(separator: ", ")); name what to show with --columns")
        }
        print("\n\(Listing.counted(rows.count, "object"))")
    }
}

extension Schema {
    /// What is shown of an entity's objects where nobody says what: attributes, and whom to-one
    /// relationships lead to.
    fileprivate func keyPaths(of name: String) -> [String] {
        guard let entity = entity(named: name) else { return ["id"] }
        return ["id"]
            + lineage(of: entity).flatMap { entity in
                entity.properties.compactMap { property in
                    guard let relationship = property.relationship else { return property.name }
                    guard !relationship.isToMany else { return nil }
                    return self.name(of: relationship.destination)
                        .map { "\(property.name).\($0)" } ?? property.name
                }
            }
    }

    /// The attribute by which a person knows the objects of an entity.
    private func name(of destination: String) -> String? {
        entity(named: destination).flatMap { entity in
            lineage(of: entity).lazy.flatMap(\.attributes).first { $0.isUnique }?.name
        }
    }
}

extension PropertyValue {
    fileprivate var isNumber: Bool {
        switch self {
        case .attribute(.integer), .attribute(.unsigned), .attribute(.double),
            .attribute(.decimal), .object(_?):
            true
        default: false
        }
    }

    /// The value in a cell of a table; nothing where there is none.
    var cell: String {
        switch self {
        case .attribute(let datum): datum.cell
        case .object(let id): id.map { "\($0.number)" } ?? ""
        case .objects(let ids): ids.map { "\($0.number)" }.joined(separator: " ")
        }
    }
}

extension Datum {
    /// The value in a cell of a table; nothing where there is none.
    var cell: String {
        switch self {
        case .null: ""
        case .string(let text): text
        case .boolean(let value): value ? "yes" : "no"
        case .date(let date): date.exactLocalText
        default: description
        }
    }
}

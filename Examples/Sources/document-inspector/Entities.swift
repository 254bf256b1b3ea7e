import ArgumentParser
import ExampleSupport
import PlacesKit

struct Entities: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows the entities, how many objects they have, and their properties.")

    @Argument(help: "The document.") var document: DocumentArgument
    @Argument(help: "The entity to show; all by default.") var entity: String?
    @Flag(help: "Print JSON.") var json = false

    func run() async throws {
        try await reportingErrors {
            let reader = try await document.open()
            let entities = reader.schema.entities.filter { entity == nil || $0.name == entity }
            if let entity, entities.isEmpty {
                let names = reader.schema.entities.map(\.name)
                let problem =
                    "There is no entity “\(entity)”.\(entity.suggestion(among: names)) "
                    + "There are: \(names.joined(separator: ", "))."
                throw ValidationError(problem.forTerminal)
            }
            let outlines = entities.map { EntityOutline($0, count: reader.count(of: $0.name)) }
            if json { return try Listing.showJSON(outlines) }
            for (position, outline) in outlines.enumerated() {
                if position > 0 { print() }
                outline.show()
            }
        }
    }
}

/// What is to be told of an entity.
private struct EntityOutline: Encodable {
    struct Property: Encodable {
        var name: String
        var type: String
        var notes: [String]
    }

    var name: String
    var superentity: String?
    var isAbstract: Bool
    var userInfo: [String: String]
    var count: Int
    var properties: [Property]

    init(_ entity: EntityDescription, count: Int) {
        name = entity.name
        superentity = entity.superentity
        isAbstract = entity.isAbstract
        userInfo = entity.userInfo
        self.count = count
        properties = entity.properties.map { property in
            switch property {
            case .attribute(let attribute):
                Property(
                    name: attribute.name, type: attribute.type.rawValue, notes: attribute.notes)
            case .relationship(let relationship):
                Property(
                    name: relationship.name,
                    type: relationship.isToMany
                        ? "[\(relationship.destination)]" : relationship.destination,
                    notes: relationship.notes)
            }
        }
    }

    func show() {
        let heritage = superentity.map { ": \($0)" } ?? ""
        let note = isAbstract ? ", abstract" : ""
        print("\(name)\(heritage)\(note) (\(Listing.counted(count, "object")))".forTerminal)
        for (key, value) in userInfo.sorted(by: { $0.key < $1.key }) {
            print("  \(key): \(value)".forTerminal)
        }
        var table = TextTable([.init("  property"), .init("type"), .init("notes")])
        for property in properties {
            table.add([
                "  " + property.name, property.type, property.notes.joined(separator: ", "),
            ])
        }
        Listing.show(table)
    }
}

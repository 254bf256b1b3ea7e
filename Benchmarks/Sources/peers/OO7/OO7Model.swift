import PlacesKit

/// The classes of OO7.
enum OO7 {
    static let classes: [ManagedObject.Type] = [
        Part.self, Connection.self, Document.self, Composite.self, Assembly.self,
    ]

    final class Part: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var x = 0
        @Attribute var y = 0
        @Attribute(.indexed) var buildDate = 0
        @Attribute var document = 0
        @Relationship(deleteRule: .cascade) var connections: ObjectSet<Connection>
        @Relationship(deleteRule: .cascade) var incoming: ObjectSet<Connection>
        @Relationship(inverse: \Composite.parts) var composite: Composite?
    }

    final class Connection: ManagedObject {
        @Attribute var length = 0
        @Relationship(inverse: \Part.connections) var source: Part?
        @Relationship(inverse: \Part.incoming) var destination: Part?
    }

    final class Document: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute(.unique) var title: String
        @Attribute var text = ""
        @Relationship var composite: Composite?
    }

    final class Composite: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var buildDate = 0
        @Relationship(deleteRule: .cascade) var parts: ObjectSet<Part>
        @Relationship var root: Part?
        @Relationship(deleteRule: .cascade, inverse: \Document.composite) var document: Document?
        @Relationship(inverse: \Assembly.composites) var uses: ObjectSet<Assembly>
    }

    final class Assembly: ManagedObject {
        @Attribute(.unique) var number: Int
        @Attribute var buildDate = 0
        @Relationship var children: ObjectSet<Assembly>
        @Relationship(inverse: \Assembly.children) var parent: Assembly?
        @Relationship var composites: ObjectSet<Composite>
    }

    /// Inserts a world and saves it.
    static func insert(_ world: OO7World, into context: ManagedObjectContext) throws {
        let assemblies = world.assemblies.map { sample in
            let assembly = Assembly(context: context)
            assembly.number = sample.number
            assembly.buildDate = sample.buildDate
            return assembly
        }
        for (assembly, sample) in zip(assemblies, world.assemblies) {
            assembly.parent = sample.parent.map { assemblies[$0] }
        }
        for sample in world.composites {
            _ = insert(sample, in: sample.users.map { assemblies[$0] }, into: context)
        }
        try context.save()
    }

    /// Inserts a design that some assemblies use.
    static func insert(
        _ sample: OO7World.Composite, in users: [Assembly], into context: ManagedObjectContext
    ) -> Composite {
        let composite = Composite(context: context)
        composite.number = sample.number
        composite.buildDate = sample.buildDate
        let document = Document(context: context)
        document.number = sample.number
        document.title = sample.title
        document.text = sample.text
        composite.document = document
        let parts = sample.parts.map { sample in
            let part = Part(context: context)
            part.number = sample.id
            part.x = sample.x
            part.y = sample.y
            part.buildDate = sample.buildDate
            part.document = sample.document
            part.composite = composite
            return part
        }
        for (part, sample) in zip(parts, sample.parts) {
            for sample in sample.connections {
                let connection = Connection(context: context)
                connection.length = sample.length
                connection.source = part
                connection.destination = parts[sample.destination % OO7World.partsPerComposite]
            }
        }
        composite.root = parts[0]
        for user in users { user.composites.insert(composite) }
        return composite
    }
}

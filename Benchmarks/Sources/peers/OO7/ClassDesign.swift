/// All objects, and the dictionaries by which they are found.
final class ClassDesign {
    let root: ClassAssembly
    let bases: [ClassAssembly]
    var parts: [Int: ClassPart] = [:]
    var documents: [String: ClassDocument] = [:]
    var documentsByNumber: [Int: ClassDocument] = [:]
    private var composites: [ClassComposite] = []

    init(_ world: OO7World) {
        let assemblies = world.assemblies.map {
            ClassAssembly($0.number, buildDate: $0.buildDate)
        }
        for (assembly, sample) in zip(assemblies, world.assemblies) {
            if let parent = sample.parent { assemblies[parent].children.append(assembly) }
        }
        bases = Array(assemblies.prefix(world.baseCount))
        root = assemblies[assemblies.count - 1]
        composites = world.composites.map(insert)
    }

    func insert(_ sample: OO7World.Composite) -> ClassComposite {
        let composite = ClassComposite(sample)
        for part in composite.parts { parts[part.number] = part }
        if let document = composite.document {
            documents[document.title] = document
            documentsByNumber[document.number] = document
        }
        composite.uses = sample.users.map { bases[$0] }
        for base in composite.uses { base.composites.append(composite) }
        return composite
    }

    // The connections of parts are cycles of references.
    deinit { for part in parts.values { part.connections = [] } }

    func delete(_ composite: ClassComposite) {
        for part in composite.parts {
            parts[part.number] = nil
            part.connections = []
        }
        if let document = composite.document {
            documents[document.title] = nil
            documentsByNumber[document.number] = nil
        }
        for base in composite.uses { base.composites.removeAll { $0 === composite } }
    }

    /// How many parts, documents and uses of designs there are.
    var counts: [Int] {
        [parts.count, documents.count, bases.reduce(0) { $0 + $1.composites.count }]
    }
}

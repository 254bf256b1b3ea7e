/// All objects, and the dictionaries by which they are found.
final class ClassDesign {
    let root: ClassAssembly
    let bases: [ClassAssembly]
    var parts: [Int: ClassPart] = [:]
    var documents: [String: ClassDocument] = [:]
    var documentsByNumber: [Int: ClassDocument] = [:]
    private var composites: [ClassComposite] = []

    init(_ world: OO7World) {
        var level = world.bases.map { ClassAssembly($0.number, buildDate: $0.buildDate) }
        bases = level
        while level.count > 1 {
            level = stride(from: 0, to: level.count, by: OO7World.fan).map { first in
                let parent = ClassAssembly(-1, buildDate: 0)
                parent.children = Array(level[first..<first + OO7World.fan])
                return parent
            }
        }
        root = level[0]
        var users: [Int: [Int]] = [:]
        for base in world.bases {
            for number in base.composites { users[number, default: []].append(base.number) }
        }
        for composite in world.composites {
            composites.append(insert(composite, in: users[composite.number] ?? []))
        }
    }

    func insert(_ sample: OO7World.Composite, in users: [Int]) -> ClassComposite {
        let composite = ClassComposite(sample)
        for part in composite.parts { parts[part.number] = part }
        if let document = composite.document {
            documents[document.title] = document
            documentsByNumber[document.number] = document
        }
        composite.uses = users.map { bases[$0] }
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

    /// What is left after a change.
    var checksum: Checksum {
        var checksum = Checksum()
        checksum.append(parts.count)
        checksum.append(documents.count)
        checksum.append(bases.reduce(0) { $0 + $1.composites.count })
        return checksum
    }
}

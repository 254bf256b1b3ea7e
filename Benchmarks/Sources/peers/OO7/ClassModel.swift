/// A part, as a class.
final class ClassPart {
    let number: Int
    var x: Int
    var y: Int
    var buildDate: Int
    let document: Int
    var connections: [ClassConnection] = []

    init(_ part: OO7World.Part) {
        number = part.id
        x = part.x
        y = part.y
        buildDate = part.buildDate
        document = part.document
    }
}

final class ClassConnection {
    let length: Int
    unowned let source: ClassPart
    let destination: ClassPart

    init(_ length: Int, from source: ClassPart, to destination: ClassPart) {
        self.length = length
        self.source = source
        self.destination = destination
    }
}

final class ClassDocument {
    let number: Int
    let title: String
    let text: String
    unowned let composite: ClassComposite

    init(_ composite: OO7World.Composite, of owner: ClassComposite) {
        number = composite.number
        title = composite.title
        text = composite.text
        self.composite = owner
    }
}

final class ClassComposite {
    let number: Int
    let buildDate: Int
    let parts: [ClassPart]
    var document: ClassDocument?
    var uses: [ClassAssembly] = []

    init(_ composite: OO7World.Composite) {
        number = composite.number
        buildDate = composite.buildDate
        parts = composite.parts.map(ClassPart.init)
        for (part, sample) in zip(parts, composite.parts) {
            part.connections = sample.connections.map {
                let destination = parts[$0.destination % OO7World.partsPerComposite]
                return ClassConnection($0.length, from: part, to: destination)
            }
        }
        document = ClassDocument(composite, of: self)
    }

    var root: ClassPart { parts[0] }
}

final class ClassAssembly {
    let number: Int
    let buildDate: Int
    var children: [ClassAssembly] = []
    var composites: [ClassComposite] = []

    init(_ number: Int, buildDate: Int) {
        self.number = number
        self.buildDate = buildDate
    }
}

/// An index with which a plan would have read far fewer rows.
struct IndexAdvice {
    /// The number of the first entity down the hierarchy that has all columns.
    let entity: Int
    private let columns: [Slot]
    private let isSpatial: Bool

    /// Advises an index of some columns of a table; `nil` where none of these can be declared.
    init?(
        _ columns: [Slot], isSpatial: Bool = false, in table: TableNumber, of layout: GraphLayout
    ) {
        let layouts = layout.tables[table]
        let entity = layouts.entities.first { number in
            columns.allSatisfy { layout.entities[number].slots.contains($0) }
        }
        guard let entity, !columns.isEmpty,
            columns.allSatisfy({ slot in
                let property = layouts.properties[slot]
                return isSpatial ? property.attribute?.type == .double : property.isIndexable
            }),
            // A plan had a reason to leave one that is there.
            !layouts.orderedIndexes.contains(where: { index in
                !index.isPartial && index.isSpatial == isSpatial
                    && index.columns.map(\.column) == columns
            })
        else { return nil }
        self.entity = entity
        self.columns = columns
        self.isSpatial = isSpatial
    }

    /// The index as the entity's class declares it, with composite attributes of these names.
    func text(in layout: GraphLayout, _ composites: [String: DeclaredComposite]) -> String {
        let (name, table) = (layout.entities[entity].name, layout.entities[entity].table)
        let names = columns.map {
            layout.tables[table].properties[$0].name.split(separator: ".", maxSplits: 1)
                .map(String.init)
        }
        if isSpatial, composites[names[0][0]]?.isCoordinate == true {
            return ".spatialIndex(\\\(name).\(names[0][0]))"
        }
        let paths = names.map { parts in
            "\\\(name)."
                + parts.joined(separator: composites[parts[0]]?.isOptional == true ? "?." : ".")
        }
        return isSpatial
            ? ".spatialIndex(latitude: \(paths[0]), longitude: \(paths[1]))"
            : ".index(\(paths.joined(separator: ", ")))"
    }
}

/// What is known of a composite attribute where its type is not.
struct DeclaredComposite: Sendable {
    let isOptional: Bool
    /// Whether the parts are a latitude and a longitude.
    let isCoordinate: Bool
    /// The names of the attributes that hold the parts.
    let parts: [String]
    /// Those of parts that each value of the type has.
    let requiredParts: [String]
    /// Those as `init()` makes them, of a composite that may be missing.
    let initialParts: [Datum]
}

extension PropertyDescription {
    /// Whether an index may be of the property.
    var isIndexable: Bool {
        switch self {
        case .attribute(let attribute): attribute.type != .json && !attribute.usesExternalStorage
        case .relationship(let relationship): !relationship.isToMany
        }
    }
}

import PlacesBase

/// How the objects of an entity are read, worked out once for all of them.
struct EntityPlan: ~Copyable {
    let table: TableNumber
    let kind: Int32
    /// The column that says of which kind rows are; `nil` where all are of one.
    let kindColumn: Slot?
    /// The number's key, then those of the properties, the entity's own before those it inherits.
    let keys: JSONKeyTable
    /// How each property is read, in the order of the keys.
    let steps: ContiguousArray<Step>
    /// The attributes and what checks their values, for those that have no way of their own.
    private(set) var attributes: ContiguousArray<AttributeDescription> = []
    private(set) var checks: ContiguousArray<ValueCheck?> = []
    /// The defaults of those with external storage, which all objects share.
    private(set) var defaults: ContiguousArray<Blob?> = []
    /// How many attributes are of text and have a way of their own.
    private(set) var textCount = 0
    /// The slots of the attributes that must have a value.
    let requiredSlots: [Slot]
    /// The slots of the attributes that may have no value and whose default is one.
    let nullableSlots: [Slot]

    /// How one property is read.
    struct Step {
        let kind: Kind
        let isOptional: Bool
        let slot: Slot
        /// Where the attribute is among those that have no way of their own, or among those of text.
        let position: Int

        enum Kind: UInt8 {
            case boolean, integer, float, double, date, string, url
            /// By way of a value without type.
            case other
            /// A relationship to one object, or to many.
            case link, links
            /// A value that follows from others.
            case derived
            /// Files have no such property.
            case unknown
        }
    }

    /// The plan of an entity whose properties have names of their own in the file.
    init(
        _ entity: Int, _ layout: GraphLayout, _ names: [[String: String]],
        _ checks: [Int: ValueCheck]
    ) {
        let entityLayout = layout.entities[entity]
        let properties = layout.tables[entityLayout.table].properties
        (table, kind) = (entityLayout.table, entityLayout.kind)
        kindColumn = layout.tables[table].kinds
        requiredSlots = layout.slots(of: entityLayout, where: \.isRequired)
        nullableSlots = layout.slots(of: entityLayout, where: \.hasOptionalDefault)
        keys = SnapshotKeys.table(of: entity, in: layout.schema) { property, owner in
            let isDerived = property.derivation != nil
            // No property has the empty name that stands for those that files have not.
            return names[owner][property.name] ?? (isDerived ? property.name : "")
        }
        var steps: ContiguousArray<Step> = []
        for (index, slot) in entityLayout.slots.enumerated() {
            let kind = Step.Kind(properties[slot], isChecked: checks[index] != nil)
            if kind == .other, let attribute = properties[slot].attribute {
                attributes.append(attribute)
                self.checks.append(checks[index])
                let column = layout.tables[entityLayout.table].columns[slot]
                if column.kind == .blob, case .data(let bytes)? = attribute.defaultValue {
                    // Columns that only some of a hierarchy's classes have know no default.
                    defaults.append(
                        column.isValid(at: Row(0))
                            ? column.element(Blob.self, at: Row(0)) : Blob(bytes, isInline: true))
                } else {
                    defaults.append(nil)
                }
            }
            let isText = kind == .string || kind == .url
            steps.append(
                Step(
                    kind: kind, isOptional: properties[slot].attribute?.isOptional ?? true,
                    slot: slot,
                    position: isText ? textCount : attributes.count - 1))
            if isText { textCount += 1 }
        }
        self.steps = steps
    }
}

extension EntityPlan.Step.Kind {
    fileprivate init(_ property: PropertyDescription, isChecked: Bool) {
        switch property {
        case _ where property.derivation != nil: self = .derived
        case .relationship(let relationship): self = relationship.isToMany ? .links : .link
        case .attribute(let attribute) where attribute.isTransient: self = .unknown
        case .attribute(let attribute) where isChecked || attribute.allowedValues != nil:
            self = .other
        case .attribute(let attribute):
            self =
                switch attribute.type {
                case .boolean: .boolean
                case .int64: .integer
                case .float: .float
                case .double: .double
                case .date: .date
                case .string: .string
                case .url: .url
                default: .other
                }
        }
    }
}

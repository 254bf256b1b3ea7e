import Foundation
import PlacesBase

/// The prototypes of one class: handles that each have other values or links.
final class PrototypeClass {
    let properties: [PropertyDescription]
    let links: [Slot: (destination: ManagedObject.Type, inverse: AnyKeyPath?)]
    let composites: [Slot: CompositeLayout]
    let sources: [Int: DerivationSource]
    /// What checks the values of attributes whose columns may hold what is no value, derived ones among them.
    let checks: [Int: ValueCheck]
    /// What makes the defaults of new objects.
    let defaults: [Int: AttributeDefault]
    let isPlain: Bool
    /// The superclasses, nearest first, `ManagedObject` apart.
    let superclasses: [ManagedObject.Type]
    private(set) var handles: [ManagedObject] = []
    /// Some more with ordinary values, whose relationships lead nowhere.
    private(set) var ends: [ManagedObject] = []
    /// The values that the prototypes hold in each attribute.
    private var probes: [[Datum]]
    /// The attributes whose types were asked which values they have.
    private var asked: Set<Slot> = []
    /// Keeps the values that `access` leads to alive; prototypes live as long as the process.
    private let layout: TableLayout
    private let access: UnsafeMutablePointer<TableAccess>

    /// The first prototype of a class, and what its properties said of themselves.
    ///
    /// It is made before its properties are known, over columns without type. Defaults are made for it, whose code may wait
    /// for other threads: nothing of it is shared yet, so no lock is needed.
    ///
    /// PlacesKit only looks at it, but a class may remember its objects when they are made, and read them later. So what
    /// the prototype leads to lasts, and is that of the class as soon as the columns are known.
    final class First {
        fileprivate let handle: ManagedObject
        fileprivate let recorder = PropertyRecorder()
        private let access: UnsafeMutablePointer<TableAccess>
        /// Keeps the columns alive.
        private var layout: TableLayout

        init(_ type: ManagedObject.Type) {
            layout = TableLayout(
                columns: Array(repeating: Column(.boolean), count: 1_024), relationships: [],
                uniqueSlots: [], presence: Slot(0))
            access = makeAccess(to: layout, trace: nil)
            handle = makeHandle(of: type, access: access, row: 0, recorder: recorder)
        }

        /// Lets the prototype hold what the others of its row do.
        fileprivate func take(_ layout: TableLayout) {
            deallocate(access.pointee)
            access.pointee = contents(of: layout, trace: nil)
            self.layout = layout
        }
    }

    /// Keeps a first prototype, which nobody needs any more.
    static func keep(_ first: First) { unread.append(first) }

    /// Keeps the first prototype of somebody who was slower, and lets it hold what the others of its row do.
    func adopt(_ first: First) {
        Self.keep(first)
        first.take(layout)
    }

    init(
        _ type: ManagedObject.Type, _ first: First, trace: UnsafeMutablePointer<Int32>
    ) throws(SchemaError) {
        Self.keep(first)
        let recorder = first.recorder
        // A mirror of its own would have other names, or read properties whose columns are not there yet.
        if first.handle is any CustomReflectable { throw .hiddenProperties(type.entityName) }
        let mirrors = Self.mirrors(of: first.handle)
        superclasses = mirrors.dropFirst().compactMap { $0.subjectType as? ManagedObject.Type }
        let names = try Self.propertyNames(in: mirrors, type, count: recorder.properties.count)
        // Before any column is touched, for a type may say that it is stored as it is not.
        for (slot, problem) in recorder.problems.sorted(by: { $0.key < $1.key }) {
            throw .invalidProperty(
                entity: type.entityName, property: names[slot], problem: problem)
        }
        properties = zip(recorder.properties, names).map { property, name in
            switch property {
            case .attribute(var attribute):
                attribute.name = name
                return .attribute(attribute)
            case .relationship(var relationship):
                relationship.name = name
                return .relationship(relationship)
            }
        }
        links = recorder.links
        composites = recorder.composites
        sources = recorder.sources
        checks = recorder.checks
        defaults = recorder.defaults
        isPlain = mirrors.allSatisfy { mirror in
            mirror.children.allSatisfy { child in child.value is any ManagedProperty }
        }
        var columns = properties.map { property in
            property.attribute.map(Column.init(for:)) ?? Column(.reference)
        }
        for slot in columns.indices { _ = columns[slot].writableBlock(0, token: .max) }
        probes = properties.indices.map { [checks, properties] slot in
            properties[slot].attribute?.probes(isForeign: checks[slot] != nil) ?? []
        }
        layout = TableLayout(
            columns: columns, relationships: [], uniqueSlots: [], presence: Slot(0))
        access = Self.makeAccess(to: layout, trace: trace)
        first.take(layout)
        for slot in properties.slots { fill(slot) }
        let all = (0..<Self.count + Self.endCount).map {
            Self.makeHandle(of: type, access: access, row: $0, recorder: nil)
        }
        handles = Array(all.prefix(Self.count))
        ends = Array(all.dropFirst(Self.count))
    }

    /// The nearest superclass that is part of a model, if one is.
    func nearestSuperclass(among types: [ManagedObject.Type]) -> ManagedObject.Type? {
        superclasses.first { known in types.contains { $0 == known } }
    }

    /// What the prototype of the given row holds in an attribute.
    func probe(_ slot: Slot, _ row: Int) -> Datum {
        properties[slot].attribute?.probe(row, of: probes[slot.index]) ?? .null
    }

    /// Lets the prototypes hold what the type of an attribute has, if it is one of one's own.
    ///
    /// Only done where a key path may end at the attribute: the type may not be ready for all that it is asked about.
    func ask(_ slot: Slot) {
        guard let check = checks[slot.index], let attribute = properties[slot].attribute,
            attribute.type != .json, asked.insert(slot).inserted
        else { return }
        probes[slot.index] = attribute.probes(check)
        fill(slot)
    }

    /// Asks the types of all attributes with values of a type, and of those that are parts of one.
    func ask(about type: Any.Type) {
        for (slot, check) in checks where check.valueType == type { ask(Slot(slot)) }
        for (first, composite) in composites where composite.type == type {
            for slot in first.parts(composite.count) { ask(slot) }
        }
    }

    /// Whether the prototypes hold enough in an attribute to tell it from what is computed from it.
    func tells(_ slot: Slot) -> Bool {
        ask(slot)
        return !asked.contains(slot) || probes[slot.index].count > 1
    }

    /// Writes what the prototypes hold in an attribute; where its type has none of that, they keep what it cannot read.
    private func fill(_ slot: Slot) {
        guard let attribute = properties[slot].attribute,
            attribute.isOptional || !probes[slot.index].isEmpty
        else { return }
        for row in 0..<Self.count + Self.endCount {
            access.pointee.columns[slot.index][0]
                .setProbe(probe(slot, row % Self.count), at: row, in: attribute.columnKind)
        }
    }

    /// The slot of the first part of the composite attribute that a slot belongs to.
    func firstPart(_ slot: Slot) -> Slot {
        composites.keys.filter { $0 <= slot }.max() ?? slot
    }

    /// The composite attributes by their names.
    var declaredComposites: [String: DeclaredComposite] {
        var declared: [String: DeclaredComposite] = [:]
        for (slot, composite) in composites {
            let name = properties[slot].name.prefix { $0 != "." }
            let parts = slot.parts(composite.count).map { properties[$0].name }
            declared[String(name)] = DeclaredComposite(
                isOptional: composite.isOptional, isCoordinate: composite.type == Coordinate.self,
                parts: parts,
                requiredParts: zip(parts, composite.areRequired).filter(\.1).map(\.0),
                initialParts: composite.isOptional ? composite.makeRequiredParts() : [])
        }
        return declared
    }

    /// Eight that differ in their links, and as many more as types have values.
    private static let count = 36
    /// A computed property may ask for one of several members there, too.
    private static let endCount = 4
    /// The first prototypes, which never end: a class may read its properties when an object ends.
    ///
    /// Only touched under the lock of the prototypes.
    nonisolated(unsafe) private static var unread: [First] = []

    /// The row of the prototype that the to-one relationships of another lead to.
    ///
    /// Those of the first four lead to one with links of its own, those of the fifth nowhere, and
    /// each of the next three to the one before: so every link of a chain is once the one that is
    /// missing. The others lead to one with the same values, so that these are at the end of every chain, and the `ends`
    /// nowhere.
    static func rowLinked(from row: Int) -> Int? {
        row == 4 || row >= count ? nil : (5..<8).contains(row) ? row - 1 : row
    }

    /// How many members the to-many relationships of a prototype have.
    static func memberCount(_ row: Int) -> Int { [2, 3, 1, 4, 0][min(row, 4)] }

    private static func makeAccess(
        to layout: TableLayout, trace: UnsafeMutablePointer<Int32>?
    ) -> UnsafeMutablePointer<TableAccess> {
        let access = UnsafeMutablePointer<TableAccess>.allocate(capacity: 1)
        access.initialize(to: contents(of: layout, trace: trace))
        return access
    }

    /// The addresses of the first chunk of each column.
    private static func contents(
        of layout: TableLayout, trace: UnsafeMutablePointer<Int32>?
    ) -> TableAccess {
        let unchanged = UnsafeMutablePointer<UInt64>.allocate(capacity: ChunkLayout.rows)
        unchanged.initialize(repeating: 0, count: ChunkLayout.rows)
        let token = UnsafeMutablePointer<UInt64>.allocate(capacity: 1)
        token.initialize(to: .max)
        var access = TableAccess(
            layout, of: nil, token: token, unchanged: unchanged, trace: trace)
        access.grow(to: 1, of: Table(layout))
        return access
    }

    private static func deallocate(_ access: TableAccess) {
        access.deallocate()
        access.token.deallocate()
        access.unchanged.deallocate()
    }

    private static func makeHandle(
        of type: ManagedObject.Type, access: UnsafeMutablePointer<TableAccess>, row: Int,
        recorder: PropertyRecorder?
    ) -> ManagedObject {
        withExtendedLifetime(recorder) {
            type.init(
                ObjectSeed(
                    table: nil, access: access, row: Row(row),
                    state: ConstructionState(
                        mark: .min, recorder: recorder.map(Unmanaged.passUnretained))))
        }
    }

    /// The mirrors of an object's class and its superclasses, `ManagedObject` apart.
    private static func mirrors(of object: ManagedObject) -> [Mirror] {
        sequence(first: Mirror(reflecting: object), next: \.superclassMirror)
            .filter { $0.subjectType != ManagedObject.self }
    }

    /// The names of the managed properties, in the order in which they are counted.
    private static func propertyNames(
        in mirrors: [Mirror], _ type: ManagedObject.Type, count: Int
    ) throws(SchemaError) -> [String] {
        var names: [String] = []
        for child in mirrors.flatMap({ Array($0.children) }) {
            guard let property = child.value as? any ManagedProperty, let label = child.label else {
                continue
            }
            // A wrapper's storage is named after its property, behind an underscore; a raw identifier is in backticks.
            let storage = label.asIdentifier
            let name = storage.hasPrefix("_") ? String(storage.dropFirst()) : storage
            guard !name.contains(".") else {
                throw .invalidProperty(
                    entity: type.entityName, property: name,
                    problem: """
                        has a dot in its name, as only parts of composite attributes have. Rename it; its \
                        originalName is the name with the dot.
                        """)
            }
            names += Swift.type(of: property).partNames.map { $0.isEmpty ? name : "\(name).\($0)" }
        }
        guard names.count == count else {
            throw .unnamedProperty(entity: type.entityName, slot: names.count)
        }
        return names
    }
}

extension UnsafeMutableRawPointer {
    /// Writes what a prototype holds to the block of a column.
    fileprivate func setProbe(_ datum: Datum, at row: Int, in kind: ColumnKind) {
        setValid(datum != .null, at: row)
        switch datum {
        case .null: break
        case .boolean(let value): elements(of: Bool.self)[row] = value
        case .integer(let value): elements(of: Int64.self)[row] = value
        case .unsigned(let value): elements(of: Int64.self)[row] = value.ordered
        case .decimal(let value): elements(of: Decimal.self)[row] = value
        case .double(let value): elements(of: Double.self)[row] = value
        case .date(let value):
            elements(of: Double.self)[row] = value.timeIntervalSinceReferenceDate
        case .string(let value): elements(of: String.self)[row] = value
        case .uuid(let value): elements(of: UUID.self)[row] = value
        case .data(let value) where kind == .blob:
            elements(of: Blob.self)[row] = .holding(value)
        case .data(let value): elements(of: Data.self)[row] = value
        }
    }
}

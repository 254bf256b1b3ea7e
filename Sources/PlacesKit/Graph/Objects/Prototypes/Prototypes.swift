import Foundation

/// Objects of each class that are asked what a key path means.
///
/// A key path says nothing about itself, so it is read on prototypes, whose accessors note the slots
/// that they were asked for. A computed property reads slots too; it is told from a plain one by
/// reading many prototypes that hold other values and other links: what it reads and returns must
/// be, each time, exactly what a chain of plain properties would. The first prototype holds ordinary
/// values and is read first, and a key path that fails there is read no further: what computes
/// something need not be ready for the extreme values of the others.
enum Prototypes {
    /// All prototypes; only touched while `lock` is held.
    nonisolated(unsafe) private(set) static var known: [ObjectIdentifier: PrototypeClass] = [:]
    /// The first prototypes of classes that are about to be known.
    nonisolated(unsafe) private static var first: [ObjectIdentifier: PrototypeClass.First] = [:]
    /// The models of classes with what their relationships lead to.
    nonisolated(unsafe) private static var models: [ObjectIdentifier: ObjectModel] = [:]
    /// Recursive, for a computed property that is read here may itself make a request.
    private static let lock = NSRecursiveLock()
    /// Where accessors note slots.
    ///
    /// A count, then a ring of 16, the first at 2. Only touched under `lock`.
    nonisolated(unsafe) static let trace: UnsafeMutablePointer<Int32> = {
        let trace = UnsafeMutablePointer<Int32>.allocate(capacity: 17)
        trace.initialize(repeating: 0, count: 17)
        return trace
    }()
    /// Whether more slots were read than the ring holds: what is being read is no chain, whatever it gives.
    static var isOverfull: Bool { trace[0] >= 16 }
    /// What is noted instead of a slot when members of a to-many relationship are counted.
    static let countMark = Slot(rawValue: .max)

    static func locked<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    // MARK: - Classes

    /// The classes of a model, with the names of inverses filled in.
    static func classes(_ types: [ManagedObject.Type]) throws(SchemaError) -> [ObjectClass] {
        // Their defaults may wait for somebody else who makes a model.
        let unknown = locked { types.filter { known[ObjectIdentifier($0)] == nil } }
        let first = unknown.map { (type: $0, prototype: PrototypeClass.First($0)) }
        return try locked { () throws(SchemaError) in
            for (type, prototype) in first { take(prototype, of: type) }
            var classes: [ObjectClass] = []
            for type in types {
                let prototype = try prototypeClass(type)
                let superclass = prototype.nearestSuperclass(among: types)
                var properties = prototype.properties
                if let superclass {
                    properties.removeLast(try prototypeClass(superclass).properties.count)
                }
                for (slot, link) in prototype.links where slot < properties.slots.upperBound {
                    try check(link.destination, of: properties[slot], in: type, among: types)
                    guard let keyPath = link.inverse,
                        case .relationship(var relationship) = properties[slot]
                    else { continue }
                    let destination = try prototypeClass(link.destination)
                    if case .property(let path)? = resolve(keyPath), path.count == 1 {
                        relationship.inverse = destination.properties[path[0]].name
                    } else {
                        relationship.inverse = "an unknown property"
                    }
                    properties[slot] = .relationship(relationship)
                }
                for (slot, source) in prototype.sources where slot < properties.count {
                    guard let derivation = properties[slot].derivation else { continue }
                    properties[slot].derivation = try named(derivation, source, of: prototype, type)
                }
                let inherited = try superclass.map(constraints) ?? []
                let constraints = try self.constraints(of: type).filter { !inherited.contains($0) }
                classes.append(
                    ObjectClass(
                        type: type, superclass: superclass, properties: properties,
                        constraints: constraints,
                        checks: prototype.checks.filter {
                            prototype.properties[$0.key].derivation == nil
                        },
                        defaults: try defaults(of: type, among: types),
                        composites: prototype.declaredComposites, isPlain: prototype.isPlain))
            }
            return classes
        }
    }

    /// Checks that the class to which a relationship leads is not taken for another one of its name: objects of that one
    /// would be returned as its own.
    private static func check(
        _ destination: ManagedObject.Type, of relationship: PropertyDescription,
        in type: ManagedObject.Type, among types: [ManagedObject.Type]
    ) throws(SchemaError) {
        guard !types.contains(where: { $0 == destination }),
            let namesake = types.first(where: { $0.entityName == destination.entityName })
        else { return }
        throw .invalidProperty(
            entity: type.entityName, property: relationship.name,
            problem: """
                leads to \(String(reflecting: destination)), and the class of that name in the model is \
                \(String(reflecting: namesake)). List the one that it leads to, or rename one of them.
                """)
    }

    /// What makes the defaults of a class of a model: for what it inherits that of the superclass, which made what new rows
    /// hold and may have made something else for the prototype of the class.
    private static func defaults(
        of type: ManagedObject.Type, among types: [ManagedObject.Type]
    ) throws(SchemaError) -> [Int: AttributeDefault] {
        let prototype = try prototypeClass(type)
        guard let superclass = prototype.nearestSuperclass(among: types) else {
            return prototype.defaults
        }
        let own = prototype.properties.count - (try prototypeClass(superclass).properties.count)
        var defaults = prototype.defaults
        for (slot, value) in try self.defaults(of: superclass, among: types) {
            defaults[own + slot] = value
        }
        return defaults
    }

    /// A derivation with the names of what it is declared with.
    private static func named(
        _ derivation: DerivationDescription, _ source: DerivationSource,
        of prototype: PrototypeClass, _ type: ManagedObject.Type
    ) throws(SchemaError) -> DerivationDescription {
        var derivation = derivation
        switch derivation.function {
        case .computed:
            for keyPath in source.own {
                derivation.sources.append(try name(of: keyPath, in: type, readsCodable: true))
            }
        case .value:
            let names = try path(source.members, in: type)
            derivation.relationship = names.dropLast().joined(separator: ".")
            derivation.property = names.last
        default:
            derivation.relationship = try name(of: source.members, in: type)
            let members = prototype.links.first {
                prototype.properties[$0.key].name == derivation.relationship
            }?.value.destination
            derivation.property = try source.property.map { (path) throws(SchemaError) in
                try name(of: path, in: members)
            }
            derivation.condition = try source.condition.map { (path) throws(SchemaError) in
                try name(of: path, in: members)
            }
        }
        return derivation
    }

    /// The constraints that a class states or inherits.
    private static func constraints(
        of type: ManagedObject.Type
    ) throws(SchemaError) -> [NamedConstraint] {
        let properties = try prototypeClass(type).properties
        return try type.constraints.map { (constraint) throws(SchemaError) -> NamedConstraint in
            let all = try constraint.keyPaths.map { (path) throws(SchemaError) in
                try names(of: path, in: type)
            }.flatMap(\.self)
            // A composite attribute stands for all its parts.
            let coded = properties.first { $0.attribute?.type == .json && all.contains($0.name) }
            if let coded {
                throw .invalidConstraint(
                    entity: type.entityName, property: uncomparable(coded.name))
            }
            return NamedConstraint(kind: constraint.kind, names: all)
        }
    }

    /// Says of an attribute why it is in no constraint or request.
    static func uncomparable(_ name: String) -> String {
        "\(name), whose Codable values cannot be compared"
    }

    /// The model of a class, whose entity is the first, with all classes that its relationships lead
    /// to; `nil` where they make no sound model.
    ///
    /// Nothing leads from a class to its subclasses, so these may be missing.
    static func model(around type: ManagedObject.Type) -> ObjectModel? {
        locked {
            if let known = models[ObjectIdentifier(type)] { return known }
            var types = [type]
            var position = 0
            while position < types.count {
                guard let prototype = try? prototypeClass(types[position]) else { return nil }
                for link in prototype.links.sorted(by: { $0.key < $1.key })
                where !types.contains(where: { $0 == link.value.destination }) {
                    types.append(link.value.destination)
                }
                position += 1
            }
            guard let model = try? ObjectModel(types, isPartial: true) else { return nil }
            models[ObjectIdentifier(type)] = model
            return model
        }
    }

    /// The names of the relationships that a key path follows, and of the attribute that it ends at; what
    /// is no such path has words in them that name none.
    private static func path(
        _ keyPath: AnyKeyPath, in type: ManagedObject.Type
    ) throws(SchemaError) -> [String] {
        guard let root = Swift.type(of: keyPath).rootType as? ManagedObject.Type,
            case .property(let path)? = resolve(keyPath), path.count > 1
        else { return try names(of: keyPath, in: type) }
        var prototype = try prototypeClass(type)
        guard root == type || prototype.superclasses.contains(where: { $0 == root }) else {
            return ["a property of another class"]
        }
        prototype = try prototypeClass(root)
        var names: [String] = []
        for slot in path {
            names.append(prototype.properties[slot].name)
            if let link = prototype.links[slot] {
                prototype = try prototypeClass(link.destination)
            }
        }
        return names
    }

    /// The name of the property of a class that a key path leads to, those of its parts, or words that name none.
    ///
    /// What is only read may be an attribute of a `Codable` type.
    private static func names(
        of keyPath: AnyKeyPath, in type: ManagedObject.Type?, readsCodable: Bool = false
    ) throws(SchemaError) -> [String] {
        guard let root = Swift.type(of: keyPath).rootType as? ManagedObject.Type, let type,
            case let superclasses = try prototypeClass(type).superclasses,
            root == type || superclasses.contains(where: { $0 == root })
        else { return ["a property of another class"] }
        let properties = try prototypeClass(root).properties
        switch resolve(keyPath) {
        case .property(let path)? where path.count == 1: return [properties[path[0]].name]
        case .composite(let path, let parts, _)? where path.count == 1:
            return path[0].parts(parts.count).map { properties[$0].name }
        default:
            if readsCodable, let slot = codableAttribute(keyPath) { return [properties[slot].name] }
            return [unclearAttribute(keyPath) ?? "an unknown property"]
        }
    }

    /// The same of one property: of a composite attribute of several parts none is meant.
    private static func name(
        of keyPath: AnyKeyPath, in type: ManagedObject.Type?, readsCodable: Bool = false
    ) throws(SchemaError) -> String {
        let all = try names(of: keyPath, in: type, readsCodable: readsCodable)
        return all.count == 1
            ? all[0] : "\(all[0].prefix { $0 != "." }), which has several parts"
    }

    /// Takes the first prototype of a class, unless somebody else was faster.
    private static func take(_ prototype: PrototypeClass.First, of type: ManagedObject.Type) {
        let key = ObjectIdentifier(type)
        if let prototypes = known[key] {
            prototypes.adopt(prototype)
        } else if first[key] == nil {
            first[key] = prototype
        } else {
            PrototypeClass.keep(prototype)
        }
    }

    static func prototypeClass(
        _ type: ManagedObject.Type
    ) throws(SchemaError) -> PrototypeClass {
        let key = ObjectIdentifier(type)
        if let prototype = known[key] { return prototype }
        let first = first.removeValue(forKey: key) ?? PrototypeClass.First(type)
        let prototype = try PrototypeClass(type, first, trace: trace)
        known[key] = prototype
        return prototype
    }

    /// Whether a class is another one, or inherits from it.
    static func inherits(_ type: ManagedObject.Type, from other: ManagedObject.Type) -> Bool {
        type == other
            || locked {
                (try? prototypeClass(type))?.superclasses.contains { $0 == other } ?? false
            }
    }

    // MARK: - What accessors of prototypes do

    /// Notes a slot and gives the prototype at the other end of a to-one relationship.
    ///
    /// Links of prototypes to their own class lead round in circles, those of most objects to an end, on which a property
    /// that follows them by recursion or in a loop relies. So once much was read, they lead to prototypes without links.
    /// They do not just lead nowhere: who asks twice whether a prototype has a parent must hear the same.
    static func follow<Destination: ManagedObject>(
        _ slot: Slot, from object: ManagedObject, to type: Destination.Type
    ) -> Destination? {
        locked {
            note(slot, of: object)
            guard let prototype = try? prototypeClass(type),
                let row = PrototypeClass.rowLinked(from: object.row.index)
            else { return nil }
            return (isOverfull ? prototype.ends[0] : prototype.handles[row]) as? Destination
        }
    }

    /// The members that a to-many relationship of a prototype leads to, and some more, for a computed property may ask for
    /// the third where all objects have three.
    static func members<Element: ManagedObject>(
        of owner: ManagedObject, _ type: Element.Type
    ) -> [Element] {
        locked {
            note(countMark, of: owner)
            guard let prototype = try? prototypeClass(type) else { return [] }
            let handles = isOverfull ? prototype.ends : prototype.handles
            return handles.compactMap { $0 as? Element }
        }
    }

    /// How many members the relationships of a prototype have: another number for most.
    static func count(of owner: ManagedObject) -> Int {
        note(countMark, of: owner)
        return owner.table == nil ? PrototypeClass.memberCount(owner.row.index) : 0
    }

    /// Notes a slot.
    static func note(_ slot: Slot, of object: ManagedObject) {
        guard let trace = object._access.pointee.trace else { return }
        trace[0] &+= 1
        trace[Int(trace[0] & 15) + 1] = slot.rawValue
    }
}

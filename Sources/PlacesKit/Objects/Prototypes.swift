import Foundation

/// An object of each class that is asked what a key path means.
///
/// A key path says nothing about itself, so it is read on a prototype, whose accessors note the slots
/// that they were asked for. A computed property reads slots too; it is told from a plain one by
/// reading four prototypes that hold other values: what a key path returns must be, each time, exactly
/// what the last slot holds.
enum Prototypes {
    /// All prototypes; only touched while `lock` is held.
    nonisolated(unsafe) private static var known: [ObjectIdentifier: PrototypeClass] = [:]
    /// What key paths mean, by the address of the key path, which is kept so that it stays its own.
    nonisolated(unsafe) private static var resolved:
        [ObjectIdentifier: (keyPath: AnyKeyPath, meaning: ResolvedKeyPath?)] = [:]
    /// How many key paths are remembered; literals in a program's text are far fewer, and others
    /// that are made anew each time are not worth the memory.
    private static let capacity = 4_096
    /// Recursive, for a computed property that is read here may itself make a request.
    private static let lock = NSRecursiveLock()
    /// Where accessors note slots: a count, then up to 15 of them. Only touched under `lock`.
    nonisolated(unsafe) private static let trace: UnsafeMutablePointer<Int32> = {
        let trace = UnsafeMutablePointer<Int32>.allocate(capacity: 16)
        trace.initialize(repeating: 0, count: 16)
        return trace
    }()

    private static func locked<Result, Failure: Error>(
        _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        lock.lock()
        defer { lock.unlock() }
        return try body()
    }

    // MARK: - Classes

    /// The classes of a model, with the names of inverses filled in.
    static func classes(_ types: [ManagedObject.Type]) throws(SchemaError) -> [ObjectClass] {
        try locked { () throws(SchemaError) in
            var classes: [ObjectClass] = []
            for type in types {
                let prototype = try prototypeClass(type)
                var properties = prototype.properties
                for (slot, link) in prototype.links {
                    guard let keyPath = link.inverse,
                        case .relationship(var relationship) = properties[slot]
                    else { continue }
                    let destination = try prototypeClass(link.destination)
                    relationship.inverse =
                        slotsRead(by: keyPath, on: destination.handles[0]).slots.first
                        .map { destination.properties[$0].name } ?? "an unknown property"
                    properties[slot] = .relationship(relationship)
                }
                classes.append(
                    ObjectClass(type: type, properties: properties, isPlain: prototype.isPlain))
            }
            return classes
        }
    }

    private static func prototypeClass(
        _ type: ManagedObject.Type
    ) throws(SchemaError) -> PrototypeClass {
        if let prototype = known[ObjectIdentifier(type)] { return prototype }
        let prototype = try PrototypeClass(type, trace: trace)
        known[ObjectIdentifier(type)] = prototype
        return prototype
    }

    // MARK: - Key paths

    /// What a key path from a managed object or an object set means, or `nil` when it is not a
    /// chain of managed properties.
    static func resolve(_ keyPath: AnyKeyPath) -> ResolvedKeyPath? {
        locked {
            if let known = resolved[ObjectIdentifier(keyPath)] { return known.meaning }
            let meaning = trace(keyPath)
            if resolved.count < capacity {
                resolved[ObjectIdentifier(keyPath)] = (keyPath, meaning)
            }
            return meaning
        }
    }

    private static func trace(_ keyPath: AnyKeyPath) -> ResolvedKeyPath? {
        guard let root = type(of: keyPath).rootType as? ManagedObject.Type,
            let prototype = try? prototypeClass(root)
        else { return nil }
        var agreed: ResolvedKeyPath?
        for handle in prototype.handles {
            let (slots, value) = slotsRead(by: keyPath, on: handle)
            guard let value,
                let meaning = meaning(of: slots, value, on: handle, prototype),
                agreed == nil || agreed == meaning
            else { return nil }
            agreed = meaning
        }
        return agreed
    }

    private static func slotsRead(
        by keyPath: AnyKeyPath, on handle: ManagedObject
    ) -> (slots: [Int], value: Any?) {
        trace[0] = 0
        let value = handle[keyPath: keyPath]
        let count = Int(trace[0])
        // More slots than the trace holds: not a chain that anybody writes.
        guard count < 16 else { return ([], nil) }
        return ((0..<count).map { Int(trace[$0 + 1]) }, value)
    }

    private static func meaning(
        of slots: [Int], _ value: Any, on handle: ManagedObject, _ root: PrototypeClass
    ) -> ResolvedKeyPath? {
        var current = root
        for (position, slot) in slots.enumerated() {
            guard current.properties.indices.contains(slot) else { return nil }
            let isLast = position == slots.count - 1
            switch current.properties[slot] {
            case .attribute:
                let expected = current.probe(slot, handle._row)
                guard isLast, (value as? any AttributeValue)?.datum == expected else { return nil }
                return .property(slots)
            case .relationship(let relationship):
                guard let link = current.links[slot],
                    let destination = known[ObjectIdentifier(link.destination)]
                else { return nil }
                if isLast, relationship.isToMany {
                    if let count = value as? Int, count == probeCount(slot, handle._row) {
                        return .count(slots)
                    }
                    return value is any RelationshipValue ? .property(slots) : nil
                }
                if isLast {
                    let target = destination.handles[handle._row]
                    if let value = value as? ManagedObject, value === target {
                        return .property(slots)
                    }
                    return value as? ObjectID == target.objectID ? .identity(slots) : nil
                }
                current = destination
            }
        }
        return value as? ObjectID == handle.objectID ? .identity([]) : nil
    }

    // MARK: - What accessors of prototypes do

    /// Notes a slot and gives the prototype at the other end of a to-one relationship.
    static func follow<Destination: ManagedObject>(
        _ slot: Int, from object: ManagedObject, to type: Destination.Type
    ) -> Destination? {
        locked {
            note(slot, of: object)
            guard let prototype = try? prototypeClass(type),
                prototype.handles.indices.contains(object._row)
            else { return nil }
            return prototype.handles[object._row] as? Destination
        }
    }

    /// Notes a slot.
    static func note(_ slot: Int, of object: ManagedObject) {
        guard let trace = object._access.pointee.trace else { return }
        trace[0] &+= 1
        trace[Int(trace[0] & 15)] = Int32(truncatingIfNeeded: slot)
    }

    /// How many members a prototype claims to have: another number for each.
    static func count(of owner: ManagedObject, slot: Int) -> Int {
        owner.table == nil ? probeCount(slot, owner._row) : 0
    }

    private static func probeCount(_ slot: Int, _ row: Int) -> Int {
        1_000_003 + slot * 7 + row
    }
}


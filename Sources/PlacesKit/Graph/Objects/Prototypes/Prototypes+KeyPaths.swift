extension Prototypes {
    /// What key paths mean, by the address of the key path, which is kept so that it stays its own.
    ///
    /// Only touched under the lock.
    nonisolated(unsafe) private static var resolved:
        [ObjectIdentifier: (keyPath: AnyKeyPath, meaning: ResolvedKeyPath?)] = [:]
    /// How many key paths are remembered; literals in a program's text are far fewer, and others
    /// that are made anew each time are not worth the memory.
    private static let capacity = 4_096

    /// What a key path from a managed object means, or `nil` when it is not a chain of managed
    /// properties.
    ///
    /// Properties are told by their positions in their class, its own before its superclass's.
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
        let components = KeyPathComponents(keyPath)
        guard mayBeChain(components, from: prototype) else { return nil }
        let slots = read(keyPath, on: prototype.handles[0]).slots
        return meanings(of: slots, components, in: prototype).first { candidate in
            components.fit(candidate)
                && prototype.handles.allSatisfy { handle in
                    let expected = expectation(of: candidate, on: handle, prototype)
                    // Forced through nothing, a key path would stop the program.
                    if expected.isCutShort, components.isForced { return true }
                    if expected.isCutShort, !components.isOptional { return false }
                    let (slots, value) = read(keyPath, on: handle)
                    return slots == expected.slots && expected.value.matches(value)
                }
        }?.meaning
    }

    /// Whether any chain of properties has as many components, and is of the type that they lead to.
    ///
    /// If none has, the key path is not even read: what a property computes from the values of real objects may stop on
    /// those of prototypes.
    private static func mayBeChain(
        _ components: KeyPathComponents, from root: PrototypeClass
    ) -> Bool {
        var classes = [root]
        for position in 0..<components.count {
            let left = components.count - position
            for prototype in classes { prototype.ask(about: components.valueType) }
            if classes.contains(where: { components.mayEnd(in: $0, left: left) }) { return true }
            guard components.isUnwrapped(at: position) else { return false }
            var next: [ObjectIdentifier: PrototypeClass] = [:]
            for prototype in classes {
                for (slot, link) in prototype.links
                where prototype.properties[slot].relationship?.isToMany == false {
                    next[ObjectIdentifier(link.destination)] = try? prototypeClass(link.destination)
                }
            }
            classes = Array(next.values)
        }
        return false
    }

    /// What a key path gives for an object with ordinary values and links.
    static func example(of keyPath: AnyKeyPath) -> Any? {
        locked {
            let root = type(of: keyPath).rootType as? ManagedObject.Type
            let prototype = root.flatMap { try? prototypeClass($0) }
            trace[0] = 0
            return prototype?.handles[0][keyPath: keyPath]
        }
    }

    /// The attribute that a key path seems to mean, and why it has no meaning in tables, for an error; `nil` where it
    /// is something else.
    static func unclearAttribute(_ keyPath: AnyKeyPath) -> String? {
        locked {
            guard let root = type(of: keyPath).rootType as? ManagedObject.Type,
                let prototype = try? prototypeClass(root)
            else { return nil }
            let (type, components) = (type(of: keyPath).valueType, KeyPathComponents(keyPath))
            guard AttributeType.isJSON(type) || mayBeChain(components, from: prototype),
                case let slots = read(keyPath, on: prototype.handles[0]).slots, slots.count == 1,
                prototype.properties.slots.contains(slots[0])
            else { return nil }
            let name = prototype.properties[slots[0]].name
            if isJSON(slots[0], in: prototype) { return uncomparable(name) }
            return prototype.tells(slots[0])
                ? nil : "\(name), of whose type no two values are known"
        }
    }

    /// The attribute of a `Codable` type that a key path seems to mean, by its position in its class.
    ///
    /// No values of prototypes tell it from what is computed from it, so what can be written and reads nothing else is
    /// taken for it. Who asks for its value can live with that; a request, which would compare texts, cannot.
    static func codableAttribute(_ keyPath: AnyKeyPath) -> Slot? {
        locked {
            guard AttributeType.isJSON(type(of: keyPath).valueType),
                let root = type(of: keyPath).rootType as? ManagedObject.Type,
                let prototype = try? prototypeClass(root),
                case let slots = read(keyPath, on: prototype.handles[0]).slots, slots.count == 1,
                prototype.properties.slots.contains(slots[0]), isJSON(slots[0], in: prototype),
                KeyPathComponents(keyPath).mayBe(slots[0], of: prototype)
            else { return nil }
            return slots[0]
        }
    }

    private static func read(
        _ keyPath: AnyKeyPath, on handle: ManagedObject
    ) -> (slots: [Slot], value: Any) {
        trace[0] = 0
        let value = handle[keyPath: keyPath] ?? ()
        // More slots than the ring holds are not a chain that anybody writes: no chain ends so.
        let count = isOverfull ? 0 : Int(trace[0])
        let slots = (0..<count).map { Slot(rawValue: trace[$0 + 2]) }
        return (isOverfull ? [countMark] : slots, value)
    }

    /// The class at the other end of a relationship, once its prototypes were asked for.
    private static func destination(
        of slot: Slot, _ prototype: PrototypeClass
    ) -> PrototypeClass? {
        prototype.links[slot].flatMap { known[ObjectIdentifier($0.destination)] }
    }

    /// What a key path with some components that read these slots may mean.
    private static func meanings(
        of slots: [Slot], _ components: KeyPathComponents, in root: PrototypeClass
    ) -> [KeyPathMeaning] {
        let isCount = slots.last == countMark
        let path = isCount ? Array(slots.dropLast()) : slots
        var current = root
        for (position, slot) in path.enumerated() {
            let isLast = position == path.count - 1
            guard current.properties.slots.contains(slot) else { return [] }
            guard let relationship = current.properties[slot].relationship else {
                if let composite = current.composites[slot], !isCount {
                    return meanings(
                        of: path, from: position, composite, components, in: current)
                }
                return isLast && !isCount && components.mayEnd(at: slot, of: current)
                    && components.isTold(slot, of: current)
                    ? [KeyPathMeaning(meaning: .property(path))] : []
            }
            if isLast {
                let meanings: [ResolvedKeyPath] =
                    switch (isCount, relationship.isToMany) {
                    case (true, true): [.count(path)]
                    case (true, false): []
                    case (false, true): [.property(path)]
                    case (false, false): [.property(path), .identity(path)]
                    }
                return meanings.map { KeyPathMeaning(meaning: $0) }
            }
            guard !relationship.isToMany, let next = destination(of: slot, current) else {
                return []
            }
            current = next
        }
        return isCount ? [] : [KeyPathMeaning(meaning: .identity([]))]
    }

    /// What a key path may mean that read just the parts of a composite attribute at its end: the attribute or one
    /// of them.
    private static func meanings(
        of path: [Slot], from position: Int, _ composite: CompositeLayout,
        _ components: KeyPathComponents, in prototype: PrototypeClass
    ) -> [KeyPathMeaning] {
        let parts = path[position].parts(composite.count)
        guard path[position...].elementsEqual(parts) else { return [] }
        let whole = KeyPathMeaning(
            meaning: .composite(
                Array(path[...position]), parts: composite.keyPaths,
                isOptional: composite.isOptional),
            composite: composite)
        let mayBeWhole =
            components.mayEnd(at: path[position], of: prototype)
            && components.isTold(path[position], of: prototype)
        return (mayBeWhole ? [whole] : [])
            + zip(parts, composite.keyPaths).compactMap { slot, part in
                isJSON(slot, in: prototype) || !components.mayEnd(inPartOf: composite)
                    ? nil
                    : KeyPathMeaning(
                        meaning: .property(path[..<position] + [slot]), composite: composite,
                        part: part)
            }
    }

    /// Whether an attribute is of a `Codable` type, of which no prototype has values that would tell a computed
    /// property.
    private static func isJSON(_ slot: Slot, in prototype: PrototypeClass) -> Bool {
        prototype.properties[slot].attribute?.type == .json
    }

    /// What a key path of a certain meaning reads and returns on a prototype.
    private static func expectation(
        of candidate: KeyPathMeaning, on handle: ManagedObject, _ root: PrototypeClass
    ) -> KeyPathExpectation {
        let (meaning, path) = (candidate.meaning, candidate.meaning.path)
        var (current, object) = (root, handle)
        for (position, slot) in path.enumerated() {
            let read = Array(path[...position])
            guard let relationship = current.properties[slot].relationship else {
                func probe(_ slot: Slot) -> Datum { current.probe(slot, object.row.index) }
                guard let composite = candidate.composite else {
                    return KeyPathExpectation(slots: read, value: .datum(probe(slot)))
                }
                let first = current.firstPart(slot)
                let parts = first.parts(composite.count)
                return KeyPathExpectation(
                    slots: path.dropLast() + parts,
                    value: candidate.part == nil
                        ? .composite(
                            parts.map { isJSON($0, in: current) ? .null : probe($0) }, composite)
                        : .datum(probe(slot)))
            }
            if relationship.isToMany {
                guard case .count = meaning else {
                    return KeyPathExpectation(slots: read, value: .members(of: object, slot: slot))
                }
                let count = PrototypeClass.memberCount(object.row.index)
                return KeyPathExpectation(slots: read + [countMark], value: .count(count))
            }
            guard let row = PrototypeClass.rowLinked(from: object.row.index),
                let next = destination(of: slot, current)
            else { return KeyPathExpectation(slots: read, value: .datum(.null), isCutShort: true) }
            (current, object) = (next, next.handles[row])
        }
        if case .identity = meaning {
            return KeyPathExpectation(slots: path, value: .identity(object.objectID))
        }
        return KeyPathExpectation(slots: path, value: .object(object))
    }
}

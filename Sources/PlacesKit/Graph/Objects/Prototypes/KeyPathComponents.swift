/// What a key path says of its components by its text, which the language has no other way to ask, and by its type.
struct KeyPathComponents {
    /// The text of each component, with the `?` or `!` that follows it.
    private var texts: [String]
    /// The type of its values, without the optional around them.
    let valueType: Any.Type
    /// Whether it may give nothing.
    let isOptional: Bool
    /// Whether what it leads to can be written, as what is only computed most often cannot.
    private let isWritable: Bool

    init(_ keyPath: AnyKeyPath) {
        // As in `\Photo.<computed 0x1234 (Optional<Place>)>?.<computed 0x5678 (String)>?`: a
        // component begins with a dot that is in no brackets, nor in a raw identifier's backticks. The root's name comes
        // first.
        var texts = [""]
        var depth = 0
        var isRaw = false
        for character in keyPath.debugDescription {
            switch character {
            case "`": isRaw.toggle()
            case _ where isRaw: break
            case "<", "(": depth += 1
            case ">", ")": depth -= 1
            case "." where depth == 0:
                texts.append("")
                continue
            default: break
            }
            texts[texts.count - 1].append(character)
        }
        self.texts = Array(texts.dropFirst())
        let type = type(of: keyPath).valueType
        let wrapped = (type as? any OptionalValue.Type)?.wrappedType
        valueType = wrapped ?? type
        isOptional = wrapped != nil
        isWritable = keyPath is any WritableProperty
    }

    /// How many there are.
    var count: Int { texts.count }

    /// Whether the key path unwraps by force.
    var isForced: Bool { texts.contains(where: Self.isForced) }

    /// Whether the key path goes on from what a component leads to, if that leads anywhere.
    func isUnwrapped(at position: Int) -> Bool {
        texts[position].hasSuffix("?") || texts[position].hasSuffix("!")
    }

    /// Whether a component is unwrapped by force, as is the last one of `\.owner?.number!`, whose text ends with `!?`.
    private static func isForced(_ text: String) -> Bool {
        text.reversed().prefix { $0 == "?" || $0 == "!" }.contains("!")
    }

    /// The last component, without what follows it.
    private var end: String? {
        texts.last.map { String($0.prefix { $0 != "?" && $0 != "!" }) }
    }

    /// Whether a key path of a meaning has these components.
    ///
    /// A property that follows a chain by itself has fewer, and it may do anything where the chain
    /// is broken; so may one that passes a relationship on and is not optional.
    func fit(_ candidate: KeyPathMeaning) -> Bool {
        if let part = candidate.part, KeyPathComponents(part).end != end { return false }
        let (count, links) =
            switch candidate.meaning {
            case .property(let path):
                (path.count + (candidate.part == nil ? 0 : 1), path.count - 1)
            case .composite(let path, _, _): (path.count, path.count - 1)
            case .count(let path): (path.count + 1, path.count - 1)
            case .identity(let path): (path.count + 1, path.count)
            }
        return texts.count == count
            && (0..<max(0, links)).allSatisfy(isUnwrapped)
    }
}

extension KeyPathComponents {
    /// Whether a chain of this type may end in a class, of whose objects it is asked with as many components as are left.
    func mayEnd(in prototype: PrototypeClass, left: Int) -> Bool {
        let properties = prototype.properties
        return switch left {
        case 1:
            valueType == ObjectID.self
                || properties.slots.contains { mayEnd(at: $0, of: prototype) }
        case 2:
            valueType == Int.self && properties.contains { $0.relationship?.isToMany == true }
                || prototype.composites.values.contains { mayEnd(inPartOf: $0) }
        default: false
        }
    }

    /// Whether a chain of this type may end at a property.
    ///
    /// An attribute that is unwrapped by force at the end is left to the objects: the prototypes that hold nothing in it
    /// cannot be asked, and they alone would tell it from a computed one that gives something instead.
    func mayEnd(at slot: Slot, of prototype: PrototypeClass) -> Bool {
        let isForced = texts.last.map(Self.isForced) ?? false
        let mayBeNothing = isOptional && !isForced
        let first = prototype.firstPart(slot)
        if let composite = prototype.composites[first],
            first.parts(composite.count).contains(slot)
        {
            return slot == first && valueType == composite.type
                && (mayBeNothing || !composite.isOptional)
        }
        switch prototype.properties[slot] {
        case .attribute(let attribute):
            return attribute.type != .json
                && (valueType as? any AttributeValue.Type)?.attributeType == attribute.type
                && (mayBeNothing || !attribute.isOptional)
        case .relationship(let relationship) where relationship.isToMany:
            return valueType is any MemberView.Type
        case .relationship:
            return valueType is ManagedObject.Type && (isOptional || isForced)
        }
    }

    /// Whether the values of a prototype tell an attribute from what is computed from it.
    ///
    /// Of some types of one's own no two values are known. Then it is the attribute where it is of its very type and can be
    /// written.
    func isTold(_ slot: Slot, of prototype: PrototypeClass) -> Bool {
        let type = prototype.composites[slot]?.type ?? prototype.checks[slot.index]?.valueType
        let parts = slot.parts(prototype.composites[slot]?.count ?? 1)
        return parts.allSatisfy(prototype.tells) || isWritable && valueType == type
    }

    /// Whether the key path is of the very type of an attribute, and writes it.
    func mayBe(_ slot: Slot, of prototype: PrototypeClass) -> Bool {
        count == 1 && isWritable && valueType == prototype.checks[slot.index]?.valueType
            && isOptional == prototype.properties[slot].attribute?.isOptional
    }

    /// Whether a chain may end at a part of a composite attribute.
    func mayEnd(inPartOf composite: CompositeLayout) -> Bool {
        composite.keyPaths.contains { KeyPathComponents($0).end == end }
            && !texts.suffix(2).contains(where: Self.isForced)
            // A computed property that unwraps it itself is followed by no sign.
            && (!composite.isOptional || texts.dropLast().last?.hasSuffix("?") == true)
    }
}

/// A key path by which a property of an object is written.
private protocol WritableProperty {}

extension ReferenceWritableKeyPath: WritableProperty {}

/// What the text of a key path says of its components: the language has no other way to ask.
struct KeyPathComponents {
    /// The text of each component, with the `?` or `!` that follows it.
    private var texts: [String]

    init(_ keyPath: AnyKeyPath) {
        // As in `\Photo.<computed 0x1234 (Optional<Place>)>?.<computed 0x5678 (String)>?`: a
        // component begins with a dot that is in no brackets. The root's name comes first.
        var texts = [""]
        var depth = 0
        for character in keyPath.debugDescription {
            switch character {
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
    }

    /// Whether the key path unwraps by force.
    var isForced: Bool { texts.contains { $0.hasSuffix("!") } }

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
            case .composite(let path, _): (path.count, path.count - 1)
            case .count(let path): (path.count + 1, path.count - 1)
            case .identity(let path): (path.count + 1, path.count)
            }
        return texts.count == count
            && texts.prefix(max(0, links)).allSatisfy { $0.hasSuffix("?") || $0.hasSuffix("!") }
    }
}

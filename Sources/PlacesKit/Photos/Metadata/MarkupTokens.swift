/// The tags and texts of XML, one after another; damaged parts are left out.
struct MarkupTokens: Sequence, IteratorProtocol {
    enum Token: Equatable {
        case start(name: String, attributes: [NamedValue], isEmpty: Bool)
        case end
        /// Text between tags, without white space around it and with character references resolved.
        case text(String)
    }

    struct NamedValue: Equatable {
        let name: String
        let value: String
    }

    private var rest: ArraySlice<UInt8>

    init(_ text: ArraySlice<UInt8>) {
        rest = text
    }

    mutating func next() -> Token? {
        while let first = rest.first {
            guard first == UInt8(ascii: "<") else {
                let text = take { $0 != UInt8(ascii: "<") }
                let string = PlainText.rendering(html: String(decoding: text, as: UTF8.self))
                if !string.isEmpty { return .text(string) }
                continue
            }
            rest.removeFirst()
            if let token = tag() { return token }
        }
        return nil
    }

    /// The tag after a `<`; nil if it contains nothing of use.
    private mutating func tag() -> Token? {
        switch rest.first {
        case UInt8(ascii: "/"):
            skip(past: ">")
            return .end
        case UInt8(ascii: "?"):
            skip(past: "?>")
            return nil
        case UInt8(ascii: "!"):
            if rest.starts(with: "![CDATA[".utf8) {
                rest.removeFirst("![CDATA[".utf8.count)
                let text = String(decoding: skip(past: "]]>"), as: UTF8.self).trimmingWhitespace
                return text.isEmpty ? nil : .text(text)
            }
            skip(past: rest.starts(with: "!--".utf8) ? "-->" : ">")
            return nil
        default: return start()
        }
    }

    private mutating func start() -> Token? {
        let name = takeName()
        var attributes: [NamedValue] = []
        while true {
            skipSpace()
            guard let byte = rest.first else { return nil }
            switch byte {
            case UInt8(ascii: ">"):
                rest.removeFirst()
                return .start(name: name, attributes: attributes, isEmpty: false)
            case UInt8(ascii: "/"):
                rest.removeFirst()
                guard rest.first == UInt8(ascii: ">") else { continue }
                rest.removeFirst()
                return .start(name: name, attributes: attributes, isEmpty: true)
            default:
                let before = rest.count
                let name = takeName()
                if let value = takeValue() {
                    attributes.append(NamedValue(name: name, value: value))
                } else if rest.count == before {
                    // A byte that belongs to no tag.
                    rest.removeFirst()
                }
            }
        }
    }

    /// The value after a name: `= "…"`.
    private mutating func takeValue() -> String? {
        skipSpace()
        guard rest.first == UInt8(ascii: "=") else { return nil }
        rest.removeFirst()
        skipSpace()
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'")
        else { return nil }
        rest.removeFirst()
        let value = take { $0 != quote }
        rest = rest.dropFirst()
        return PlainText.rendering(html: String(decoding: value, as: UTF8.self))
    }

    private mutating func takeName() -> String {
        let name = take { byte in
            switch byte {
            case UInt8(ascii: "="), UInt8(ascii: "/"), UInt8(ascii: ">"), UInt8(ascii: "<"),
                UInt8(ascii: "\""), UInt8(ascii: "'"):
                false
            default: byte > 0x20
            }
        }
        return String(decoding: name, as: UTF8.self)
    }

    private mutating func skipSpace() {
        _ = take { $0 <= 0x20 }
    }

    private mutating func take(while belongs: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        let taken = rest.prefix(while: belongs)
        rest = rest[taken.endIndex...]
        return taken
    }

    /// Skips past `end` and returns what came before it, or everything if `end` does not occur.
    @discardableResult
    private mutating func skip(past end: StaticString) -> ArraySlice<UInt8> {
        let end = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        var index = rest.startIndex
        while index < rest.endIndex {
            if rest[index...].starts(with: end) {
                defer { rest = rest[(index + end.count)...] }
                return rest[..<index]
            }
            index += 1
        }
        defer { rest = [] }
        return rest
    }
}

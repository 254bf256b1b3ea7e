/// The simple properties of an XMP packet, by their usual names: "dc:title", "exif:GPSLatitude".
///
/// XMP is RDF in XML. A property may be an attribute, an element, or the items of a list inside an
/// element. All three become a list of texts; the parts of a structure are not distinguished.
/// Reading is a single pass, which no damage stops.
struct XMPProperties {
    /// The usual prefixes of namespaces by their addresses, since a packet may use any prefixes.
    private static let namespaces = [
        "http://purl.org/dc/elements/1.1/": "dc",
        "http://ns.adobe.com/exif/1.0/": "exif",
        "http://cipa.jp/exif/1.0/": "exifEX",
        "http://ns.adobe.com/tiff/1.0/": "tiff",
        "http://ns.adobe.com/xap/1.0/": "xmp",
        "http://ns.adobe.com/photoshop/1.0/": "photoshop",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    ]
    /// Text at a greater depth counts as that of its ancestor at this depth.
    private static let deepest = 64

    private var values: [String: [String]] = [:]
    private var prefixes: [String: String] = [:]

    /// Reads a packet in UTF-8.
    init(_ packet: ArraySlice<UInt8>) {
        var tokens = MarkupTokens(packet)
        var open: [(name: String, isDefault: Bool)] = []
        var deeper = 0
        while let token = tokens.next() {
            switch token {
            case .text(let text): add(text, in: open)
            case .end:
                if deeper > 0 { deeper -= 1 } else { _ = open.popLast() }
            case .start(let name, let attributes, let isEmpty):
                for attribute in attributes where attribute.name.hasPrefix("xmlns:") {
                    let prefix = String(attribute.name.dropFirst("xmlns:".count))
                    prefixes[prefix] = Self.namespaces[attribute.value]
                }
                for attribute in attributes where !attribute.value.isEmpty {
                    let name = usual(attribute.name)
                    guard !name.hasPrefix("rdf:") else { continue }
                    values[name, default: []].append(attribute.value)
                }
                guard !isEmpty else { continue }
                guard open.count < Self.deepest else {
                    deeper += 1
                    continue
                }
                let isDefault = attributes.contains {
                    $0.name == "xml:lang" && $0.value.lowercased() == "x-default"
                }
                open.append((name, isDefault))
            }
        }
    }

    /// The first text of a property; empty if there is none.
    subscript(name: String) -> String { values[name]?.first ?? "" }

    /// All texts of a property.
    func all(_ name: String) -> [String] { values[name] ?? [] }

    /// Adds a text to the innermost element that is not one of RDF's own.
    ///
    /// Of a text in several languages the one that is marked as the default comes first.
    private mutating func add(_ text: String, in open: [(name: String, isDefault: Bool)]) {
        guard !text.isEmpty, let innermost = open.last,
            let property = open.reversed().map({ usual($0.name) })
                .first(where: { !$0.hasPrefix("rdf:") })
        else { return }
        if innermost.isDefault {
            values[property, default: []].insert(text, at: 0)
        } else {
            values[property, default: []].append(text)
        }
    }

    private func usual(_ name: String) -> String {
        guard let colon = name.firstIndex(of: ":"),
            let prefix = prefixes[String(name[..<colon])]
        else { return name }
        return prefix + name[colon...]
    }
}

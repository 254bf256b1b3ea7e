/// The simple properties of an XMP packet, by their usual names: "dc:title", "exif:GPSLatitude".
///
/// XMP is RDF in XML. A property may be an attribute, an element, or the items of a list inside an
/// element. All three become a list of texts; the parts of a structure are not distinguished. What
/// tells of other files, from which this one was made, is left out.
/// Reading is a single pass, which no damage stops.
struct XMPProperties {
    /// The usual prefixes of namespaces by their addresses, since a packet may use any prefixes.
    private static let namespaces = [
        "http://purl.org/dc/elements/1.1/": "dc",
        "http://ns.adobe.com/exif/1.0/": "exif",
        "http://cipa.jp/exif/1.0/": "exifEX",
        "http://ns.adobe.com/tiff/1.0/": "tiff",
        "http://ns.adobe.com/xap/1.0/": "xmp",
        "http://ns.adobe.com/xap/1.0/mm/": "xmpMM",
        "http://ns.adobe.com/photoshop/1.0/": "photoshop",
        "http://www.w3.org/1999/02/22-rdf-syntax-ns#": "rdf",
    ]
    /// Text at a greater depth counts as that of its ancestor at this depth.
    private static let deepest = 64

    private var values: [String: [String]] = [:]
    /// The texts that are marked as the default of several languages.
    private var defaults: [String: [String]] = [:]
    private var prefixes: [String: String] = [:]

    /// Reads a packet in UTF-8.
    init(_ packet: ArraySlice<UInt8>) {
        var tokens = MarkupTokens(packet)
        var open: [Element] = []
        var deeper = 0
        while let token = tokens.next() {
            switch token {
            case .text(let text): add(text, in: open.last)
            case .end:
                if deeper > 0 { deeper -= 1 } else { _ = open.popLast() }
            case .start(let name, let attributes, let isEmpty):
                for attribute in attributes where attribute.name.hasPrefix("xmlns:") {
                    let prefix = String(attribute.name.dropFirst("xmlns:".count))
                    prefixes[prefix] = Self.namespaces[attribute.value]
                }
                let name = usual(name)
                let isOfOthers = name.hasPrefix("xmpMM:") || open.last?.isOfOthers == true
                for attribute in attributes where !attribute.value.isEmpty && !isOfOthers {
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
                let property = name.hasPrefix("rdf:") ? open.last?.property : name
                open.append(
                    Element(
                        property: isOfOthers ? nil : property, isDefault: isDefault,
                        isOfOthers: isOfOthers))
            }
        }
    }

    /// An element whose end has not come yet.
    private struct Element {
        /// The innermost element that is not one of RDF's own: this one or one around it.
        let property: String?
        let isDefault: Bool
        /// Whether it tells of other files (in the namespace of media management).
        let isOfOthers: Bool
    }

    /// The first text of a property; empty if there is none.
    subscript(name: String) -> String { defaults[name]?.first ?? values[name]?.first ?? "" }

    /// All texts of a property: first those that are marked as the default of several languages.
    func all(_ name: String) -> [String] { defaults[name, default: []] + values[name, default: []] }

    private mutating func add(_ text: String, in element: Element?) {
        guard !text.isEmpty, let element, let property = element.property else { return }
        if element.isDefault {
            defaults[property, default: []].append(text)
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

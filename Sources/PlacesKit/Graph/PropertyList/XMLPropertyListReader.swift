import PlacesBase

/// A pull parser for property lists in XML (Apple's PropertyList-1.0.dtd), with the calls of ``JSONReader``.
///
/// It reads what property lists are made of: elements without attributes but for that of `plist`, text with
/// character references and CDATA, comments. It follows no document type and no entity but XML's own five,
/// so no text can grow while it is read.
struct XMLPropertyListReader: ~Copyable {
    /// An array or dictionary that has been entered.
    struct Container {
        /// Whether it was written as an empty element, which has nothing to leave.
        var isEmpty: Bool
        var isAtStart = true
        /// Whether all keys come in the order of their table, or only the first of it is first.
        var ordersAllKeys = false
        /// Where the keys are that are handed out next, the last first, and where the dictionary ends; nil
        /// for their own order.
        var order: (keys: [Int], end: Int)?
    }

    private(set) var bytes: UnsafeRawBufferPointer
    var offset = 0
    var containers: [Container] = []
    /// Whether the keys of dictionaries are taken as they come, so that nothing is looked for further on.
    private(set) var keepsOrder = false
    /// Whether the value stands in an element `plist`.
    private var hasRoot = false

    private init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// Reads the one value of a property list of which the beginning is in memory, taking keys as they come.
    init(inOrder bytes: UnsafeRawBufferPointer) throws(JSONError) {
        self.init(bytes)
        keepsOrder = true
        try passProlog()
    }

    /// Reads the one value of a property list, which `body` takes in, unless it reads only the beginning.
    static func read<Value>(
        _ bytes: [UInt8], toEnd: Bool = true,
        _ body: (inout XMLPropertyListReader) throws -> Value
    ) throws -> Value {
        try bytes.withUnsafeBytes { buffer in
            var reader = XMLPropertyListReader(buffer)
            try reader.passProlog()
            let value = try body(&reader)
            if toEnd { try reader.expectEnd() }
            return value
        }
    }

    /// Checks that nothing but the end of the property list is left.
    mutating func expectEnd() throws(JSONError) {
        if hasRoot { try passEndTag("plist") }
        try passMisc()
        guard offset == bytes.count else { throw failure(.trailingBytes) }
    }

    /// Goes on in other bytes, which begin with what stands here; only for who keeps the order of keys.
    mutating func goOn(in bytes: UnsafeRawBufferPointer) {
        self.bytes = bytes
        offset = 0
    }

    /// Another reader at the same offset.
    func copy() -> XMLPropertyListReader {
        var copy = XMLPropertyListReader(bytes)
        (copy.offset, copy.containers, copy.keepsOrder) = (offset, containers, keepsOrder)
        return copy
    }

    /// An error at the reader's offset, or at another one.
    @inline(never)
    func failure(_ kind: JSONError.Kind, at byteOffset: Int? = nil) -> JSONError {
        JSONError(kind, at: byteOffset ?? offset, in: bytes)
    }

    /// The error for what stands where something else has to.
    @inline(never)
    func unexpected(_ expected: String) -> JSONError {
        guard offset < bytes.count else { return failure(.unexpectedEnd(expected: expected)) }
        return failure(.unexpectedByte(bytes[offset], expected: expected))
    }
}

// MARK: - Markup

extension XMLPropertyListReader {
    /// Passes the declaration, comments, the document type, and the start of `plist` if it is there.
    private mutating func passProlog() throws(JSONError) {
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { offset = 3 }
        try passMisc()
        if stands("<!DOCTYPE") {
            var depth = 0
            repeat {
                guard offset < bytes.count else { throw unexpected("the end of the document type") }
                if bytes[offset] == UInt8(ascii: "<") { depth += 1 }
                if bytes[offset] == UInt8(ascii: ">") { depth -= 1 }
                offset += 1
            } while depth > 0
            try passMisc()
        }
        guard stands("<plist") else { return }
        guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")) else {
            throw failure(.unexpectedEnd(expected: "'>'"), at: bytes.count)
        }
        offset = end + 1
        hasRoot = true
    }

    /// Passes white space, comments and processing instructions.
    mutating func passMisc() throws(JSONError) {
        while offset < bytes.count {
            switch bytes[offset] {
            case 0x20, 0x09, 0x0A, 0x0D: offset += 1
            case UInt8(ascii: "<") where stands("<!--"): try pass(until: "-->")
            case UInt8(ascii: "<") where stands("<?"): try pass("<?", until: "?>")
            default: return
            }
        }
    }

    /// Passes what a text begins, if one is given, up to the end of another one.
    mutating func pass(
        _ beginning: StaticString = "", until end: StaticString
    ) throws(JSONError) {
        let start = offset
        offset += beginning.utf8CodeUnitCount
        while !passIfPresent(end) {
            guard offset < bytes.count else {
                throw failure(.unexpectedEnd(expected: "\(end)"), at: start)
            }
            offset += 1
        }
    }

    /// Passes a text, if it stands here.
    @inline(__always)
    private mutating func passIfPresent(_ text: StaticString) -> Bool {
        guard stands(text) else { return false }
        offset += text.utf8CodeUnitCount
        return true
    }

    /// Whether a text stands at the reader's offset.
    @inline(__always)
    func stands(_ text: StaticString) -> Bool {
        JSONScan.matches(
            UnsafeRawBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount), in: bytes,
            at: offset)
    }

    /// Passes a start tag, and tells whether its element is empty; nil if another one stands here.
    mutating func passStartTag(_ name: StaticString) throws(JSONError) -> (isEmpty: Bool, Void)? {
        try passMisc()
        let start = offset
        guard offset < bytes.count, bytes[offset] == UInt8(ascii: "<") else {
            throw unexpected("an element")
        }
        offset += 1
        if passNameIfPresent(name) {
            if passIfPresent(">") { return (false, ()) }
            if passIfPresent("/>") { return (true, ()) }
        }
        offset = start
        return nil
    }

    /// Passes the name of a tag and white space behind it, if it stands here.
    private mutating func passNameIfPresent(_ name: StaticString) -> Bool {
        guard passIfPresent(name) else { return false }
        while offset < bytes.count, Self.isSpace(bytes[offset]) { offset += 1 }
        return true
    }

    /// Passes an end tag.
    mutating func passEndTag(_ name: StaticString) throws(JSONError) {
        try passMisc()
        guard try passEndTagIfPresent(name) else { throw unexpected("</\(name)>") }
    }

    /// Passes an end tag, if it stands here.
    mutating func passEndTagIfPresent(_ name: StaticString) throws(JSONError) -> Bool {
        let start = offset
        guard passIfPresent("</") else { return false }
        guard passNameIfPresent(name) else {
            offset = start
            return false
        }
        guard passIfPresent(">") else { throw unexpected("'>'") }
        return true
    }

    static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

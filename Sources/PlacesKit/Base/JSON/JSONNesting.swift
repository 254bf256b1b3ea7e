/// Follows how deep a position in a JSON text is nested in arrays and objects, byte by byte.
package struct JSONNesting {
    package private(set) var depth = 0
    package private(set) var isInString = false
    private var isEscaped = false

    package init() {}

    /// Moves past a byte.
    package mutating func pass(_ byte: UInt8) {
        if isEscaped {
            isEscaped = false
        } else if isInString {
            isEscaped = byte == UInt8(ascii: "\\")
            isInString = byte != UInt8(ascii: "\"")
        } else {
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"): depth -= 1
            default: break
            }
        }
    }
}

package import Foundation
package import NIOCore

/// Events as they are sent: `data: {…}` and an empty line (HTML Living Standard, 9.2, “Server-sent events”).
package enum EventFrame {
    /// What tells that the connection lives, and that the browser is still there.
    package static let heartbeat = ByteBuffer(string: ":\n\n")

    /// An event that carries a value as JSON, which has no line breaks.
    package static func event(_ value: some Encodable) -> ByteBuffer {
        var frame = ByteBuffer(string: "data: ")
        frame.writeBytes(json(value))
        frame.writeString("\n\n")
        return frame
    }

    /// A value as JSON in one line.
    package static func json(_ value: some Encodable) -> Data {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return try encoder.encode(value)
        } catch {
            preconditionFailure("\(type(of: value)) cannot be written as JSON: \(error)")
        }
    }
}

public import Foundation

/// What a loopback server sends, and how badly.
public struct LoopbackReply: Sendable {
    /// The bytes, beginning with the status line.
    package var message: [UInt8]
    /// Bytes that it sends after the message, repeated until the connection ends; usually none.
    package var endlessBytes: [UInt8] = []
    /// How long it waits before the first byte.
    package var delay = Duration.zero
    /// How many bytes it sends at a time, at least one; nil for all at once.
    package var pieceLength: Int?
    /// How long it waits before each further piece.
    package var pieceDelay = Duration.zero
    /// Whether it closes the connection after the last byte.
    package var closesConnection = false
    /// Whether it never sends anything.
    package var isSilent = false

    /// Creates a reply from any bytes; the server then closes the connection.
    public init(raw message: [UInt8]) {
        self.message = message
        closesConnection = true
    }

    /// Creates a reply.
    ///
    /// - Parameters:
    ///   - status: The status code.
    ///   - headers: The header fields besides the length.
    ///   - body: The body.
    ///   - declaredLength: The length in the header, if it is to be wrong.
    public init(
        status: Int = 200, headers: [String: String] = [:], body: Data = Data(),
        declaredLength: Int? = nil
    ) {
        var head =
            "HTTP/1.1 \(status) Status\r\nContent-Length: \(declaredLength ?? body.count)\r\n"
        for (name, value) in headers.sorted(by: { $0.key < $1.key }) {
            head += "\(name): \(value)\r\n"
        }
        message = Array((head + "\r\n").utf8) + body
        closesConnection = declaredLength != nil
    }

    /// A reply with a status and an empty body.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> LoopbackReply {
        LoopbackReply(status: status, headers: headers)
    }

    /// A reply of JSON.
    public static func json(_ text: String) -> LoopbackReply {
        LoopbackReply(headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    }

    /// A reply with a web page in place of something else.
    public static func html(_ text: String, status: Int = 200) -> LoopbackReply {
        LoopbackReply(
            status: status, headers: ["Content-Type": "text/html; charset=utf-8"],
            body: Data(text.utf8))
    }

    /// A reply with a picture.
    public static func image(_ body: Data, type: String = "image/jpeg") -> LoopbackReply {
        LoopbackReply(headers: ["Content-Type": type], body: body)
    }

    /// A redirect to another address.
    public static func redirect(to location: String) -> LoopbackReply {
        LoopbackReply(status: 302, headers: ["Location": location])
    }

    /// A reply without a byte: the server closes the connection.
    public static var nothing: LoopbackReply { LoopbackReply(raw: []) }

    /// A reply that never comes, on a connection that stays open.
    public static var silence: LoopbackReply {
        var reply = LoopbackReply(raw: [])
        reply.isSilent = true
        return reply
    }

    /// The same reply after a delay.
    public func delayed(by delay: Duration) -> LoopbackReply {
        var reply = self
        reply.delay = delay
        return reply
    }

    /// The same reply, sent a few bytes at a time.
    public func inPieces(of length: Int, every delay: Duration) -> LoopbackReply {
        var reply = self
        reply.pieceLength = max(1, length)
        reply.pieceDelay = delay
        return reply
    }

    /// The same reply, followed by some bytes again and again.
    public func endlessly(repeating bytes: [UInt8]) -> LoopbackReply {
        var reply = self
        reply.endlessBytes = bytes
        return reply
    }

    /// The same reply up to a byte; then the server cuts the connection.
    public func cut(after count: Int) -> LoopbackReply {
        var reply = self
        reply.message = Array(message.prefix(max(0, count)))
        reply.closesConnection = true
        return reply
    }
}

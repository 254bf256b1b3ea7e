public import Foundation

/// What a loopback server sends, and how badly.
public struct LoopbackReply: Sendable {
    /// The bytes, beginning with the status line.
    public var message: [UInt8]
    /// The bytes that it sends after them, over and over until the connection ends; none for a reply that ends.
    public var endlessBytes: [UInt8] = []
    /// How long it waits before the first byte.
    public var delay = Duration.zero
    /// How many bytes it sends at a time; nil for all at once.
    public var pieceLength: Int?
    /// How long it waits before each further piece.
    public var pieceDelay = Duration.zero
    /// Whether it closes the connection after the last byte.
    public var closesConnection = false
    /// Whether it never answers at all.
    public var isSilent = false

    /// Creates a reply of any bytes, after which the connection is closed.
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
    ///   - declaredLength: The length that the header claims, if it is to be wrong.
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

    /// A status with an empty body.
    public static func status(_ status: Int, headers: [String: String] = [:]) -> LoopbackReply {
        LoopbackReply(status: status, headers: headers)
    }

    /// A reply of JSON.
    public static func json(_ text: String) -> LoopbackReply {
        LoopbackReply(headers: ["Content-Type": "application/json"], body: Data(text.utf8))
    }

    /// A web page where something else was asked for.
    public static func html(_ text: String, status: Int = 200) -> LoopbackReply {
        LoopbackReply(
            status: status, headers: ["Content-Type": "text/html; charset=utf-8"],
            body: Data(text.utf8))
    }

    /// A picture.
    public static func image(_ body: Data, type: String = "image/jpeg") -> LoopbackReply {
        LoopbackReply(headers: ["Content-Type": type], body: body)
    }

    /// A redirect to another address.
    public static func redirect(to location: String) -> LoopbackReply {
        LoopbackReply(status: 302, headers: ["Location": location])
    }

    /// The connection is closed without a byte.
    public static var nothing: LoopbackReply { LoopbackReply(raw: []) }

    /// The connection stays open without a byte.
    public static var silence: LoopbackReply {
        var reply = LoopbackReply(raw: [])
        reply.isSilent = true
        return reply
    }

    /// The reply after a while.
    public func delayed(by delay: Duration) -> LoopbackReply {
        var reply = self
        reply.delay = delay
        return reply
    }

    /// The reply a few bytes at a time.
    public func inPieces(of length: Int, every delay: Duration) -> LoopbackReply {
        var reply = self
        reply.pieceLength = max(1, length)
        reply.pieceDelay = delay
        return reply
    }

    /// The reply followed by some bytes, over and over.
    public func endlessly(repeating bytes: [UInt8]) -> LoopbackReply {
        var reply = self
        reply.endlessBytes = bytes
        return reply
    }

    /// The reply up to a byte, after which the connection is cut.
    public func cut(after count: Int) -> LoopbackReply {
        var reply = self
        reply.message = Array(message.prefix(max(0, count)))
        reply.closesConnection = true
        return reply
    }
}

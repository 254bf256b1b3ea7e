/// A connection to a loopback server: the request received so far, and the reply left to send.
struct LoopbackConnection {
    let descriptor: Int32
    private(set) var isClosed = false
    private var received: [UInt8] = []
    private var reply: LoopbackReply?
    private var sent = 0
    private var dueTime = ContinuousClock.now

    init(_ descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// When the connection sends next; nil if it has nothing to send.
    var due: ContinuousClock.Instant? {
        guard let reply, !reply.isSilent else { return nil }
        return dueTime
    }

    /// Receives what has arrived.
    mutating func receive() {
        while !isClosed, let bytes = LoopbackSocket.receive(descriptor) {
            if bytes.isEmpty { isClosed = true }
            received += bytes
        }
    }

    /// The next request that has arrived completely, unless a reply is being sent.
    mutating func nextRequest() -> (target: String, headers: [String: String])? {
        guard !isClosed, reply == nil, let end = endOfHead else { return nil }
        let head = String(decoding: received[..<end], as: UTF8.self)
        received.removeFirst(end)
        let lines = head.split(separator: "\r\n")
        var headers: [String: String] = [:]
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            guard parts.count == 2 else { continue }
            headers[parts[0].lowercased()] = String(parts[1].drop { $0 == " " })
        }
        let words = (lines.first ?? "").split(separator: " ")
        return (words.count > 1 ? String(words[1]) : "", headers)
    }

    private var endOfHead: Int? {
        let mark = Array("\r\n\r\n".utf8)
        guard received.count >= mark.count else { return nil }
        for start in 0...(received.count - mark.count)
        where received[start] == mark[0] && received[start..<(start + 4)].elementsEqual(mark) {
            return start + mark.count
        }
        return nil
    }

    mutating func begin(_ reply: LoopbackReply, _ now: ContinuousClock.Instant) {
        self.reply = reply
        sent = 0
        dueTime = now + reply.delay
    }

    /// Sends what is due, as far as the socket accepts it.
    mutating func send(_ now: ContinuousClock.Instant) {
        guard var reply, let due, due <= now, !isClosed else { return }
        let length = max(1, reply.pieceLength ?? .max)
        let end = sent + min(length, reply.message.count - sent)
        let part = reply.message[sent..<end]
        guard let count = LoopbackSocket.sendPart(of: part, to: descriptor) else {
            isClosed = true
            return
        }
        sent += count
        dueTime = now + (reply.pieceLength == nil ? .zero : reply.pieceDelay)
        guard sent == reply.message.count else { return }
        if reply.endlessBytes.isEmpty {
            isClosed = reply.closesConnection
            self.reply = nil
        } else {
            reply.message = reply.endlessBytes
            self.reply = reply
            sent = 0
        }
    }
}

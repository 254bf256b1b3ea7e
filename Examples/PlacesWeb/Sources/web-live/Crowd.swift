import NIOCore
import NIOPosix

/// Browsers that follow one list, and one more that posts changes; all on one thread.
struct Crowd {
    /// What all of them know; belongs to the thread.
    private final class Notes: @unchecked Sendable {
        /// When each change was posted.
        var posts: [NIODeadline] = []
        /// How long each event took, in nanoseconds.
        var latencies: [Double] = []
        /// How many browsers have the whole list.
        var settled = 0
        var awaited: (isMet: () -> Bool, promise: EventLoopPromise<Void>)?

        func check() {
            guard let awaited, awaited.isMet() else { return }
            self.awaited = nil
            awaited.promise.succeed()
        }
    }

    /// One browser's stream.
    private final class Listener: ChannelInboundHandler {
        typealias InboundIn = ByteBuffer

        private let notes: Notes
        private var reader = StreamReader()
        private var isSettled = false

        init(_ notes: Notes) { self.notes = notes }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let now = NIODeadline.now()
            reader.read(unwrapInboundIn(data).readableBytesView) { number in
                guard notes.posts.indices.contains(number) else { return }
                notes.latencies.append(Double((now - notes.posts[number]).nanoseconds))
            }
            // The first event is the whole list.
            if !isSettled, reader.eventCount > 0 {
                isSettled = true
                notes.settled += 1
            }
            notes.check()
        }
    }

    private let loop: any EventLoop
    private let notes = Notes()
    private let poster: any Channel
    private let port: Int
    private let count: Int

    /// Connects so many browsers.
    init(_ count: Int, port: Int) async throws {
        (self.port, self.count) = (port, count)
        loop = MultiThreadedEventLoopGroup(numberOfThreads: 1).next()
        let notes = notes
        poster = try await Self.connect(loop, port)
        for _ in 0..<count {
            let listener = try await Self.connect(loop, port) { Listener(notes) }
            let request = "GET /events HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n"
            try await listener.writeAndFlush(ByteBuffer(string: request))
        }
    }

    private static func connect(
        _ loop: any EventLoop, _ port: Int,
        _ handler: @escaping @Sendable () -> Listener? = { nil }
    ) async throws -> any Channel {
        try await ClientBootstrap(group: loop)
            .channelInitializer { channel in
                channel.eventLoop.makeCompletedFuture {
                    guard let handler = handler() else { return }
                    try channel.pipeline.syncOperations.addHandler(handler)
                }
            }
            .connect(host: "127.0.0.1", port: port).get()
    }

    /// Returns when all browsers have the whole list.
    func settle() async throws {
        let (notes, count) = (notes, count)
        try await wait { notes.settled == count }
    }

    /// Posts changes at a steady pace, whether the server keeps up or not.
    ///
    /// - Returns: How many nanoseconds each event took to each browser.
    func post(_ changes: Int, every pause: TimeAmount) async throws -> [Double] {
        let (notes, poster, port, total) = (notes, poster, port, changes * count)
        let begin = NIODeadline.now() + pause
        let repeated = loop.scheduleRepeatedTask(initialDelay: pause, delay: pause) { task in
            // What is late is posted now, and its time runs since it was due.
            while notes.posts.count < changes {
                let due = begin + pause * notes.posts.count
                guard due <= .now() else { return }
                poster.writeAndFlush(
                    ByteBuffer(string: Self.request(notes.posts.count, port)), promise: nil)
                notes.posts.append(due)
            }
            task.cancel()
        }
        // What has not come half a minute after the last change is lost.
        let late = loop.scheduleTask(in: pause * changes + .seconds(30)) {
            notes.awaited?.promise.succeed()
            notes.awaited = nil
        }
        try await wait { notes.latencies.count >= total }
        repeated.cancel()
        late.cancel()
        return try await loop.submit { notes.latencies }.get()
    }

    private static func request(_ number: Int, _ port: Int) -> String {
        let body = "\(number)"
        return """
            POST /change HTTP/1.1\r
            Host: 127.0.0.1:\(port)\r
            Origin: http://127.0.0.1:\(port)\r
            Content-Type: application/json\r
            Content-Length: \(body.utf8.count)\r
            \r
            \(body)
            """
    }

    private func wait(until isMet: @escaping @Sendable () -> Bool) async throws {
        let notes = notes
        try await loop.flatSubmit { [loop] in
            let promise = loop.makePromise(of: Void.self)
            notes.awaited = (isMet, promise)
            notes.check()
            return promise.futureResult
        }.get()
    }
}

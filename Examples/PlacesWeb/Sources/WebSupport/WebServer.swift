import ExampleSupport
import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// A server of pages that keep themselves current, on Hummingbird.
package struct WebServer: Sendable {
    /// How many browsers can be kept current at the same time.
    private static let streamLimit = 2_000
    /// How many bytes a page may send at most.
    private static let bodyLimit = 64 << 10
    /// How long a connection stays that asks for nothing, or never ends its question.
    private static let idleLimit = TimeAmount.seconds(10)

    private let site: any WebSite
    private let host: String
    private let port: Int
    private let token: String?

    /// Makes a server that listens at an address, and at a port or, for 0, at any that is free.
    ///
    /// At another address than that of the machine itself a token is asked for.
    package init(_ site: any WebSite, host: String, port: Int) {
        (self.site, self.host, self.port) = (site, host, port)
        token = Self.loopback.contains(host) ? nil : Self.secret()
    }

    private static let loopback: Set<String> = ["127.0.0.1", "localhost", "::1"]

    /// A text of 128 bits that nobody guesses.
    private static func secret() -> String {
        var generator = SystemRandomNumberGenerator()
        return (0..<2).map { _ in String(generator.next() as UInt64, radix: 36) }.joined()
    }

    /// Answers until the process is told to stop; tells `ready` the address to open once it listens.
    ///
    /// - Throws: What the user should read, where the address or the port is not to be had.
    package func run(_ ready: @escaping @Sendable (String) -> Void) async throws {
        FileLimit.raise()
        let streams = OpenStreams(limit: Self.streamLimit)
        var logger = Logger(label: "PlacesWeb")
        logger.logLevel = .critical
        let (shownHost, token) = (self.shownHost, self.token)
        let app = Application(
            router: router(streams),
            server: .http1(configuration: .init(idleTimeout: Self.idleLimit)),
            configuration: ApplicationConfiguration(address: .hostname(host, port: port)),
            services: [streams],
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? 0
                ready("http://\(shownHost):\(port)/" + (token.map { "?token=\($0)" } ?? ""))
            },
            logger: logger)
        do {
            try await app.runService()
        } catch is SocketAddressError.UnknownHost {
            throw noAddress
        } catch let error as IOError {
            guard let problem = problem(error.errnoCode) else { throw error }
            throw problem
        }
    }

    /// Why the server cannot listen, and what to do, if that is known.
    private func problem(_ code: CInt) -> Problem? {
        switch code {
        case EADDRINUSE:
            Problem(
                """
                Port \(port) is taken by another program. Choose another one with --port; 0 takes any that \
                is free.
                """)
        case EACCES:
            Problem("You may not listen at port \(port). Choose one from 1024 on with --port.")
        case EADDRNOTAVAIL, EAFNOSUPPORT: noAddress
        default: nil
        }
    }

    private var noAddress: Problem {
        Problem("\(host) is no address of this machine. Choose one that is with --host.")
    }

    private static let eventHeaders: HTTPFields = [
        .contentType: "text/event-stream", .cacheControl: "no-store",
    ]

    private var shownHost: String { HostNames.shown(for: host) }

    private func router(_ streams: OpenStreams) -> Router<WebContext> {
        let (site, limit) = (site, Self.bodyLimit)
        let names: Set<String> =
            Self.loopback.contains(host)
            ? ["127.0.0.1", "localhost", "[::1]"] : HostNames.all(for: host)
        let router = Router(context: WebContext.self, options: .autoGenerateHeadEndpoints)
        router.add(middleware: SecurityHeaders())
        router.add(middleware: AccessGuard(hosts: names, token: token))
        router.add(middleware: BrowserNames())
        // Who wants no events opens no stream.
        router.head("events") { _, _ in
            Response(status: .ok, headers: Self.eventHeaders)
        }
        router.get("events") { request, context in
            let channel = context.channel
            let stream = try streams.open { channel.close(promise: nil) }
            do {
                try await site.follow(try WebRequest(request, browser: request.browser), stream)
            } catch {
                streams.close(stream)
                await site.unfollow(stream)
                throw error
            }
            // Who leaves before the answer begins is never written to.
            channel.closeFuture.whenComplete { _ in
                streams.close(stream)
                Task { await site.unfollow(stream) }
            }
            return Response(
                status: .ok,
                headers: Self.eventHeaders,
                body: ResponseBody { writer in
                    try await request.body.consumeWithInboundCloseHandler { _ in
                        await withGracefulShutdownHandler {
                            // What was sent when the browser left is lost; it asks for that when it comes back.
                            try? await stream.write { try await writer.write(contentsOf: $0) }
                        } onGracefulShutdown: {
                            stream.close()
                        }
                    } onInboundClosed: {
                        stream.close()
                    }
                    streams.close(stream)
                    await site.unfollow(stream)
                    try await writer.finish(nil)
                })
        }
        router.get("**") { request, _ in
            try await site.get(try WebRequest(request, browser: request.browser))
        }
        router.get("/") { request, _ in
            try await site.get(try WebRequest(request, browser: request.browser))
        }
        router.post("**") { request, _ in
            guard request.headers[.contentType]?.hasPrefix("application/json") == true else {
                throw HTTPError(.unsupportedMediaType, message: "JSON is expected.")
            }
            let body = try await request.body.collect(upTo: limit)
            return try await site.post(
                try WebRequest(request, browser: request.browser), Data(body.readableBytesView))
        }
        return router
    }
}

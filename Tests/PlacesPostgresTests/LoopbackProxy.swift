#if Postgres
    import Foundation
    import Synchronization

    #if canImport(Darwin)
        import Darwin
    #elseif canImport(Glibc)
        import Glibc
    #endif

    /// A network between a log and its server that can fail.
    final class LoopbackProxy: Sendable {
        /// What becomes of bytes.
        enum Mode {
            case passes
            /// Nothing goes on, and nobody hears of it.
            case swallows
            /// What the server answers is not passed on, and the connection closed in its place.
            case losesAnswers
        }

        private struct State {
            var mode = Mode.passes
            var isOpen = true
            var sockets: Set<Int32> = []
        }

        private let state = Mutex(State())
        private let listening: Int32
        private let server: UInt16
        let port: UInt16

        init(to server: String) throws {
            self.server = UInt16(server) ?? 5432
            listening = Self.socket()
            var address = Self.address(port: 0)
            var size = socklen_t(MemoryLayout<sockaddr_in>.size)
            let (listening, length) = (listening, size)
            let isBound = withUnsafeMutablePointer(to: &address) { pointer in
                pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(listening, $0, length) == 0 && listen(listening, 64) == 0
                        && getsockname(listening, $0, &size) == 0
                }
            }
            guard isBound else { throw POSIXError(.EADDRNOTAVAIL) }
            port = UInt16(bigEndian: address.sin_port)
            Thread.detachNewThread { [self] in accept() }
        }

        /// The connection string that leads through it.
        var connection: String { "host=127.0.0.1 port=\(port)" }

        func set(_ mode: Mode) { state.withLock { $0.mode = mode } }

        /// Closes all connections that there are.
        func cut() {
            state.withLock { for socket in $0.sockets { shutdown(socket, Int32(SHUT_RDWR)) } }
        }

        func close() {
            state.withLock { $0.isOpen = false }
            cut()
        }

        private var isOpen: Bool { state.withLock(\.isOpen) }

        private func accept() {
            while isOpen {
                guard Self.isReadable(listening) else { continue }
                let client = Self.accept(listening)
                let upstream = Self.socket()
                var address = Self.address(port: server)
                let isConnected = withUnsafePointer(to: &address) {
                    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                        connect(upstream, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
                    }
                }
                guard client >= 0, isConnected else {
                    for socket in [client, upstream] { _ = Self.close(socket) }
                    continue
                }
                state.withLock { _ = ($0.sockets.insert(client), $0.sockets.insert(upstream)) }
                Thread.detachNewThread { [self] in forward(client, upstream) }
            }
            _ = Self.close(listening)
        }

        /// Passes on what comes from either side until one of both is closed.
        private func forward(_ client: Int32, _ upstream: Int32) {
            var buffer = [UInt8](repeating: 0, count: 1 << 16)
            loop: while isOpen {
                for (from, to) in [(client, upstream), (upstream, client)] {
                    guard Self.isReadable(from, within: 2) else { continue }
                    let mode = state.withLock(\.mode)
                    guard mode != .swallows else {
                        usleep(5_000)
                        continue
                    }
                    let count = read(from, &buffer, buffer.count)
                    guard count > 0 else { break loop }
                    if from == upstream, mode == .losesAnswers { break loop }
                    var sent = 0
                    while sent < count {
                        let size = buffer[sent..<count].withUnsafeBytes {
                            send(to, $0.baseAddress, $0.count, Self.quietly)
                        }
                        guard size > 0 else { break loop }
                        sent += size
                    }
                }
            }
            state.withLock { _ = ($0.sockets.remove(client), $0.sockets.remove(upstream)) }
            for socket in [client, upstream] { _ = Self.close(socket) }
        }

        // MARK: - The system

        #if canImport(Darwin)
            private static let quietly: Int32 = 0
            private static func socket() -> Int32 {
                let socket = Darwin.socket(AF_INET, SOCK_STREAM, 0)
                var on: Int32 = 1
                setsockopt(socket, SOL_SOCKET, SO_NOSIGPIPE, &on, socklen_t(4))
                return socket
            }
            private static func close(_ file: Int32) -> Int32 { Darwin.close(file) }
            private static func accept(_ socket: Int32) -> Int32 { Darwin.accept(socket, nil, nil) }
        #else
            private static let quietly = Int32(MSG_NOSIGNAL)
            private static func socket() -> Int32 {
                Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
            }
            private static func close(_ file: Int32) -> Int32 { Glibc.close(file) }
            private static func accept(_ socket: Int32) -> Int32 { Glibc.accept(socket, nil, nil) }
        #endif

        private static func address(port: UInt16) -> sockaddr_in {
            var address = sockaddr_in()
            address.sin_family = sa_family_t(AF_INET)
            address.sin_port = port.bigEndian
            address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
            return address
        }

        private static func isReadable(_ socket: Int32, within milliseconds: Int32 = 50) -> Bool {
            var entry = pollfd(fd: socket, events: Int16(POLLIN), revents: 0)
            return poll(&entry, 1, milliseconds) > 0
        }
    }
#endif

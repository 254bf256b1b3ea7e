import Foundation

#if canImport(Glibc)
    import Glibc
    private let stream = Int32(SOCK_STREAM.rawValue)
#elseif canImport(Musl)
    import Musl
    private let stream = Int32(SOCK_STREAM)
#else
    import Darwin
    private let stream = SOCK_STREAM
#endif

/// A listening TCP port on the loopback interface, which answers when told to.
final class LoopbackPort: Sendable {
    let number: UInt16
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = descriptor
        let succeeded = withUnsafeMutablePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && listen(descriptor, 8) == 0
                    && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard succeeded else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
        number = UInt16(bigEndian: address.sin_port)
    }

    func close() {
        #if canImport(Glibc)
            Glibc.close(descriptor)
        #elseif canImport(Musl)
            Musl.close(descriptor)
        #else
            Darwin.close(descriptor)
        #endif
    }

    /// Waits until a client has connected, and leaves it without a reply.
    func waitForConnection() async {
        _ = await onThread { accept(self.descriptor, nil, nil) }
    }

    /// Waits for a request, sends the reply, and returns what the request was.
    func answer(_ reply: String) async -> String {
        await onThread {
            let client = accept(self.descriptor, nil, nil)
            var buffer = [UInt8](repeating: 0, count: 8_192)
            let count = max(0, recv(client, &buffer, buffer.count, 0))
            let bytes = Array(reply.utf8)
            _ = send(client, bytes, bytes.count, 0)
            _ = shutdown(client, Int32(SHUT_WR))
            return String(decoding: buffer.prefix(count), as: UTF8.self)
        }
    }

    private func onThread<Result: Sendable>(_ body: @escaping @Sendable () -> Result) async
        -> Result
    {
        await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: body()) }
        }
    }
}

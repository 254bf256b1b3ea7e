package import Foundation

/// A file, a pipe or a socket that somebody else has opened, and that may be read slowly or not at all.
package final class OpenOutput: Sendable {
    private let descriptor: Int32

    /// Shares what is open under a number, which may be another file's once its owner has closed it; `nil` where that is
    /// none.
    ///
    /// - Throws: `POSIXError`.
    package init?(sharing owned: Int32) throws {
        guard owned >= 0 else { return nil }
        descriptor = Platform.duplicate(owned)
        guard descriptor >= 0 else {
            throw POSIXError(POSIXError.Code(rawValue: Platform.errorNumber) ?? .EBADF)
        }
    }

    deinit { _ = Platform.closeFile(descriptor) }

    /// Writes bytes as soon as there is room for them; blocks until then, or until it is cancelled.
    ///
    /// - Throws: `POSIXError`, or `CancellationError`; a part of the bytes may be written then.
    package func write(_ bytes: Data, _ cancellation: Cancellation) throws {
        try Platform.withoutPipeSignal(from: descriptor) {
            try bytes.withUnsafeBytes { bytes in
                var rest = bytes[...]
                while !rest.isEmpty {
                    try cancellation.check()
                    guard Platform.waitForRoom(descriptor, milliseconds: 50) else { continue }
                    // More at a time might wait for room itself.
                    rest = rest.dropFirst(try write(rest.prefix(Platform.writablePrefix)))
                }
            }
        }
    }

    /// Writes some of these bytes, or none if somebody else has taken the room.
    private func write(_ bytes: Slice<UnsafeRawBufferPointer>) throws -> Int {
        let count = Platform.writeBytes(descriptor, UnsafeRawBufferPointer(rebasing: bytes))
        if count > 0 { return count }
        let code = count < 0 ? POSIXError.Code(rawValue: Platform.errorNumber) : .EIO
        switch code {
        case .EINTR?: return 0
        case .EAGAIN?:
            Platform.pause(milliseconds: 10)
            return 0
        default: throw POSIXError(code ?? .EIO)
        }
    }
}

import Synchronization

/// The blobs that could not be read while something was computed.
///
/// What computes with bytes takes those for nothing and cannot throw; who asked for the result can.
final class UnreadableBlobs: Sendable {
    /// Where whoever asked for what is computed wants to know of them.
    @TaskLocal static var current: UnreadableBlobs?

    private let first = Mutex<ExternalStorageError?>(nil)

    /// Notes why a blob could not be read.
    func note(_ error: ExternalStorageError) { first.withLock { $0 = $0 ?? error } }

    /// Runs `body`, and throws why the first blob could not be read that it asked for in vain.
    func refuse(in body: () -> Void) throws(ExternalStorageError) {
        Self.$current.withValue(self, operation: body)
        if let error = first.withLock(\.self) { throw error }
    }
}

import Foundation
import Synchronization

/// Shows on a terminal that something takes its time, and leaves no trace; silent when piped.
public final class Spinner: Sendable {
    private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    /// Runs `body` while `message` turns on standard error.
    public nonisolated(nonsending) static func run<Value>(
        _ message: String, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        guard isatty(STDERR_FILENO) != 0 else { return try await body() }
        let turning = Task.detached {
            var frame = 0
            // What is done at once shows nothing.
            try await Task.sleep(for: .milliseconds(150))
            while !Task.isCancelled {
                write("\r\(frames[frame % frames.count]) \(message)")
                frame += 1
                try await Task.sleep(for: .milliseconds(80))
            }
        }
        defer {
            turning.cancel()
            write("\r\u{1B}[K")
        }
        return try await body()
    }

    private static func write(_ text: String) {
        FileHandle.standardError.write(Data(text.utf8))
    }
}

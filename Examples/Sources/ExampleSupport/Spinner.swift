import Foundation
import Synchronization

/// Shows on a terminal that something takes its time, and leaves no trace; silent when piped.
public final class Spinner: Sendable {
    private static let frames = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"]

    private let text: Mutex<String>
    private let isTurning = Mutex(true)

    private init(_ message: String) {
        text = Mutex(message)
    }

    /// What is shown.
    public var message: String {
        get { text.withLock { $0 } }
        set { text.withLock { $0 = newValue } }
    }

    /// Runs `body` while `message` turns on standard error.
    public nonisolated(nonsending) static func run<Value>(
        _ message: String, _ body: nonisolated(nonsending) () async throws -> Value
    ) async throws -> Value {
        try await run(message) { _ in try await body() }
    }

    /// Runs `body`, which may change the message, while that turns on standard error.
    public nonisolated(nonsending) static func run<Value>(
        _ message: String, _ body: nonisolated(nonsending) (Spinner) async throws -> Value
    ) async throws -> Value {
        let spinner = Spinner(message)
        guard Terminal.moves(STDERR_FILENO) else { return try await body(spinner) }
        let turning = Task.detached {
            var frame = 0
            // What is done at once shows nothing.
            try await Task.sleep(for: .milliseconds(150))
            while spinner.show(frame) {
                frame += 1
                try await Task.sleep(for: .milliseconds(80))
            }
        }
        defer {
            turning.cancel()
            spinner.stop()
        }
        return try await body(spinner)
    }

    /// Writes a frame; returns false if the spinner has stopped.
    private func show(_ number: Int) -> Bool {
        let message = message
        // Under the lock, or the line might come after it was taken away for good.
        return isTurning.withLock { isTurning in
            guard isTurning else { return false }
            let line = "\(Self.frames[number % Self.frames.count]) \(message)"
            Self.write("\r\(line.fitting(Terminal.noteColumns.map { $0 - 1 }))\u{1B}[K")
            return true
        }
    }

    private func stop() {
        isTurning.withLock { isTurning in
            isTurning = false
            Self.clear()
        }
    }

    /// Takes away what is shown.
    static func clear() {
        if Terminal.moves(STDERR_FILENO) { write("\r\u{1B}[K") }
    }

    private static func write(_ text: String) {
        try? FileHandle.standardError.write(contentsOf: Data(text.utf8))
    }
}

import Foundation
import PlacesBase

/// An export or import under way: tells how far it is, and may be cancelled.
struct ExchangeTask: Sendable {
    private let progress: Progress?
    private let cancellation: Cancellation

    /// Runs blocking work on a thread of its own; cancelling the task or the progress ends it.
    nonisolated(nonsending) static func run<Value: Sendable>(
        _ progress: Progress?, _ body: @escaping @Sendable (ExchangeTask) throws -> Value
    ) async throws -> Value {
        try await BlockingQueue("PlacesKit.Exchange").run { cancellation in
            try body(ExchangeTask(progress: progress, cancellation: cancellation))
        }
    }

    /// Work that runs on the caller's thread.
    static let immediate = ExchangeTask(progress: nil, cancellation: Cancellation())

    /// Says how much there is to do.
    func begin(_ count: Int) { progress?.begin(count) }

    /// Says that all is done.
    func finish() {
        if let progress { progress.completedUnitCount = progress.totalUnitCount }
    }

    /// Says how much is done.
    ///
    /// - Throws: `CancellationError`, where nobody wants it any more.
    func reach(_ count: Int) throws {
        progress?.completedUnitCount = Int64(count)
        try check()
    }

    /// Throws `CancellationError` where nobody wants it any more.
    func check() throws {
        try cancellation.check()
        if progress?.isCancelled ?? false { throw CancellationError() }
    }
}

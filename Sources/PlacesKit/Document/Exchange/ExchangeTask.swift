import Foundation
import Synchronization

/// An export or import under way: tells how far it is, and may be cancelled.
struct ExchangeTask: Sendable {
    private final class Flag: Sendable {
        let isSet = Atomic(false)
    }

    private let progress: Progress?
    private let cancellation = Flag()

    /// Runs blocking work on a thread of its own; cancelling the task or the progress ends it.
    nonisolated(nonsending) static func run<Value: Sendable>(
        _ progress: Progress?, _ body: @escaping @Sendable (ExchangeTask) throws -> Value
    ) async throws -> Value {
        let task = ExchangeTask(progress: progress)
        return try await withTaskCancellationHandler {
            try await BlockingQueue("PlacesKit.Exchange").run { try body(task) }
        } onCancel: {
            task.cancellation.isSet.store(true, ordering: .relaxed)
        }
    }

    /// Work that runs on the caller's thread.
    static let immediate = ExchangeTask(progress: nil)

    private init(progress: Progress?) { self.progress = progress }

    /// Says how much there is to do.
    func begin(_ count: Int) {
        // NB: on Linux a total that becomes zero is divided by.
        progress?.totalUnitCount = Int64(max(1, count))
        progress?.completedUnitCount = 0
    }

    /// Says that all is done.
    func finish() {
        if let progress { progress.completedUnitCount = progress.totalUnitCount }
    }

    /// Says how much is done.
    ///
    /// - Throws: `CancellationError`, where nobody wants it any more.
    func reach(_ count: Int) throws {
        progress?.completedUnitCount = Int64(count)
        if cancellation.isSet.load(ordering: .relaxed) || progress?.isCancelled ?? false {
            throw CancellationError()
        }
    }
}

import Dispatch
import Foundation

/// Makes a value for each number below `count`, which is done on all cores, and takes the values one at a
/// time, in the order of their numbers, while more are made.
///
/// Whoever made the value that comes next takes it, while it is still near, and those that others made
/// meanwhile.
///
/// - Parameters:
///   - count: How many values there are.
///   - limit: At most so many values, one or more, are made and not taken yet.
///   - make: Makes a value. It must be safe to call from several threads at a time.
///   - take: Takes a value. What it throws ends all.
/// - Throws: What `take` throws.
func concurrentPipeline<Value>(
    _ count: Int, limit: Int, _ make: (Int) -> Value, inOrder take: (Value) throws -> Void
) throws {
    let pipeline = Pipeline<Value>(limit: limit)
    withoutActuallyEscaping(make) { make in
        withoutActuallyEscaping(take) { take in
            // Safe: all calls have ended when `concurrentPerform` returns, and the pipeline calls `take` one
            // after the other.
            nonisolated(unsafe) let (make, take) = (make, take)
            DispatchQueue.concurrentPerform(iterations: count) { _ in
                pipeline.advance(make, take)
            }
        }
    }
    if let failure = pipeline.failure { throw failure }
}

/// Values that are being made, and those that wait to be taken.
///
/// What is changed is changed under the lock of `condition`.
private final class Pipeline<Value>: @unchecked Sendable {
    private let condition = NSCondition()
    private let limit: Int
    /// How many values have been begun, and taken.
    private var (begunCount, takenCount) = (0, 0)
    private var waiting: [Int: Value] = [:]
    private var isTaking = false
    private(set) var failure: (any Error)?

    init(limit: Int) { self.limit = limit }

    /// Makes one value, and takes all whose turn it is, unless somebody does.
    func advance(_ make: (Int) -> Value, _ take: (Value) throws -> Void) {
        guard let number = begin() else { return }
        let value = make(number)
        condition.withLock { waiting[number] = value }
        while let value = next() {
            let result = Result { try take(value) }
            condition.withLock {
                if case .failure(let error) = result { failure = error }
                takenCount += 1
                isTaking = false
                condition.broadcast()
            }
        }
    }

    /// The number of a value to make, once there is room for it; `nil` if there is nothing more to do.
    private func begin() -> Int? {
        condition.withLock {
            let number = begunCount
            begunCount += 1
            // The value that is to be taken next never waits here, so that all others come to an end.
            while failure == nil, number >= takenCount + limit { condition.wait() }
            return failure == nil ? number : nil
        }
    }

    /// The value whose turn it is, which nobody else takes then.
    private func next() -> Value? {
        condition.withLock {
            guard !isTaking, failure == nil, let value = waiting.removeValue(forKey: takenCount)
            else { return nil }
            isTaking = true
            return value
        }
    }
}

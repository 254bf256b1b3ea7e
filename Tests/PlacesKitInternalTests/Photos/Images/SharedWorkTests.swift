import PlacesKit
import Synchronization
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

@Suite(.endsWaiting) struct SharedWorkTests {
    private struct Failure: Error {}

    @Test func `many callers, one piece of work, one answer each`() async throws {
        let work = SharedWork<String, Int>()
        let gate = Gate()
        let starts = Counter()
        let tasks = (0..<100).map { _ in
            Task {
                try await work.value(for: "key", priority: LivePriority(.idle)) { _ in
                    starts.count()
                    await gate.wait()
                    return 42
                }
            }
        }
        try await wait { work.waiterCount == 100 }
        gate.open()
        for task in tasks { #expect(try await task.value == 42) }
        #expect(starts.value == 1)
        #expect(work.count == 0 && work.waiterCount == 0)
    }

    @Test func `a failure is everybody's, and the next call begins anew`() async throws {
        let work = SharedWork<String, Int>()
        await #expect(throws: Failure.self) {
            try await work.value(for: "key", priority: LivePriority(.idle)) { _ in throw Failure() }
        }
        let value = try await work.value(for: "key", priority: LivePriority(.idle)) { _ in 1 }
        #expect(value == 1)
    }

    @Test func `work goes on while one waits, and is cancelled with the last`() async throws {
        let work = SharedWork<String, Int>()
        let gate = Gate()
        let cancellations = Counter()
        let finished = Counter()
        let tasks = (0..<3).map { _ in
            Task {
                try await work.value(for: "key", priority: LivePriority(.idle)) { _ in
                    await gate.wait()
                    if Task.isCancelled { cancellations.count() }
                    finished.count()
                    return 1
                }
            }
        }
        try await wait { work.waiterCount == 3 }
        tasks[0].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[0].value }
        #expect(work.count == 1)
        tasks[1].cancel()
        tasks[2].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[2].value }
        #expect(work.count == 0)
        gate.open()
        try await wait { finished.value == 1 }
        #expect(cancellations.value == 1)
    }

    @Test func `the most urgent waiter's priority is that of the work`() async throws {
        let work = SharedWork<String, Int>()
        let gate = Gate()
        let inner = Box<LivePriority?>(nil)
        func start(_ priority: LivePriority) -> Task<Int, any Error> {
            Task {
                try await work.value(for: "key", priority: priority) { priority in
                    inner.set(priority)
                    await gate.wait()
                    return 1
                }
            }
        }
        func current() -> ImagePriority? { inner.value?.value }
        let outer = LivePriority(.idle)
        let first = start(outer)
        try await wait { current() != nil }
        #expect(current() == .idle)
        let second = start(LivePriority(.prefetch))
        try await wait { work.waiterCount == 2 }
        #expect(current() == .prefetch)
        outer.set(.visible)
        #expect(current() == .visible)
        outer.set(.idle)
        #expect(current() == .prefetch)
        second.cancel()
        _ = await second.result
        #expect(current() == .idle)
        gate.open()
        #expect(try await first.value == 1)
    }

    @Test func `ten thousand starts and cancellations leave nothing behind`() async throws {
        let work = SharedWork<Int, Int>()
        let answers = Counter()
        let finished = Counter()
        let started = Counter()
        await withTaskGroup { group in
            for number in 0..<10_000 {
                let task = Task {
                    let result = await Result {
                        try await work.value(for: number % 50, priority: LivePriority(.visible)) {
                            _ in
                            started.count()
                            defer { finished.count() }
                            for _ in 0..<3 { await Task.yield() }
                            try Task.checkCancellation()
                            return number
                        }
                    }
                    answers.count()
                    if case .failure(let error) = result { #expect(error is CancellationError) }
                }
                group.addTask { await task.value }
                if number % 3 != 0 { task.cancel() }
                if number % 7 == 0 { await Task.yield() }
            }
        }
        #expect(answers.value == 10_000)
        #expect(work.count == 0 && work.waiterCount == 0)
        try await wait { started.value == finished.value }
    }
}

extension Result where Failure == any Error {
    fileprivate init(_ body: () async throws -> Success) async {
        do { self = .success(try await body()) } catch { self = .failure(error) }
    }
}

/// A value that many tasks set and read.
final class Box<Value: Sendable>: Sendable {
    private let mutex: Mutex<Value>

    init(_ value: Value) {
        mutex = Mutex(value)
    }

    var value: Value { mutex.withLock { $0 } }

    func set(_ value: Value) {
        mutex.withLock { $0 = value }
    }

    func change(_ change: (inout Value) -> Void) {
        mutex.withLock { value in
            var changed = value
            change(&changed)
            value = changed
        }
    }
}

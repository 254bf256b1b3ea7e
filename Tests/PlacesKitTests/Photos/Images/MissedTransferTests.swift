import Dispatch
import Foundation
import PlacesKit
import Synchronization
import Testing

/// A caller looks into memory before it joins a transfer, and one may end in between.
@Suite(.endsWaiting) struct MissedTransferTests {
    private let server = PictureServer()
    private let clock = TestClock(Date(timeIntervalSince1970: 1_700_000_000))
    private let request = PictureServer.request("1", "a")

    /// A loader all of whose knowledge is too old, and that asks for the time where it looks at it.
    private func loader(_ interruption: InterruptingExecutor) async -> ImageLoader {
        let loader = ImageLoader(
            sourceName: "Test",
            options: ImageLoader.Options(maximumAge: .seconds(60), goneAge: .seconds(60)),
            now: { [clock] in
                interruption.pass()
                return clock.now
            }, fetch: server.fetch)
        _ = try? await loader.image(request)
        clock.advance(by: 61)
        return loader
    }

    /// Lets a caller ask for the picture, and another one while that is at a moment of its way.
    private func ask(_ loader: ImageLoader, _ interruption: InterruptingExecutor) async throws
        -> [Result<Data, any Error>]
    {
        let ended = Counter()
        let late = Task(executorPreference: interruption) {
            defer { ended.count() }
            return try await loader.image(request)
        }
        try await wait { interruption.isHolding || ended.value == 1 }
        let early = await Task { try await loader.image(request) }.result
        interruption.release()
        return [early, await late.result]
    }

    @Test(arguments: 0..<6)
    func `who misses a transfer by a moment takes its picture`(moment: Int) async throws {
        let interruption = InterruptingExecutor(at: moment)
        let loader = await loader(interruption)
        let results = try await ask(loader, interruption)
        for result in results { #expect(try result.get() == .picture("a")) }
        #expect(server.requests == ["a", "a"])
    }

    @Test(arguments: 0..<6)
    func `who misses by a moment that a picture is gone does not ask again`(moment: Int)
        async throws
    {
        server.fail("a", with: PhotoSourceError.gone(what: "The picture"))
        let interruption = InterruptingExecutor(at: moment)
        let loader = await loader(interruption)
        let results = try await ask(loader, interruption)
        for result in results {
            #expect(throws: PhotoSourceError.self) { try result.get() }
        }
        #expect(server.requests == ["a", "a"])
    }
}

/// Runs a task on a thread of its own, and stops it where it asks for the time.
private final class InterruptingExecutor: TaskExecutor {
    private struct State {
        var callsBefore: Int
        var isHolding = false
    }

    private static let isOwn = DispatchSpecificKey<Bool>()
    private let queue = DispatchQueue(label: "MissedTransferTests")
    private let gate = DispatchSemaphore(value: 0)
    private let state: Mutex<State>

    /// Creates one that stops the task after it has asked for the time so many times.
    init(at moment: Int) {
        state = Mutex(State(callsBefore: moment))
        queue.setSpecific(key: Self.isOwn, value: true)
    }

    var isHolding: Bool { state.withLock(\.isHolding) }

    func release() { gate.signal() }

    func pass() {
        guard DispatchQueue.getSpecific(key: Self.isOwn) == true else { return }
        let isStopped = state.withLock { state in
            state.callsBefore -= 1
            state.isHolding = state.callsBefore == -1
            return state.isHolding
        }
        if isStopped { gate.wait() }
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}

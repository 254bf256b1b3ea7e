import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite(.endsWaiting) struct CoalescingTransportTests {
    /// A gate that opens once.
    private final class Gate: Sendable {
        private let stream: AsyncStream<Void>
        private let continuation: AsyncStream<Void>.Continuation
        init() { (stream, continuation) = AsyncStream.makeStream() }
        func open() { continuation.finish() }
        func pass() async throws {
            for await _ in stream {}
            try Task.checkCancellation()
        }
    }

    @Test func `many equal callers share one transfer, and each is answered`() async throws {
        let gate = Gate()
        let base = ScriptedTransport { number in
            try await gate.pass()
            return HTTPResponse(body: Data("\(number)".utf8))
        }
        let transport = CoalescingTransport(base)
        let waiting = Mailbox()
        let replies = try await withThrowingTaskGroup(of: HTTPResponse.self) { group in
            for _ in 0..<200 {
                group.addTask {
                    waiting.note()
                    return try await transport.send(.numbered(7))
                }
            }
            try await wait { waiting.count == 200 && base.started == 1 }
            gate.open()
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(replies.count == 200)
        #expect(base.started <= 200)
        #expect(Set(replies.map(\.body)).count == base.started)
        #expect(transport.transferCount == 0)
    }

    @Test func `different requests are not shared, nor are later ones`() async throws {
        let base = ScriptedTransport { HTTPResponse(body: Data("\($0)".utf8)) }
        let transport = CoalescingTransport(base)
        _ = try await transport.send(.numbered(1))
        _ = try await transport.send(.numbered(1))
        _ = try await transport.send(.numbered(2))
        #expect(base.started == 3)
    }

    @Test func `a cancelled caller leaves at once, the last one ends the transfer`() async throws {
        let base = ScriptedTransport { _ in try await ScriptedTransport.never() }
        let transport = CoalescingTransport(base)
        let first = Task { try await transport.send(.numbered(1)) }
        try await wait { base.running == 1 }
        let second = Task { try await transport.send(.numbered(1)) }
        first.cancel()
        await #expect(throws: CancellationError.self) { try await first.value }
        second.cancel()
        await #expect(throws: CancellationError.self) { try await second.value }
        try await wait { base.running == 0 }
        #expect(transport.transferCount == 0)
    }

    @Test func `one caller's cancellation is not another's`() async throws {
        let gate = Gate()
        let base = ScriptedTransport { _ in
            try await gate.pass()
            return .success
        }
        let transport = CoalescingTransport(base)
        let waiting = Mailbox()
        let callers = (0..<20).map { _ in
            Task {
                waiting.note()
                return try await transport.send(.numbered(1))
            }
        }
        try await wait { waiting.count == 20 && base.running > 0 }
        for caller in callers.prefix(19) { caller.cancel() }
        for caller in callers.prefix(19) {
            await #expect(throws: CancellationError.self) { try await caller.value }
        }
        gate.open()
        #expect(try await callers[19].value == .success)
    }

    @Test func `ten thousand callers that come and go are each answered once`() async throws {
        let base = ScriptedTransport { number in
            for _ in 0..<(number % 5) { await Task.yield() }
            try Task.checkCancellation()
            return .success
        }
        let transport = CoalescingTransport(base)
        var random = SplitMix64(seed: 11)
        let outcomes = await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<10_000 {
                let key = random.below(40)
                let delay = random.below(4)
                group.addTask {
                    let task = Task { try await transport.send(.numbered(key)) }
                    for _ in 0..<delay { await Task.yield() }
                    if delay > 0 { task.cancel() }
                    do {
                        return try await task.value == .success
                    } catch {
                        return error is CancellationError && delay > 0
                    }
                }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(outcomes.count == 10_000)
        #expect(outcomes.allSatisfy { $0 })
        try await wait { base.running == 0 }
        #expect(transport.transferCount == 0)
    }

    @Test func `only so many requests are under way at a time, and turns are not lost`()
        async throws
    {
        let base = ScriptedTransport { _ in
            await Task.yield()
            return .success
        }
        let transport = base.limitingRequests(to: 3)
        let answered = await withTaskGroup(of: Bool.self) { group in
            for number in 0..<600 {
                group.addTask {
                    let task = Task { try await transport.send(.numbered(number)) }
                    if number % 3 == 0 { task.cancel() }
                    return (try? await task.value) != nil
                }
            }
            return await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
        }
        #expect(answered >= 400)
        #expect(base.mostRunning <= 3)
        #expect(base.running == 0)
        _ = try await transport.send(.numbered(0))
    }
}

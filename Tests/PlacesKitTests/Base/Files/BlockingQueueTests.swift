import Dispatch
import PlacesKit
import Testing

@Suite(.endsWaiting) struct BlockingQueueTests {
    private final class Held: Sendable {}

    private let queue = BlockingQueue("PlacesKit.BlockingQueueTests")

    @Test func `what work holds is let go of before its caller goes on`() async {
        for _ in 0..<2_000 {
            weak var held: Held?
            do {
                let object = Held()
                held = object
                await queue.run { [object] in _ = object }
            }
            #expect(held == nil)
        }
    }

    @Test func `work is not begun for a caller who is cancelled, and told if that is so later`()
        async throws
    {
        let begun = Counter()
        let early = Task { [queue] in
            withUnsafeCurrentTask { $0?.cancel() }
            try await queue.run { _ in begun.count() }
        }
        await #expect(throws: CancellationError.self) { try await early.value }
        #expect(begun.value == 0)

        let gate = DispatchSemaphore(value: 0)
        let late = Task { [queue] in
            try await queue.run { cancellation in
                begun.count()
                gate.wait()
                try cancellation.check()
            }
        }
        try await wait { begun.value == 1 }
        late.cancel()
        gate.signal()
        await #expect(throws: CancellationError.self) { try await late.value }
    }
}

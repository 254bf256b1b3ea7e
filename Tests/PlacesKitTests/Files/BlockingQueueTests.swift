import Testing

@testable import PlacesKit

@Suite struct BlockingQueueTests {
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
}

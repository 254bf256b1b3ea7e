import PlacesKit
import Synchronization
import Testing

@testable import PlacesGraph

@Suite struct ConcurrentPipelineTests {
    private struct Failure: Error {}

    @Test(arguments: [1, 2, 16])
    func `values are taken in order, and few wait for it`(limit: Int) throws {
        let waiting = Mutex((count: 0, greatest: 0))
        var taken: [Int] = []
        try concurrentPipeline(2_000, limit: limit) { number in
            waiting.withLock {
                $0.count += 1
                $0.greatest = max($0.greatest, $0.count)
            }
            // Some take longer to make than others.
            return (0..<(number % 7) * 100).reduce(number) { $0 ^ $1 ^ $1 }
        } inOrder: { number in
            taken.append(number)
            waiting.withLock { $0.count -= 1 }
        }
        #expect(taken == Array(0..<2_000))
        #expect(waiting.withLock { $0.greatest } <= limit)
    }

    @Test func `what taking throws ends all`() {
        let made = Mutex(0)
        var takenCount = 0
        #expect(throws: Failure.self) {
            try concurrentPipeline(2_000, limit: 4) { number in
                made.withLock { $0 += 1 }
                return number
            } inOrder: { number in
                takenCount += 1
                if number == 10 { throw Failure() }
            }
        }
        #expect(takenCount == 11)
        #expect(made.withLock { $0 } <= 15)
    }
}

import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Who waits for the turn of a transaction.
@Suite struct TransactionQueueTests {
    @Test func `those who wait for a turn get it in their order, and a cancelled one leaves`()
        async throws
    {
        let queue = TransactionQueue()
        let order = ValueLog()
        let (opened, open) = AsyncStream<Void>.makeStream()
        let (begun, begin) = AsyncStream<Void>.makeStream()
        let holder = Task {
            try await queue.withTurn {
                begin.yield()
                for await _ in opened { break }
            }
        }
        for await _ in begun { break }
        #expect(queue.isTaken)
        var tasks: [Task<Void, any Error>] = []
        for number in 0..<3 {
            tasks.append(Task { try await queue.withTurn { order.append(number) } })
            while queue.waitingCount <= number { await Task.yield() }
        }
        tasks[1].cancel()
        await #expect(throws: CancellationError.self) { try await tasks[1].value }
        open.yield()
        try await holder.value
        for number in [0, 2] { try await tasks[number].value }
        #expect(order.values == [0, 2] && !queue.isTaken)
    }
}

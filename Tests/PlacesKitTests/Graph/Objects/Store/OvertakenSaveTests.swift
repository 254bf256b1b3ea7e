import Foundation
import PlacesKit
import Synchronization
import Testing

/// Saves that others overtake while they are checked.
@Suite struct OvertakenSaveTests {
    final class Essay: ManagedObject {
        @Attribute var text = ""

        override func validate() throws {
            if text == "long" { OvertakenSaveTests.rounds.withLock(\.self)?() }
        }
    }

    /// What happens whenever the long essay is checked.
    fileprivate static let rounds = Mutex<(@Sendable () -> Void)?>(nil)

    @Test func `a save that somebody is always faster than goes first after some rounds`() throws {
        let store = try GraphStore(model: [Essay.self])
        let begin = DispatchSemaphore(value: 0)
        let isDone = DispatchSemaphore(value: 0)
        let isOver = Mutex(false)
        let count = Mutex(0)
        Thread.detachNewThread {
            let other = ManagedObjectContext(store, isolation: nil)
            while true {
                begin.wait()
                if isOver.withLock(\.self) { return }
                Essay(context: other).text = "short"
                try? other.save()
                isDone.signal()
            }
        }
        defer {
            isOver.withLock { $0 = true }
            begin.signal()
        }
        Self.rounds.withLock {
            $0 = {
                let round = count.withLock {
                    $0 += 1
                    return $0
                }
                begin.signal()
                // From then on the other one waits for this save, so it is not waited for.
                let limit: DispatchTimeInterval = round > 8 ? .milliseconds(20) : .seconds(60)
                _ = isDone.wait(timeout: .now() + limit)
            }
        }
        defer { Self.rounds.withLock { $0 = nil } }
        let context = ManagedObjectContext(store, isolation: nil)
        Essay(context: context).text = "long"
        try context.save()
        #expect((9..<100).contains(count.withLock(\.self)))
        let texts = Set(try store.snapshot().context().fetch(Essay.self).map(\.text))
        #expect(texts == ["long", "short"])
    }
}

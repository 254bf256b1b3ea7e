import PlacesKit
import Synchronization
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

@Suite(.endsWaiting) struct TransferSlotsTests {
    @Test func `the most urgent goes first, of equals the one that waited longest`() async throws {
        let slots = TransferSlots(perHost: 1)
        let gate = Gate()
        let order = Box<[String]>([])
        let first = Task {
            try await slots.run(host: "h", priority: LivePriority(.idle)) { await gate.wait() }
        }
        try await wait { slots.runningCount == 1 }
        var tasks: [Task<Void, any Error>] = []
        let wanted: [(String, ImagePriority)] = [
            ("idle 1", .idle), ("prefetch 1", .prefetch), ("visible 1", .visible),
            ("idle 2", .idle),
            ("visible 2", .visible), ("prefetch 2", .prefetch), ("raised", .idle),
            ("lowered", .visible),
        ]
        var priorities: [String: LivePriority] = [:]
        for (index, (name, priority)) in wanted.enumerated() {
            let live = LivePriority(priority)
            priorities[name] = live
            tasks.append(
                Task {
                    try await slots.run(host: "h", priority: live) {
                        order.change { $0.append(name) }
                    }
                })
            try await wait { slots.waitingCount == index + 1 }
        }
        priorities["raised"]?.set(.visible)
        priorities["lowered"]?.set(.idle)
        gate.open()
        try await first.value
        for task in tasks { try await task.value }
        #expect(
            order.value == [
                "visible 1", "visible 2", "raised", "prefetch 1", "prefetch 2", "idle 1", "idle 2",
                "lowered",
            ])
        #expect(slots.runningCount == 0 && slots.waitingCount == 0)
    }

    @Test func `who becomes more urgent goes before those who came later`() async throws {
        let slots = TransferSlots(perHost: 1)
        let gate = Gate()
        let order = Box<[Int]>([])
        let running = Task { try await slots.run(host: "h") { await gate.wait() } }
        try await wait { slots.runningCount == 1 }
        let priorities = [ImagePriority.visible, .prefetch, .idle, .visible].map(LivePriority.init)
        var tasks: [Task<Void, any Error>] = []
        for (number, priority) in priorities.enumerated() {
            tasks.append(
                Task {
                    try await slots.run(host: "h", priority: priority) {
                        order.change { $0.append(number) }
                    }
                })
            try await wait { slots.waitingCount == number + 1 }
        }
        for number in [2, 1] { priorities[number].set(.visible) }
        gate.open()
        try await running.value
        for task in tasks { try await task.value }
        #expect(order.value == [0, 1, 2, 3])
    }

    @Test func `each host has its own slots`() async throws {
        let slots = TransferSlots(perHost: 2)
        let gate = Gate()
        let tasks = (0..<12).map { number in
            Task {
                try await slots.run(host: "host \(number % 3)", priority: LivePriority(.visible)) {
                    await gate.wait()
                }
            }
        }
        try await wait { slots.waitingCount == 6 }
        #expect(slots.runningCount == 6)
        gate.open()
        for task in tasks { try await task.value }
        #expect(slots.runningCount == 0)
    }

    @Test func `who gives up loses no slot`() async throws {
        let slots = TransferSlots(perHost: 1)
        for round in 0..<200 {
            let gate = Gate()
            let running = Task {
                try await slots.run(host: "h", priority: LivePriority(.idle)) { await gate.wait() }
            }
            // Before others ask, for one that got the slot would be gone before five could wait.
            try await wait { slots.runningCount == 1 }
            let waiting = (0..<5).map { _ in
                Task { try await slots.run(host: "h", priority: LivePriority(.visible)) {} }
            }
            if round % 2 == 0 { try await wait { slots.waitingCount == 5 } }
            for task in waiting { task.cancel() }
            gate.open()
            _ = await running.result
            for task in waiting { _ = await task.result }
            #expect(slots.runningCount == 0 && slots.waitingCount == 0, "round \(round)")
        }
    }
}

import Foundation
import PlacesKit
import Synchronization
import Testing

@testable import PlacesKitTests
@testable import PlacesPhotos

/// What a loader has under way, and in memory.
@Suite(.endsWaiting) struct ImageTransferTests {
    private let server = PictureServer()

    private func loader(
        _ options: ImageLoader.Options = ImageLoader.Options()
    ) -> ImageLoader {
        ImageLoader(sourceName: "Test", options: options, fetch: server.fetch)
    }

    @Test func `stopping a prefetch does not stop who waits for the same picture`() async throws {
        let loader = loader()
        let gate = server.hold("a")
        let request = PictureServer.request("1", "a")
        let other = PictureServer.request("2", "b")
        let prefetch = loader.prefetch([request, other])
        // Nobody waits for the other picture any longer, or it would be counted below.
        try await wait { server.requests.contains("a") && loader.imageInMemory(other) != nil }
        try await wait { loader.transfers.waiterCount == 1 }
        let visible = Task { try await loader.image(request) }
        try await wait { loader.transfers.waiterCount == 2 }
        prefetch.cancel()
        await prefetch.finish()
        gate.open()
        #expect(try await visible.value == .picture("a"))
        #expect(server.requests.count { $0 == "a" } == 1)
    }

    @Test func `a renewal fetches, and shares no transfer that may only read the old picture`()
        async throws
    {
        let loader = loader()
        let gate = server.hold("a")
        let request = PictureServer.request("1", "a")
        let reading = Task { try await loader.image(request) }
        try await wait { server.requests == ["a"] }
        let renewal = Task {
            try await loader.loaded(request, priority: LivePriority(.idle), evenIfKept: true)
                .image.data
        }
        try await wait { server.requests == ["a", "a"] }
        gate.open()
        #expect(try await reading.value == .picture("a"))
        #expect(try await renewal.value == .picture("a"))
    }

    @Test func `a prefetched picture moves to the front when it becomes visible`() async throws {
        let loader = loader(ImageLoader.Options(transfersPerHost: 1))
        let gate = server.hold("first")
        let first = Task { try await loader.image(PictureServer.request("0", "first")) }
        try await wait { server.requests == ["first"] }
        let requests = (1...5).map { PictureServer.request("\($0)", "p\($0)") }
        var tasks: [Task<Data, any Error>] = []
        for (index, request) in requests.enumerated() {
            tasks.append(Task { try await loader.image(request, priority: .prefetch) })
            try await wait { loader.slots.waitingCount == index + 1 }
        }
        let urgent = Task { try await loader.image(requests[3], priority: .visible) }
        try await wait { loader.transfers.waiterCount == 7 }
        gate.open()
        _ = try await (first.value, urgent.value)
        for task in tasks { _ = try await task.value }
        #expect(server.requests == ["first", "p4", "p1", "p2", "p3", "p5"])
    }

    @Test func `a prefetch keeps to its order`() async throws {
        let loader = loader(ImageLoader.Options(transfersPerHost: 1))
        let names = (0..<100).map(String.init)
        let prefetch = loader.prefetch(names.map { PictureServer.request($0, $0) })
        await prefetch.finish()
        #expect(server.requests == names)
    }

    @Test func `memory keeps to its limit`() async throws {
        let loader = loader(ImageLoader.Options(memoryByteLimit: 10))
        for number in 10..<30 {
            _ = try await loader.image(PictureServer.request("\(number)", "\(number)"))
            let used = loader.memory.withLock { memory in memory.images.usedBytes }
            #expect(used <= 10)
        }
        #expect(loader.imageInMemory(PictureServer.request("29", "29")) != nil)
        #expect(loader.imageInMemory(PictureServer.request("10", "10")) == nil)
    }

    @Test func `ten thousand starts and cancellations, each answered once, leave nothing behind`()
        async throws
    {
        let loader = loader(ImageLoader.Options(memoryByteLimit: 0, transfersPerHost: 4))
        let answers = Counter()
        await withTaskGroup { group in
            for number in 0..<10_000 {
                let priority = ImagePriority.allCases[number % 3]
                let task = Task {
                    let request = PictureServer.request("\(number % 97)", "\(number % 97)")
                    do {
                        let data = try await loader.image(request, priority: priority)
                        #expect(data == .picture("\(number % 97)"))
                    } catch {
                        #expect(error is CancellationError)
                    }
                    answers.count()
                }
                group.addTask { await task.value }
                if number % 2 == 0 { task.cancel() }
                if number % 11 == 0 { await Task.yield() }
            }
        }
        #expect(answers.value == 10_000)
        #expect(loader.transfers.count == 0 && loader.transfers.waiterCount == 0)
        try await wait { loader.slots.runningCount == 0 && loader.slots.waitingCount == 0 }
        try await wait { loader.memory.withLock { memory in memory.arriving.isEmpty } }
    }
}

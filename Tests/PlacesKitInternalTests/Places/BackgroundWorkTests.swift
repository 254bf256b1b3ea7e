import Foundation
import PlacesKitTesting
import Synchronization
import Testing

@testable import PlacesKit
@testable import PlacesKitTests

/// Work of a library in the background, beside other work.
@MainActor @Suite(.endsWaiting) struct BackgroundWorkTests {
    @Test func `photos that are added while their place is being named get its region`()
        async throws
    {
        let (gate, opener) = AsyncStream<Void>.makeStream()
        let (started, starter) = AsyncStream<Void>.makeStream()
        let source = FakePhotoSource()
        source.answerRecentPhotos(.value([record("1")]))
        source.answerPlaceNames(
            .run {
                starter.finish()
                for await _ in gate {}
                return PlaceNames(locality: "Paris", region: "Île-de-France")
            })
        try await LibraryFixture.with(source) { library, _ in
            let fetching = Task { try await library.fetchRecentPhotos() }
            for await _ in started {}
            let place = try #require(try library.context.fetch(Place.self).first)

            let pause = PausedClock()
            pause.arm()
            let adding = Task {
                try await library.inBackground { _, importer in
                    _ = try importer.add([record("2")])
                    pause.pass()
                }
            }
            try await wait { pause.isHolding }
            opener.finish()
            await OverlappingWorkTests.give(200) { place.isRegionKnown }
            pause.release()
            _ = try await (adding.value, fetching.value)
            #expect(place.photos.count == 2 && place.region?.name == "Île-de-France")
            #expect(place.photos.allSatisfy { $0.region === place.region })
        }
    }

    @Test func `changes that wait for each other are made in the order in which they were begun`()
        async throws
    {
        try await LibraryFixture.with { fixture in
            let library = try await fixture.open(TestSource())
            let order = Mutex<[Int]>([])
            let tasks = (0..<5).map { number in
                Task {
                    try await library.inBackground { _, importer in
                        _ = try importer.add([record("\(number)")])
                        order.withLock { $0.append(number) }
                    }
                }
            }
            tasks[2].cancel()
            for task in tasks { _ = await task.result }
            #expect(order.withLock(\.self) == [0, 1, 3, 4])
            #expect(try library.context.count(Photo.self) == 4)
        }
    }

    @Test func `a change whose task is cancelled ends while the one before it is still being made`()
        async throws
    {
        try await LibraryFixture.with(TestSource()) { library, _ in
            for turns in [0, 8] {
                let pause = PausedClock()
                pause.arm()
                let slow = Task { try await library.inBackground { _, _ in pause.pass() } }
                try await wait { pause.isHolding }
                let tasks = ["cancelled", "last"].map { name in
                    Task {
                        try await library.inBackground { _, importer in
                            _ = try importer.add([record("\(name) \(turns)")])
                        }
                    }
                }
                for _ in 0..<turns { await Task.yield() }
                tasks[0].cancel()
                await #expect(throws: CancellationError.self) { try await tasks[0].value }
                #expect(pause.isHolding)
                pause.release()
                _ = try await (slow.value, tasks[1].value)
            }
            let photos = try library.context.fetch(Photo.self).map(\.uniqueID)
            #expect(photos.sorted() == ["last 0", "last 8"])
        }
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Results that go on between what was told and what is still to be told.
@Suite struct PausedResultsTests {
    private let world: ResultsFixture

    init() throws { world = try ResultsFixture() }

    @Test func `results that go on while listeners write are those of what was told`() throws {
        let photo = world.photo("A1")
        world.photo("B2")
        world.context.processPendingChanges()
        let log = try world.watch(where: #Predicate { $0.initial == "A" })
        log.results.isPaused = true
        world.photo("A0")
        world.context.processPendingChanges()
        // What is still to be told is written before the results catch up, and taken back afterwards.
        world.context.listeners.whenTold {
            photo.title = "Z"
            log.results.isPaused = false
        }
        world.context.processPendingChanges()
        photo.title = "A1"
        world.context.processPendingChanges()
        #expect(log.titles == "A0 A1")
        #expect(log.mismatches == [])
    }
}

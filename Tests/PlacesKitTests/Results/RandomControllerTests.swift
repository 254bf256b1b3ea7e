import PlacesKitTesting
import Testing

@testable import PlacesKit

/// Every kind of request, over long runs of random changes.
@Suite struct RandomControllerTests {
    private static let worlds: UInt64 = 12

    @Test(arguments: 1...worlds)
    func `random changes of photos and places replay to what a fetch gives`(seed: UInt64) throws {
        let all =
            ResultsScenario.photos.map { scenario in
                { try WatchedScenario(scenario, in: $0) as any WatchedResults }
            }
            + ResultsScenario.places.map { scenario in
                { try WatchedScenario(scenario, in: $0) as any WatchedResults }
            }
        let mine = all.enumerated().filter { UInt64($0.offset) % Self.worlds + 1 == seed }
        let world = try RandomWorld(seed: seed, photos: 15)
        try world.watch(mine.map(\.element))
        for number in 0..<60 {
            let findings = try world.change()
            #expect(findings.isEmpty, "seed \(seed), change \(number): \(findings.prefix(3))")
            guard findings.isEmpty else { return }
        }
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Every kind of request, over long runs of random changes.
///
/// `PLACESKIT_RANDOM_BATCHES` says how many batches are compared, each with what one controller tells.
@Suite struct RandomControllerTests {
    private static let worlds: UInt64 = 12
    private static let batches =
        ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_BATCHES"].flatMap { Int($0) } ?? 1_500

    @Test(arguments: 1...worlds)
    func `random changes of photos and places replay to what a fetch gives`(seed: UInt64) throws {
        let (photos, places) = (
            ResultsScenario<ResultsModel.Photo>.photos, ResultsScenario<ResultsModel.Place>.places
        )
        let all =
            photos.map { scenario in
                { try WatchedScenario(scenario, among: photos, in: $0) as any WatchedResults }
            }
            + places.map { scenario in
                { try WatchedScenario(scenario, among: places, in: $0) as any WatchedResults }
            }
        let mine = all.enumerated().filter { UInt64($0.offset) % Self.worlds + 1 == seed }
        // Another world every hundred changes, so that none grows strange.
        var remaining = (Self.batches - 1) / (Int(Self.worlds) * mine.count) + 1
        var worldSeed = seed
        while remaining > 0 {
            let world = try RandomWorld(seed: worldSeed, photos: 15)
            try world.watch(mine.map(\.element))
            for number in 0..<min(remaining, 100) {
                let findings = try world.change()
                #expect(
                    findings.isEmpty, "seed \(worldSeed), change \(number): \(findings.prefix(3))")
                guard findings.isEmpty else { return }
            }
            remaining -= 100
            worldSeed += Self.worlds
        }
    }
}

import Foundation
import PlacesKit

/// A generator of random numbers whose seed stands in the test, so that a failure can be had again.
///
/// `PLACESKIT_SEED` gives a run other numbers: every seed is then mixed with it.
struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var base: SplitMix64

    init(seed: UInt64) { base = SplitMix64(seed: RunSeed.mixed(seed)) }

    mutating func next() -> UInt64 { base.next() }
}

/// What tests of documents call it.
typealias DocumentRandom = SeededGenerator

/// The seed that a run was given as a whole.
enum RunSeed {
    private static let value: UInt64? = {
        let variable = "PLACESKIT_SEED"
        guard let text = ProcessInfo.processInfo.environment[variable], let seed = UInt64(text)
        else { return nil }
        print("Random tests run with \(variable)=\(seed).")
        return seed
    }()

    /// A test's own seed, as the run's seed changes it.
    static func mixed(_ seed: UInt64) -> UInt64 {
        guard let value else { return seed }
        var mixer = SplitMix64(seed: value)
        return mixer.next() &+ seed
    }
}

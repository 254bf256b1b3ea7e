import Foundation
import Testing

/// Members that edit, lose their log, crash and come back, in an order that a seed decides.
@Suite struct RandomSharingTests {
    private static let seeds =
        UInt64(ProcessInfo.processInfo.environment["PLACESKIT_RANDOM_SHARING"] ?? "") ?? 12

    @Test(arguments: 0..<seeds)
    func `all members hold the same, and each save that was on disk, once`(
        seed: UInt64
    ) async {
        let finding = await SharingSimulation.finding(seed: seed)
        #expect(finding == nil, "\(finding ?? "")")
    }

    @Test func `a seed always gives the same run`() async {
        func finding(_ seed: UInt64) async -> String? {
            let finding = await SharingSimulation.finding(
                seed: seed, fault: .addsWhatOthersDoNotGoInto)
            // An error may name a temporary file, which has a name of its own each time.
            return finding?.replacing(/\.\w+\.tmp/, with: ".tmp")
        }
        for seed in 0..<UInt64(200) {
            guard let first = await finding(seed) else { continue }
            let second = await finding(seed)
            #expect(second == first, "seed \(seed)")
            return
        }
        Issue.record("none of 200 seeds finds anything")
    }

    @Test(arguments: SharingSimulation.Fault.allCases)
    func `a planted fault is found within 200 seeds`(fault: SharingSimulation.Fault) async {
        for seed in 0..<UInt64(200) {
            if await SharingSimulation.finding(seed: seed, fault: fault) != nil { return }
        }
        Issue.record("\(fault) is found by none of 200 seeds")
    }
}

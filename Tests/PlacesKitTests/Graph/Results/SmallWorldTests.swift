import PlacesKit
import PlacesKitTesting
import Testing

/// Every pair of states of a few items.
@Suite struct SmallWorldTests {
    @Test func `every two orders of five items replay with the fewest moves`() throws {
        try check(SmallWorld(items: 5))
    }

    @Test func `every two states of four items in three sections replay with the fewest moves`()
        throws
    {
        try check(SmallWorld(items: 4, sections: 3))
    }

    @Test func `rearranging five items in two sections replays with the fewest moves`() throws {
        var world = SmallWorld(items: 5, sections: 2)
        world.befores.removeAll { $0.identifiers.count < 5 }
        try check(world)
    }

    @Test func `every two states replay although no item is said to be touched`() {
        let world = SmallWorld(items: 4, sections: 2)
        for before in world.befores {
            for after in world.afters {
                let difference = after.difference(from: before, touched: [])
                guard !difference.itemUpdates.isEmpty || before.applying(difference) != after else {
                    continue
                }
                Issue.record("From \(before) to \(after): \(difference.events)")
            }
        }
    }

    @Test func `every set of touched items that explains a change gives the fewest moves`() throws {
        let world = SmallWorld(items: 4)
        for before in world.befores {
            for after in world.afters {
                for set in 0..<16 {
                    let touched = Set((0..<4).filter { set & (1 << $0) != 0 })
                    guard explains(touched, before, after) else { continue }
                    try check(from: before, to: after, touched: touched)
                }
            }
        }
    }

    private func check(_ world: SmallWorld) throws {
        for before in world.befores {
            for after in world.afters {
                let all = Set(before.identifiers).union(after.identifiers)
                try check(from: before, to: after, touched: all)
            }
        }
    }

    private func check(
        from before: ResultsSnapshot<Int>, to after: ResultsSnapshot<Int>, touched: Set<Int>
    ) throws {
        let change = ResultsChange(from: before, to: after, touched: touched)
        do {
            var recorder = ResultsRecorder(before)
            try recorder.replay(change)
            try change.checkMinimality(touched: touched)
        } catch {
            Issue.record("\(error) From \(before) to \(after), touched \(touched).")
            throw error
        }
        guard before.applying(change.difference) != after else { return }
        Issue.record("From \(before) to \(after), touched \(touched): \(change.difference.events)")
    }

    private func explains(
        _ touched: Set<Int>, _ before: ResultsSnapshot<Int>, _ after: ResultsSnapshot<Int>
    ) -> Bool {
        before.identifiers.filter { !touched.contains($0) }
            == after.identifiers.filter { !touched.contains($0) }
    }
}

import PlacesKit

extension RandomGraphRun {
    /// The side that is a child context of the first.
    static var child: Int { 2 }

    /// What a side is a fork of, as it should be now.
    mutating func head(of side: Int) -> NaiveGraph {
        guard side == Self.child else { return head }
        // A child that looks at its parent makes it process its changes.
        process(0)
        return sides[0].naive.forked
    }

    /// Makes what a child saved that of its parent.
    mutating func push() throws {
        let heldBack = sides[0].naive.heldBack
        sides[0].naive = sides[Self.child].naive
        sides[0].naive.heldBack = heldBack
        sides[0].naive.heldBackByParent = []
        try adoptOrder(0)
        process(0)
        sides[Self.child].naive = sides[0].naive.forked
        sides[Self.child].naive.sweep()
    }
}

extension NaiveGraph {
    /// What a child of a context that shows this shows.
    fileprivate var forked: NaiveGraph {
        var fork = self
        (fork.heldBackByParent, fork.heldBack) = (heldBack, [])
        return fork
    }
}

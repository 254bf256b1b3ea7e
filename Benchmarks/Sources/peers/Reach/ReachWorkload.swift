/// Graphs over which walks lead.
enum ReachWorkload: String, CaseIterable {
    /// Folders in folders: each but the first is in one.
    case tree = "reachable-tree"
    /// People who follow others, five on average and at random.
    case network = "reachable-network"

    /// How many links there are, all of which a walk from the first node follows or nearly so.
    static let links = 1_000_000

    /// How many nodes there are.
    var nodes: Int { self == .tree ? Self.links + 1 : Self.links / 5 }

    /// From which node to which the links lead.
    var links: [(from: Int, to: Int)] {
        var random = SplitMix64(seed: 2026)
        return switch self {
        case .tree: (1...Self.links).map { (random.index(below: $0), $0) }
        case .network:
            (0..<Self.links).map { _ in (random.index(below: nodes), random.index(below: nodes)) }
        }
    }
}

/// Plain classes of the same module: the bound that nothing can go below.
final class PlainLocalContestant: Contestant {
    let name = "plain-local"

    private let world: World

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) -> Trial? {
        switch workload {
        case .attributeRead: LocalPhoto.reading(in: world)
        case .attributeWrite: LocalPhoto.writing(in: world)
        default: nil
        }
    }
}

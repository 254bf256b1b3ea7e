import PlainModel

/// Plain classes of another module: a bound for reading and writing an attribute.
final class PlainContestant: Contestant {
    let name = "plain"

    private let world: World

    init(_ world: World) {
        self.world = world
    }

    func trial(for workload: Workload) -> Trial? {
        switch workload {
        case .attributeRead: PlainPhoto.reading(in: world)
        case .attributeWrite: PlainPhoto.writing(in: world)
        default: nil
        }
    }
}

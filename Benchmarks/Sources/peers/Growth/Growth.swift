import ArgumentParser

/// A small change whose cost must not follow the size of the store.
enum Growth: String, CaseIterable, ExpressibleByArgument {
    /// A photo of a place moves to another, and is saved with 999 more.
    case relate
    /// One changed photo is saved.
    case saveOne = "save-one"
    /// One photo changes, and is told of, after some that were told of and are not saved.
    case pending
    /// A photo of a place moves to another with 999 more, and all are moved back by one undo.
    case undo
    /// A photo gets another photographer, and the 50 places with the most follow.
    case liveGroups = "live-groups"
    /// A snapshot of the store is taken.
    case snapshot
    /// The first text is written after a snapshot.
    case firstWrite = "first-write"
    /// A photo in a live list of all changes its position there.
    case liveUpdate = "live-update"
    /// A photo goes from one live list to another, beside no others or many.
    case controllers

    /// How many photos the small store and the large one have, or how many live lists there are.
    func sizes(dividedBy divisor: Int) -> [Int] {
        switch self {
        case .relate, .undo: [2_000 / divisor, 2_000_000 / divisor]
        case .pending: [2_000 / divisor, 200_000 / divisor]
        case .saveOne, .snapshot, .firstWrite, .liveUpdate: [10_000 / divisor, 1_000_000 / divisor]
        case .liveGroups: [20_000 / divisor, 200_000 / divisor]
        case .controllers: [2, 1_000]
        }
    }

    /// What there are so many of.
    var noun: String {
        switch self {
        case .controllers: "controllers"
        case .relate, .undo, .saveOne, .pending, .snapshot, .firstWrite, .liveUpdate,
            .liveGroups:
            "objects"
        }
    }

    /// How many operations a trial does.
    var operations: Int {
        switch self {
        case .relate, .undo, .pending, .snapshot: 1_000
        case .saveOne, .firstWrite, .liveGroups: 200
        case .liveUpdate: 1_000
        case .controllers: 100
        }
    }

    /// What is done to a store of some size.
    func trial(_ size: Int, divisor: Int) throws -> Trial {
        switch self {
        case .relate: try GrowthStore(photos: size).relate(operations)
        case .undo: try GrowthStore(photos: size).undo(operations)
        case .saveOne: try GrowthStore(photos: size).saveOne(operations)
        case .pending: try GrowthStore(photos: size).process(operations)
        case .liveGroups:
            try PlacesKitContestant.keepingTopPlaces(
                of: World(photos: size, places: 1_000, seed: 2026), changing: operations)
        case .snapshot: try GrowthStore(photos: size).snapshot(operations)
        case .firstWrite: try GrowthStore(photos: size).firstWrite(operations)
        case .liveUpdate: try LiveStore(photos: size, places: 1).update(operations)
        case .controllers:
            try LiveStore(photos: 200_000 / divisor, places: 1_000).move(operations, lists: size)
        }
    }
}

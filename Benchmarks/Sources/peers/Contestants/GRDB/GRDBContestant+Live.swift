import Dispatch
import GRDB
import Synchronization

extension GRDBContestant {
    /// Changes photos one by one, each until an observation delivers the new list.
    static func updatingLive(in world: World) throws -> Trial {
        let queue = try makeEmpty()
        try insert(world, into: queue)
        let observation = ValueObservation.tracking { database in
            try PhotoRecord.order { [$0.views, $0.uniqueID] }.fetchAll(database)
        }
        let delivered = Delivered()
        let cancellable = observation.start(
            in: queue, scheduling: .async(onQueue: DispatchQueue(label: "delivery")),
            onError: { _ in delivered.put([]) }, onChange: { delivered.put($0) })
        _ = delivered.take()
        return { round in
            let updates = world.liveUpdates(inRound: round.number)
            var checksum = Checksum()
            try withExtendedLifetime(cancellable) {
                for (photo, views) in updates {
                    let list = try round.measure {
                        try queue.write { database in
                            try database.execute(
                                sql: "UPDATE photo SET views = ? WHERE id = ?",
                                arguments: [views, photo + 1])
                        }
                        return delivered.take()
                    }
                    let id = world.photos[photo].uniqueID
                    checksum.append(list.firstIndex { $0.uniqueID == id } ?? -1)
                }
            }
            return checksum
        }
    }
}

/// Where an observation leaves what it delivers.
private final class Delivered: Sendable {
    private let photos = Mutex<[PhotoRecord]>([])
    private let arrivals = DispatchSemaphore(value: 0)

    func put(_ photos: [PhotoRecord]) {
        self.photos.withLock { $0 = photos }
        arrivals.signal()
    }

    /// Waits for a delivery.
    func take() -> [PhotoRecord] {
        arrivals.wait()
        return photos.withLock { $0 }
    }
}

import PlacesBase
import Synchronization

extension ImageLoader {
    /// Notes that a picture is on its way, so that a removal of its photo is not undone by it.
    func beginArrival(ofPhoto photo: String) -> UInt64 {
        memory.withLock { memory in
            memory.lastArrival += 1
            memory.arriving[memory.lastArrival] = photo
            return memory.lastArrival
        }
    }

    /// Whether the photo was not removed since its picture is on its way.
    func isArriving(_ arrival: UInt64) -> Bool {
        memory.withLock { $0.arriving[arrival] != nil }
    }

    func endArrival(_ arrival: UInt64) {
        memory.withLock { _ = $0.arriving.removeValue(forKey: arrival) }
    }

    /// Keeps a picture in memory, unless its photo was removed while it was on its way.
    func remember(_ image: MemoryImage, _ key: ImageKey, _ arrival: UInt64) {
        memory.withLockReleasingResult { memory -> [MemoryImage] in
            guard memory.arriving[arrival] != nil else { return [] }
            return memory.images.insert(image, for: key, size: image.data.count).removed
        }
    }
}

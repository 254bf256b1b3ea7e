import Synchronization

/// Counts from many tasks.
final class Counter: Sendable {
    private let number = Atomic(0)

    var value: Int { number.load(ordering: .sequentiallyConsistent) }

    func count() {
        number.add(1, ordering: .sequentiallyConsistent)
    }
}

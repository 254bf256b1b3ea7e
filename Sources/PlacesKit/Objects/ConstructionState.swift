import Foundation
import Synchronization

/// What the property wrappers of the object that this thread is making need to know.
///
/// A wrapper learns its slot by counting: an object's property initialisers run in the order of
/// declaration, on one thread, between the making of its `ObjectSeed` and `ManagedObject.init`.
@usableFromInline
struct ConstructionState {
    /// The slot of the next wrapper.
    var nextSlot: Int32 = 0
    /// The sign bit while a prototype is made, else zero.
    var mark: Int32 = 0
    /// Who wants to know the properties of the class.
    var recorder: Unmanaged<PropertyRecorder>?

    /// The state of this thread.
    ///
    /// Every property of every new handle asks for it, so the key is read without the check that
    /// comes with a lazy initialiser.
    static var current: UnsafeMutablePointer<ConstructionState> {
        let key = madeKey.load(ordering: .relaxed) - 1
        guard key >= 0, let state = pthread_getspecific(pthread_key_t(truncatingIfNeeded: key))
        else { return makeState() }
        return state.assumingMemoryBound(to: ConstructionState.self)
    }

    @inline(never)
    private static func makeState() -> UnsafeMutablePointer<ConstructionState> {
        madeKey.store(Int(key) + 1, ordering: .relaxed)
        let state = UnsafeMutablePointer<ConstructionState>.allocate(capacity: 1)
        state.initialize(to: ConstructionState())
        pthread_setspecific(key, state)
        return state
    }

    /// The key and one, or zero while it is not made.
    private static let madeKey = Atomic(0)

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { state in
            let state: UnsafeMutableRawPointer? = state
            state?.deallocate()
        }
        precondition(status == 0, "the process has no thread-specific key left")
        return key
    }()
}

/// Collects the properties of a class while its prototype is made.
final class PropertyRecorder {
    var properties: [PropertyDescription] = []
    /// For each relationship the class at its other end, and the key path of the inverse.
    var links: [Int: (destination: ManagedObject.Type, inverse: AnyKeyPath?)] = [:]
    /// For each derived attribute what it is made of.
    var sources: [Int: DerivationSource] = [:]
    /// What checks the values of attributes whose columns may hold what is no value.
    var checks: [Int: ValueCheck] = [:]
    /// What is wrong with the declaration of an attribute.
    var problems: [Int: String] = [:]
}

/// The next slot of the object that this thread is making.
@usableFromInline
func takeSlot() -> Int32 {
    let state = ConstructionState.current
    let slot = state.pointee.nextSlot
    state.pointee.nextSlot = slot &+ 1
    return slot | state.pointee.mark
}

import Foundation

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
    static var current: UnsafeMutablePointer<ConstructionState> {
        if let state = pthread_getspecific(key) {
            return state.assumingMemoryBound(to: ConstructionState.self)
        }
        let state = UnsafeMutablePointer<ConstructionState>.allocate(capacity: 1)
        state.initialize(to: ConstructionState())
        pthread_setspecific(key, state)
        return state
    }

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
}

/// The next slot of the object that this thread is making.
@usableFromInline
func takeSlot() -> Int32 {
    let state = ConstructionState.current
    let slot = state.pointee.nextSlot
    state.pointee.nextSlot = slot &+ 1
    return slot | state.pointee.mark
}

import Foundation
import PlacesBase
import Synchronization

/// What the property wrappers of the object that this thread is making need to know.
///
/// A wrapper learns its slot by counting: an object's property initialisers run in the order of
/// declaration, a class's own before its superclass's, on one thread, between the making of its
/// `ObjectSeed` and `ManagedObject.init`.
@usableFromInline
struct ConstructionState {
    /// The slot of the next wrapper.
    var nextSlot: Int32 = 0
    /// The slots by their order of counting, where that is another than the order of the slots.
    var slots: UnsafeMutablePointer<Int32>?
    /// The sign bit while a prototype is made, else zero.
    var mark: Int32 = 0
    /// Who wants to know the properties of the class.
    var recorder: Unmanaged<PropertyRecorder>?

    /// Who wants to know the properties of the class that this thread makes an object of.
    static var recorder: PropertyRecorder? { current.pointee.recorder?.takeUnretainedValue() }

    /// The state of this thread.
    ///
    /// Every property of every new handle asks for it. The thread that was first to make an object,
    /// which is most likely the one that makes most, finds it without a search.
    static var current: UnsafeMutablePointer<ConstructionState> {
        if firstThread.load(ordering: .relaxed) == Platform.threadID,
            let state = UnsafeMutablePointer<ConstructionState>(
                bitPattern: firstState.load(ordering: .relaxed))
        {
            return state
        }
        guard let state = pthread_getspecific(key) else { return makeState() }
        return state.assumingMemoryBound(to: ConstructionState.self)
    }

    /// The thread that finds its state without a search, zero while there is none.
    ///
    /// Only that thread reads `firstState`, which is good until it ends.
    private static let firstThread = Atomic<UInt>(0)
    private static let firstState = Atomic<UInt>(0)

    @inline(never)
    private static func makeState() -> UnsafeMutablePointer<ConstructionState> {
        let state = UnsafeMutablePointer<ConstructionState>.allocate(capacity: 1)
        state.initialize(to: ConstructionState())
        pthread_setspecific(key, state)
        let isFirst = firstThread.compareExchange(
            expected: 0, desired: Platform.threadID, ordering: .relaxed)
        if isFirst.exchanged { firstState.store(UInt(bitPattern: state), ordering: .relaxed) }
        return state
    }

    private static let key: pthread_key_t = {
        var key = pthread_key_t()
        let status = pthread_key_create(&key) { state in
            if firstThread.load(ordering: .relaxed) == Platform.threadID {
                firstState.store(0, ordering: .relaxed)
                firstThread.store(0, ordering: .relaxed)
            }
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
    var links: [Slot: (destination: ManagedObject.Type, inverse: AnyKeyPath?)] = [:]
    /// For each composite attribute, by the slot of its first part, what it consists of.
    var composites: [Slot: CompositeLayout] = [:]
    /// For each derived attribute what it is made of.
    var sources: [Int: DerivationSource] = [:]
    /// What checks the values of attributes whose columns may hold what is no value.
    var checks: [Int: ValueCheck] = [:]
    /// What makes the defaults of new objects.
    var defaults: [Int: AttributeDefault] = [:]
    /// What is wrong with the declaration of an attribute.
    var problems: [Int: String] = [:]
}

/// The next slot of the object that this thread is making.
@usableFromInline
func takeSlot() -> Int32 {
    let state = ConstructionState.current
    let position = state.pointee.nextSlot
    state.pointee.nextSlot = position &+ 1
    // Only a class with a superclass in the model has a map.
    if let slots = state.pointee.slots { return slots[Int(position)] }
    return position | state.pointee.mark
}

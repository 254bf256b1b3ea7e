/// The objects of a class that were asked for of late, kept alive so that they need not be made again.
///
/// A ring: where it is full, the object that was kept first makes room for the next, and where nobody else holds
/// it, it becomes that object.
///
/// - Invariant: An object in the ring knows its position there; the position of all others is negative.
/// - Invariant: Nothing is kept while nobody holds the context, for the objects hold its state.
struct KeptObjects {
    fileprivate var ring = UnsafeMutablePointer<ManagedObject?>.allocate(capacity: 0)
    /// How many objects there is room for.
    fileprivate var capacity = 0
    /// Where the next object is put.
    fileprivate var next = 0
    /// How many objects are kept.
    fileprivate(set) var count = 0
    /// How many objects are kept at most: none while nobody holds the context.
    fileprivate var limit = 0

    /// Enough for the small configuration of OO7, which has 30,000 objects of one class.
    static let defaultLimit = 32_768
    fileprivate static let firstCapacity = 64

    /// Whether objects are kept.
    var isOpen: Bool { limit > 0 }
}

/// At a fixed address, for every handle that is made comes by here, and one that ends may ask for others.
extension UnsafeMutablePointer<KeptObjects> {
    /// Keeps so many objects from now on at most.
    func setLimit(_ limit: Int) {
        pointee.limit = limit
        if limit < pointee.capacity { releaseAll() }
    }

    /// Frees the memory; nothing is kept any more.
    func end() {
        pointee.ring.deallocate()
        deallocate()
    }

    // MARK: - Keeping

    /// Keeps a new object, instead of the one that was kept first where there is no room.
    func keep(_ object: ManagedObject) {
        guard pointee.next < pointee.capacity || makeRoom() else { return }
        // Ends last, for whoever hears of its end may ask for objects.
        let former = pointee.ring[pointee.next]
        former?.keptPosition = -1
        if former == nil { pointee.count &+= 1 }
        pointee.ring[pointee.next] = object
        object.keptPosition = Int32(truncatingIfNeeded: pointee.next)
        pointee.next &+= 1
    }

    /// Makes the object whose turn it is to go that of another row, where nobody would notice.
    func reuse(for row: Row, of table: ObjectTable) -> ManagedObject? {
        guard pointee.next < pointee.capacity || makeRoom(), pointee.count == pointee.capacity,
            table.rebind(&pointee.ring[pointee.next], to: row)
        else { return nil }
        pointee.next &+= 1
        return pointee.ring[pointee.next &- 1]
    }

    /// Keeps an object no longer; the caller holds it.
    func remove(_ object: ManagedObject) {
        guard object.keptPosition >= 0 else { return }
        pointee.ring[Int(object.keptPosition)] = nil
        object.keptPosition = -1
        pointee.count &-= 1
    }

    /// Keeps none of the objects any longer.
    func releaseAll() {
        let (former, size) = (pointee.ring, pointee.capacity)
        (pointee.ring, pointee.capacity, pointee.next, pointee.count) = (
            .allocate(capacity: 0), 0, 0, 0
        )
        for position in 0..<size { former[position]?.keptPosition = -1 }
        former.deinitialize(count: size)
        former.deallocate()
    }

    /// Makes the next position one in the ring: by more room up to the limit, else by beginning anew.
    @inline(never)
    private func makeRoom() -> Bool {
        guard pointee.isOpen else { return false }
        guard pointee.capacity < pointee.limit else {
            pointee.next = 0
            return true
        }
        let (former, capacity) = (pointee.ring, pointee.capacity)
        let size = Swift.min(
            pointee.limit, Swift.max(KeptObjects.firstCapacity, capacity * 2))
        let grown = UnsafeMutablePointer<ManagedObject?>.allocate(capacity: size)
        grown.moveInitialize(from: former, count: capacity)
        (grown + capacity).initialize(repeating: nil, count: size - capacity)
        former.deallocate()
        (pointee.ring, pointee.capacity) = (grown, size)
        return true
    }
}

extension KeptObjects {
    /// What is wrong with the ring, in words; nothing if all is sound.
    var brokenInvariants: [String] {
        let kept = (0..<capacity).compactMap { position in ring[position].map { (position, $0) } }
        var violations = kept.filter { $0.0 != Int($0.1.keptPosition) }.map {
            "the object at \($0.0) among those that are kept says that it is at \($0.1.keptPosition)"
        }
        if kept.count != count { violations.append("\(kept.count) objects are kept, not \(count)") }
        if !isOpen, !kept.isEmpty { violations.append("objects are kept for nobody") }
        return violations
    }
}

extension ManagedObjectContext {
    /// How many objects of each class the context keeps alive at most after somebody asked for them.
    ///
    /// A context keeps the objects to which somebody followed a relationship, or that somebody found by
    /// a key, so that asking for them again is fast. If there are more, the context releases those that it
    /// kept first. It also releases an object when its delete is saved, and all of them when nobody holds the
    /// context any more. Results of fetches and objects that you insert are not kept.
    ///
    /// The default is 32,768; an object takes 48 bytes and four for each property. With one, the
    /// smallest limit, each object lives little longer than you hold it.
    public var keptObjectLimit: Int {
        get { state.keptObjectLimit }
        // An object knows its position by 32 bits.
        set { state.keptObjectLimit = min(max(1, newValue), Int(Int32.max)) }
    }

    /// How many objects the context keeps alive now.
    public var keptObjectCount: Int { state.tables.reduce(0) { $0 + $1.kept.pointee.count } }

    /// Releases the objects that the context keeps alive; nothing that they hold is lost.
    public func releaseKeptObjects() {
        for table in state.tables { table.kept.releaseAll() }
    }
}

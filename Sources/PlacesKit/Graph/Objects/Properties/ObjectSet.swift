import PlacesBase

/// The members of a to-many relationship: a live view, not a copy.
///
/// - `count`, `contains`, `insert` and `remove` take O(1) however many members there are.
/// - Members come in the order in which they were added. One that you remove and add again comes last; if the
///   context merges what others saved before it saves that, the member is where it was.
/// - If you change the relationship while you iterate over it, the iteration ends or continues
///   safely. To change many members, iterate over a copy: `for photo in Array(place.photos)`.
public struct ObjectSet<Element: ManagedObject> {
    @usableFromInline let owner: ManagedObject
    @usableFromInline let slot: Slot

    @inlinable @inline(__always)
    init(owner: ManagedObject, slot: Slot) {
        self.owner = owner
        self.slot = slot
    }

    private var table: ObjectTable? { owner.table }

    /// Whether an object is a member.
    public func contains(_ object: Element) -> Bool {
        guard let table, object.table?.state === table.state else { return false }
        owner.noteRead(slot)
        return table.transaction.isMember(object.row, of: owner.row, slot, in: table.number)
    }

    /// Adds an object and updates its inverse; returns whether it was new.
    @discardableResult
    public func insert(_ object: Element) -> Bool {
        defer { tell() }
        return add(object)
    }

    /// Removes an object and updates its inverse; returns whether it was a member.
    @discardableResult
    public func remove(_ object: Element) -> Bool {
        guard let table, contains(object), owner.canChange(slot) else { return false }
        defer { tell() }
        return table.transaction.removeMember(object.row, from: owner.row, slot, in: table.number)
    }

    /// Removes all members.
    public func removeAll() { replaceAll(with: []) }

    /// Makes some objects the members, and no others, and updates all inverses.
    ///
    /// Those that are members already stay where they are. If one of the objects can't be a member, nothing changes.
    ///
    /// - Complexity: O(n) for n members before and after.
    public func replaceAll(with objects: some Sequence<Element>) {
        let objects = Array(objects)
        // A member that is gone may stay where a rule that denies its delete has kept it.
        guard let table, owner.canChange(slot),
            objects.allSatisfy({ owner.canRelate(to: $0, slot) || contains($0) })
        else { return }
        table.transaction.setMembers(objects.map(\.row), of: owner.row, slot, in: table.number)
        tell()
    }

    // MARK: - Parts of a change

    /// Adds an object, as one step of a change that observers are to be told of when it is whole.
    func add(_ object: Element) -> Bool {
        guard let table, owner.canChange(slot),
            owner.canRelate(to: object, slot)
        else { return false }
        return table.transaction.addMember(object.row, to: owner.row, slot, in: table.number)
    }

    /// Tells observers of a change that is whole.
    func tell() { table?.transaction.observations.tell() }
}

extension ObjectSet: Collection {
    /// The position of a member.
    ///
    /// It may be used after the set was changed, and still leads to the object that was there, as long as that is
    /// pending, saved, or held by somebody. After that it leads to nothing, and the program ends where it is used.
    public struct Index: Comparable {
        let offset: Int
        /// The row that lies here in the list, a member or an edge to it; none behind the last one.
        let link: Row
        /// The member, and the list that it is of; `nil` behind the last one, and for members of a prototype.
        fileprivate let entry: Entry?

        fileprivate init(offset: Int, link: Row, entry: Entry? = nil) {
            (self.offset, self.link, self.entry) = (offset, link, entry)
        }

        /// A member of a list.
        ///
        /// Rows are told apart by how often they were used: each may be another object's some day.
        fileprivate struct Entry {
            let member: Row
            let memberGeneration: Int32
            let list: List
        }

        /// The relationship of an object.
        fileprivate struct List: Equatable {
            let owner: RowAddress
            let ownerGeneration: Int32
            let slot: Slot
        }

        /// Whether a position comes before another.
        public static func < (left: Index, right: Index) -> Bool {
            guard left != right, !left.link.isNone else { return false }
            return right.link.isNone || left.offset < right.offset
        }

        /// Whether two positions are the same.
        ///
        /// A loop over `indices` compares with the end as it was at the start: it ends there if members came, and at
        /// the end as it is now if they went.
        public static func == (left: Index, right: Index) -> Bool {
            left.offset == right.offset || left.link.isNone && right.link.isNone
        }
    }

    /// The way to the members; `nil` for those of a prototype.
    private var way: UnsafePointer<RelationshipAccess>? { owner.relationship(slot) }

    /// The number of members.
    ///
    /// - Complexity: O(1).
    public var count: Int {
        guard let way else { return Prototypes.count(of: owner) }
        owner.noteRead(slot)
        return way.pointee.count(of: owner.row)
    }

    /// Whether there are no members.
    ///
    /// - Complexity: O(1).
    public var isEmpty: Bool { count == 0 }

    /// The position of the first member.
    public var startIndex: Index {
        guard let way else { return indexInPrototype(0) }
        owner.noteRead(slot)
        return index(0, way.pointee.first(of: owner.row))
    }

    /// The position after the last member.
    public var endIndex: Index {
        way == nil ? indexInPrototype(count) : Index(offset: count, link: .none)
    }

    /// The position after another one; the end if the member there was removed meanwhile.
    public func index(after index: Index) -> Index {
        guard let way else { return indexInPrototype(index.offset + 1) }
        guard let entry = index.entry, entry.list == list,
            case let next = way.pointee.next(after: index.link, of: owner.row), !next.isNone,
            way.pointee.member(of: index.link) == entry.member,
            way.pointee.generation(of: entry.member) == entry.memberGeneration
        else { return endIndex }
        return self.index(index.offset + 1, next)
    }

    /// The position of a link of the list; the end for none.
    private func index(_ offset: Int, _ link: Row) -> Index {
        guard let way, let list, !link.isNone else { return endIndex }
        let member = way.pointee.member(of: link)
        return Index(
            offset: offset, link: link,
            entry: Index.Entry(
                member: member, memberGeneration: way.pointee.generation(of: member), list: list))
    }

    /// The list whose positions are those of this set.
    private var list: Index.List? {
        table.map {
            Index.List(
                owner: RowAddress(table: $0.number, row: owner.row),
                ownerGeneration: $0.transaction.generation(owner.row, in: $0.number), slot: slot)
        }
    }

    /// A position among the members of a prototype, which have no links and are told apart by the offset.
    private func indexInPrototype(_ offset: Int) -> Index { Index(offset: offset, link: Row(0)) }

    /// The member at a position; the object that was there if it was removed meanwhile.
    ///
    /// - Precondition: The position is one of this set, and leads to an object.
    public subscript(position: Index) -> Element {
        guard let way else {
            return Prototypes.members(of: owner, Element.self)[position.offset]
        }
        guard let entry = position.entry, entry.list == list,
            let member = way.pointee.destination._withUnsafeGuaranteedRef({
                $0.keptObject(remembered: entry.member, of: entry.memberGeneration)
            }) as? Element
        else {
            // Another context may have an object of another class there.
            mistake("The object set has no member at this position.")
        }
        return member
    }

    /// The member to which a link of the list leads.
    func member(at link: Row) -> Element? {
        way.flatMap { way in
            way.pointee.destination._withUnsafeGuaranteedRef {
                $0.keptObject(way.pointee.member(of: link))
            } as? Element
        }
    }
}

extension ObjectSet: CountedMembers {
    static var countKeyPath: AnyKeyPath { \Self.count }
    static var isEmptyKeyPath: AnyKeyPath { \Self.isEmpty }
}

extension ObjectSet {
    /// Makes an iterator over the members, in the order in which they were added.
    @inlinable
    public func makeIterator() -> Iterator { Iterator(MemberWalk(owner, slot)) }

    /// Zero: an object that awakes may remove the members behind it.
    public var underestimatedCount: Int { 0 }

    /// Copies the members for `Array`, `sorted` and others, which otherwise trust in `count`.
    @inlinable
    public func _copyToContiguousArray() -> ContiguousArray<Element> {
        makeIterator().collected(reserving: count)
    }

    /// Maps the members with `transform`, which may change them.
    public func map<Result, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Result
    ) throws(Failure) -> [Result] {
        var results: [Result] = []
        for member in self { results.append(try transform(member)) }
        return results
    }

    /// Iterates over the members of a set, even if they change meanwhile.
    ///
    /// The iteration ends if the next member was removed. It never takes more steps than there were
    /// members at the start.
    public struct Iterator: IteratorProtocol {
        @usableFromInline var walk: MemberWalk

        @inlinable
        init(_ walk: MemberWalk) { self.walk = walk }

        /// The next member.
        @inlinable
        public mutating func next() -> Element? {
            if let member = walk.next() { return unsafeDowncast(member, to: Element.self) }
            return walk.isOfPrototype ? nextOfPrototype() : nil
        }

        /// The members that are left: as many as are foreseen, or fewer.
        @inlinable
        func collected(reserving count: Int) -> ContiguousArray<Element> {
            var iterator = self
            var members: ContiguousArray<Element> = []
            members.reserveCapacity(count)
            while let member = iterator.next() { members.append(member) }
            return members
        }

        @usableFromInline
        mutating func nextOfPrototype() -> Element? {
            walk.takePrototypeIndex().map {
                Prototypes.members(of: walk.owner, Element.self)[$0]
            }
        }
    }

    /// The link of a member: its row, or that of the edge to it.
    func link(of object: Element) -> Row? {
        guard let table, contains(object) else { return nil }
        return table.transaction.link(of: object.row, of: owner.row, slot, in: table.number)
    }
}

extension ObjectSet: MemberView {}
extension ObjectSet: ListedElements {}

@_documentation(visibility: internal)
extension ObjectSet: RelationshipValue {
    /// The class of the members.
    public typealias Destination = Element
    /// `true`.
    public static var isToMany: Bool { true }

    /// The members of an object's relationship.
    @inlinable @inline(__always)
    public static func related(to object: ManagedObject, slot: Int) -> ObjectSet {
        ObjectSet(owner: object, slot: Slot(slot))
    }

    /// The members of a prototype: none.
    public static func traced(from object: ManagedObject, slot: Int) -> ObjectSet {
        Prototypes.note(Slot(slot), of: object)
        return ObjectSet(owner: object, slot: Slot(slot))
    }

    /// Makes the members of this set those of an object's relationship.
    ///
    /// Those that it has already stay where they are.
    public func relate(to object: ManagedObject, slot: Int) {
        guard object !== owner || Slot(slot) != self.slot else { return }
        ObjectSet(owner: object, slot: Slot(slot)).replaceAll(with: self)
    }
}

/// The way from an object along one of its relationships: the columns of its links, and the handles at its
/// other end.
///
/// It lies at a fixed address as long as the context does, so a step from object to object copies nothing of
/// the layout. What it says of columns is read anew at each step, for a write may replace a chunk.
@usableFromInline
struct RelationshipAccess {
    /// The handles of the class at the other end.
    let destination: Unmanaged<ObjectTable>
    /// The rows that own the relationship.
    private let owners: UnsafeMutablePointer<TableAccess>
    /// The rows that are the links of a list: members, or edges to them.
    private let links: UnsafeMutablePointer<TableAccess>
    /// The column of the owners that leads to the object, or to the first link of the list.
    private let first: Slot
    /// The columns of a list: the number of links, and the owner of a link and the link behind it.
    private let list: (count: Slot, owner: Slot, next: Slot)
    /// The column of the edges that leads to the member; `nil` where links are members.
    private let target: Slot?

    /// The way along a relationship in a slot of a table.
    init(
        _ layout: RelationshipLayout, slot: Slot, of table: ObjectTable, to destination: ObjectTable
    ) {
        let access = table.transaction.access
        self.destination = .passUnretained(destination)
        owners = access + table.number.index
        switch layout {
        case .toOne, .oneToOne: (links, first, list) = (owners, slot, (slot, slot, slot))
        case .toMany(let own), .manyToMany(let own, _):
            links = access + own.members.index
            first = own.head
            list = (own.count, own.owner, own.next)
        }
        if case .manyToMany(_, let other) = layout { target = other.owner } else { target = nil }
    }

    /// The row at the other end of a to-one relationship, or the first link of a list.
    @inline(__always)
    func first(of row: Row) -> Row { owners.pointee.element(row, first) }

    /// How many members a list has.
    @inline(__always)
    func count(of row: Row) -> Int {
        let count: Int32 = owners.pointee.element(row, list.count)
        return max(0, Int(count))
    }

    /// The link behind another.
    @inline(__always)
    func next(after link: Row) -> Row { links.pointee.element(link, list.next) }

    /// The link behind one that somebody remembers; none where that is not, or no more, in the list of an owner.
    func next(after link: Row, of row: Row) -> Row {
        links.pointee.hasRoom(for: link) && isLink(link, of: row) ? next(after: link) : .none
    }

    /// The row of a link's member.
    @inline(__always)
    func member(of link: Row) -> Row {
        target.map { links.pointee.element(link, $0) } ?? link
    }

    /// How often the row of a member was used before it.
    func generation(of member: Row) -> Int32 {
        destination._withUnsafeGuaranteedRef { $0.transaction.generation(member, in: $0.number) }
    }

    /// Whether a link, which may have been taken out, is in the list of an owner.
    @inline(__always)
    func isLink(_ link: Row, of row: Row) -> Bool {
        guard !link.isNone, target == nil || links.pointee.contains(link) else { return false }
        return links.pointee.element(link, list.owner) == row
    }
}

extension ManagedObject {
    /// The way along a relationship; `nil` for a prototype.
    @inline(__always)
    final func relationship(_ slot: Slot) -> UnsafePointer<RelationshipAccess>? {
        unmanagedTable?._withUnsafeGuaranteedRef { $0.relationships + slot.index }
    }

    /// The object that a to-one relationship leads to.
    @usableFromInline
    final func _destination(_ slot: Slot) -> ManagedObject? {
        noteRead(slot)
        guard let way = relationship(slot) else { return nil }
        let target = way.pointee.first(of: row)
        guard !target.isNone else { return nil }
        return way.pointee.destination._withUnsafeGuaranteedRef { $0.keptObject(target) }
    }
}

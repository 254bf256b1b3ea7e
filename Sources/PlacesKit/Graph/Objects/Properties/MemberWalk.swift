/// Goes from member to member of an object's to-many relationship.
///
/// Without a type parameter, so that it is compiled once; the loop around it is compiled with its caller.
@usableFromInline
struct MemberWalk {
    let owner: ManagedObject
    /// `nil` for the members of a prototype.
    private let way: UnsafePointer<RelationshipAccess>?
    private var link: Row
    private var remaining: Int

    /// Begins with the first member.
    @usableFromInline
    init(_ owner: ManagedObject, _ slot: Slot) {
        self.owner = owner
        way = owner.relationship(slot)
        owner.noteRead(slot)
        if let way {
            link = way.pointee.first(of: owner.row)
            remaining = way.pointee.count(of: owner.row)
        } else {
            link = Row(0)
            remaining = Prototypes.count(of: owner)
        }
    }

    /// The next member.
    @usableFromInline
    mutating func next() -> ManagedObject? {
        guard remaining > 0, let way, way.pointee.isLink(link, of: owner.row) else { return nil }
        remaining &-= 1
        let row = way.pointee.member(of: link)
        let member = way.pointee.destination._withUnsafeGuaranteedRef { $0.keptObject(row) }
        // Read when the member is there, whose awaking may have changed the list.
        link = way.pointee.next(after: link)
        return member
    }

    /// Whether the owner is a prototype, whose members are known to a generic function only.
    @usableFromInline
    var isOfPrototype: Bool { way == nil }

    /// The next position among the members of a prototype.
    mutating func takePrototypeIndex() -> Int? {
        guard remaining > 0 else { return nil }
        remaining -= 1
        defer { link = Row(link.index + 1) }
        return link.index
    }
}

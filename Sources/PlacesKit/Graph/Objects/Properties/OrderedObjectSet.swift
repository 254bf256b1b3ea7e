public import Foundation
import PlacesBase

/// The members of an ordered to-many relationship: a live view, not a copy.
///
/// ```swift
/// @Relationship(inverse: \Photo.album) var photos: OrderedObjectSet<Photo>
///
/// album.photos.insert(cover, at: 0)
/// album.photos.move(fromOffsets: IndexSet(integer: 3), toOffset: 1)
/// ```
///
/// - An object is a member at most once. If you add it from its own side of the relationship, it
///   comes last.
/// - Finding a member by its position, finding its position, and moving it take O(log n) for n
///   members.
/// - Moving members changes the owner. If two contexts moved different members of one owner, both
///   moves are kept; if they moved the same member, the later save meets a conflict, which its
///   ``MergePolicy`` settles.
/// - To change many members, iterate over a copy: `for photo in Array(album.photos)`.
public struct OrderedObjectSet<Element: ManagedObject> {
    let owner: ManagedObject
    let slot: Slot

    private var members: ObjectSet<Element> { ObjectSet(owner: owner, slot: slot) }

    /// The list, unless the owner is a prototype.
    private var storage: (table: ObjectTable, list: ListLayout, order: ListOrder)? {
        guard let table = owner.table, let list = table.layout.relationships[slot]?.ownList,
            let order = list.order
        else { return nil }
        return (table, list, order)
    }

    // MARK: - Members

    /// Whether an object is a member.
    ///
    /// - Complexity: O(1).
    public func contains(_ object: Element) -> Bool { members.contains(object) }

    /// The position of a member, or `nil` if the object is not a member.
    ///
    /// - Complexity: O(log n).
    public func firstIndex(of object: Element) -> Int? {
        guard let (table, list, order) = storage, let link = members.link(of: object) else {
            return nil
        }
        return table.transaction.position(of: link, in: list, order)
    }

    /// Adds an object at the end and updates its inverse; returns whether it was new.
    ///
    /// - Complexity: O(log n).
    @discardableResult
    public func append(_ object: Element) -> Bool { members.insert(object) }

    /// Adds an object before the member at a position; returns whether it was new.
    ///
    /// If there is no member at the position, the object comes last, but first if the position is
    /// negative. Its inverse is updated. An object that is a member already stays where it is.
    ///
    /// - Complexity: O(log n).
    @discardableResult
    public func insert(_ object: Element, at position: Int) -> Bool {
        let count = count
        guard members.add(object) else { return false }
        move(object, beforeMemberAt: Swift.min(Swift.max(0, position), count))
        members.tell()
        return true
    }

    /// Removes an object and updates its inverse; returns whether it was a member.
    ///
    /// - Complexity: O(log n).
    @discardableResult
    public func remove(_ object: Element) -> Bool { members.remove(object) }

    /// Removes the member at a position and updates its inverse; returns it, or `nil` if none.
    ///
    /// - Complexity: O(log n).
    @discardableResult
    public func remove(at position: Int) -> Element? {
        guard let object = member(at: position) else { return nil }
        return members.remove(object) ? object : nil
    }

    /// Removes all members.
    public func removeAll() { members.removeAll() }

    /// Makes some objects the members, in their order and no others, and updates all inverses.
    ///
    /// An object that is there twice has the place of the first time. Members that keep their relative order do not move, so
    /// that what another context moves meanwhile is kept. If one of the objects can't be a member, nothing changes.
    ///
    /// - Complexity: O(n log n) for n members before and after.
    public func replaceAll(with objects: some Sequence<Element>) {
        members.replaceAll(with: objects)
    }

    // MARK: - Moving

    /// Moves a member to another position, which it has after the move.
    ///
    /// If one of the positions has no member, nothing moves.
    ///
    /// - Complexity: O(log n).
    public func move(from position: Int, to destination: Int) {
        guard indices.contains(position), indices.contains(destination), owner.canChange(slot)
        else { return }
        move(self[position], beforeMemberAt: destination > position ? destination + 1 : destination)
        members.tell()
    }

    /// Moves members before the member that is now at an offset, or to the end.
    ///
    /// The parameters are those of lists in SwiftUI. The members keep their relative order. Offsets
    /// without a member are ignored, and a negative destination is the beginning.
    ///
    /// - Complexity: O(k log n) for k members that move.
    public func move(fromOffsets offsets: IndexSet, toOffset destination: Int) {
        guard owner.canChange(slot) else { return }
        let positions = indices
        let moving = offsets.rangeView.flatMap { $0.clamped(to: positions) }
            .compactMap { member(at: $0) }
        let moved = Set(moving)
        var offset = Swift.max(0, destination)
        while let object = member(at: offset), moved.contains(object) { offset += 1 }
        let next = member(at: offset)
        for object in moving { move(object, before: next) }
        members.tell()
    }

    /// Moves a member before the one at a position, or to the end.
    private func move(_ object: Element, beforeMemberAt position: Int) {
        move(object, before: member(at: position))
    }

    /// The member at a position, if there is one: an object that awakes may remove others.
    private func member(at position: Int) -> Element? {
        indices.contains(position) ? self[position] : nil
    }

    private func move(_ object: Element, before next: Element?) {
        guard let (table, list, _) = storage, let link = members.link(of: object) else { return }
        table.transaction.move(
            link, before: next.flatMap { members.link(of: $0) } ?? Row.none, of: owner.row, list)
    }
}

extension OrderedObjectSet: RandomAccessCollection {
    /// The number of members.
    ///
    /// - Complexity: O(1).
    public var count: Int { members.count }

    /// Whether there are no members.
    ///
    /// - Complexity: O(1).
    public var isEmpty: Bool { members.isEmpty }

    /// Zero.
    public var startIndex: Int { 0 }

    /// The number of members.
    public var endIndex: Int { count }

    /// The member at a position.
    ///
    /// - Precondition: There is one, as in an array.
    /// - Complexity: O(log n).
    public subscript(position: Int) -> Element {
        guard let (table, list, order) = storage else {
            return Prototypes.members(of: owner, Element.self)[position]
        }
        if !indices.contains(position) {
            mistake(
                "An ordered set of \(count.counted("member")) has none at position \(position).")
        }
        let link = table.transaction.link(at: position, of: owner.row, list, order)
        guard let member = members.member(at: link) else {
            mistake("The ordered set has no member of its class at position \(position).")
        }
        return member
    }

    /// Makes an iterator over the members, in their order.
    public func makeIterator() -> ObjectSet<Element>.Iterator { members.makeIterator() }

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
        try members.map(transform)
    }
}

extension OrderedObjectSet: CountedMembers {
    static var countKeyPath: AnyKeyPath { \Self.count }
    static var isEmptyKeyPath: AnyKeyPath { \Self.isEmpty }
}

extension OrderedObjectSet: MemberView {}
extension OrderedObjectSet: ListedElements {}

@_documentation(visibility: internal)
extension OrderedObjectSet: RelationshipValue {
    /// The class of the members.
    public typealias Destination = Element
    /// `true`.
    public static var isToMany: Bool { true }
    /// `true`.
    public static var isOrdered: Bool { true }

    /// The members of an object's relationship.
    public static func related(to object: ManagedObject, slot: Int) -> OrderedObjectSet {
        OrderedObjectSet(owner: object, slot: Slot(slot))
    }

    /// The members of a prototype: none.
    public static func traced(from object: ManagedObject, slot: Int) -> OrderedObjectSet {
        Prototypes.note(Slot(slot), of: object)
        return OrderedObjectSet(owner: object, slot: Slot(slot))
    }

    /// Makes the members of this set, in their order, those of an object's relationship.
    public func relate(to object: ManagedObject, slot: Int) {
        members.relate(to: object, slot: slot)
    }
}

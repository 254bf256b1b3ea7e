/// An object and a member of one of its to-many relationships.
package struct ObjectLink: Hashable, Sendable {
    package var owner: ObjectID
    package var member: ObjectID

    package init(owner: ObjectID, member: ObjectID) { (self.owner, self.member) = (owner, member) }
}

extension ManagedObjectContext {
    /// The links of a many-to-many relationship that the next undo or redo is to make, or to end.
    ///
    /// Links are also told that others have kept from it since, as by deleting what they lead to.
    ///
    /// - Parameters:
    ///   - members: The relationship.
    ///   - isRedo: Whether to tell what a redo is to do.
    /// - Returns: The links, each with whether it is made.
    /// - Complexity: O(k) for k changed links.
    package func undoneLinks<Owner: ManagedObject, Member: ManagedObject>(
        of members: KeyPath<Owner, ObjectSet<Member>>, isRedo: Bool
    ) -> [ObjectLink: Bool] {
        processPendingChanges()
        if !isRedo { undoStack.endAll() }
        let model = store.model
        guard let group = isRedo ? undoStack.redoGroups.last : undoStack.undoGroups.last,
            let entity = model.number(of: Owner.self),
            case .property(let path)? = model.resolve(members), path.count == 1,
            case .manyToMany(let own, let other)? =
                model.layout.tables[model.layout.entities[entity].table].relationships[path[0]]
        else { return [:] }
        func object(_ number: Int64, in table: TableNumber) -> ObjectID {
            ObjectID(entity: model.layout.tables[table].name, number: number)
        }
        var links: [ObjectLink: Bool] = [:]
        for pair in group.deltas.reversed().flatMap(\.pairs) where pair.table == own.members {
            let link = ObjectLink(
                owner: object(own.isFirst ? pair.first : pair.second, in: own.owners),
                member: object(own.isFirst ? pair.second : pair.first, in: other.owners))
            links[link] = pair.isJoined
        }
        return links
    }
}

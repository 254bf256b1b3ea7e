/// Which objects a change inserted, updated and deleted.
///
/// It is made in O(1); what it lists is gathered when it is asked for. While it is kept, so are the
/// parts of the graph that it was made of.
public struct ObjectChanges: Sendable {
    let changes: ChangeSet

    /// The new objects, in the order of their entities and insertion.
    public var inserted: [ObjectID] { objects(\.inserted) }

    /// The objects that are gone.
    public var deleted: [ObjectID] { objects(\.deleted) }

    /// The objects that were there before and are there now, with the names of their changed
    /// properties.
    public var updated: [ObjectID: Set<String>] {
        var updated: [ObjectID: Set<String>] = [:]
        for table in changes.tables.indices {
            let properties = changes.after.layout.tables[table].properties
            for update in changes.tables[table].updated {
                let slots = properties.indices.filter {
                    changes.hasChanged(update, $0, in: table)
                }
                updated[changes.after.objectID(update.row, in: table)] = Set(
                    slots.map { properties[$0].name })
            }
        }
        return updated
    }

    /// Whether nothing changed.
    public var isEmpty: Bool { changes.isEmpty }

    private func objects(
        _ rows: (TableChanges) -> ContiguousArray<Int32>
    ) -> [ObjectID] {
        changes.tables.indices.flatMap { table in
            rows(changes.tables[table]).map { changes.after.objectID($0, in: table) }
        }
    }
}

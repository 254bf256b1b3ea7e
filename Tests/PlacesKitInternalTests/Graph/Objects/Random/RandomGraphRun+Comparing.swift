import PlacesKit
import PlacesKitTesting

@testable import PlacesGraph

extension RandomGraphRun {
    /// The handle of an object, the same as long as somebody keeps one.
    func object(_ id: ObjectID, _ side: Int) throws -> ManagedObject {
        let object = try sides[side].context.existingObject(with: id)
        if let kept = sides[side].kept[id], kept !== object { throw fail("two handles of \(id)") }
        return object
    }

    /// Compares one object with what it should be.
    func compare(_ id: ObjectID, _ side: Int) throws {
        guard let expected = sides[side].naive.objects[id], let access = access[id.entity] else {
            return
        }
        let object = try object(id, side)
        let graph = sides[side].context.transaction.graph
        guard let table = object.table else { throw fail("\(id) has no table") }
        for slot in table.entityLayout.slots {
            let property = table.layout.properties[slot]
            let name = property.name
            if let attribute = property.attribute {
                let stored = graph.datum(object.row, slot, in: table.number).toTheBit
                let read = access.read[name]?(object)
                let value =
                    access.derived[name]?(sides[side].naive, id) ?? expected.attributes[name]
                guard stored == value, read == value || value == .null && !attribute.isOptional
                else {
                    throw fail(
                        "\(id).\(name) is \(String(describing: read)) (\(stored)) in \(side), "
                            + "expected \(String(describing: value))")
                }
            } else if let set = access.toMany[name] {
                let members = set.members(object).map(\.objectID)
                let value = expected.toMany[name] ?? []
                guard members == value, set.count(object) == value.count else {
                    throw fail("\(id).\(name) is \(members) in \(side), expected \(value)")
                }
            } else {
                let target = access.follow[name]?(object)?.objectID
                guard target == expected.toOne[name] else {
                    throw fail(
                        "\(id).\(name) is \(String(describing: target)) in \(side), "
                            + "expected \(String(describing: expected.toOne[name]))")
                }
            }
        }
    }

    /// Compares everything of a context with what it should be.
    ///
    /// - Parameters:
    ///   - side: The context.
    ///   - isReopened: Whether the objects were read from files, where they are in the order of commits.
    /// - Throws: A `Difference`.
    mutating func compareAll(_ side: Int, isReopened: Bool = false) throws {
        for entity in entities {
            // Without sort descriptors objects come in the order of their rows.
            let living = sides[side].naive.living(entity)
            rowsUsedAgain += living.count(where: \.isInUsedRow)
            var fetched = try access[entity]?.all(sides[side].context).map(\.objectID) ?? []
            if isReopened { fetched.sort { $0.row < $1.row } }
            guard fetched == living, try access[entity]?.count(sides[side].context) == living.count
            else { throw fail("\(entity): \(fetched) in \(side), expected \(living)") }
            for id in living where id.entity == entity { try compare(id, side) }
        }
        for (id, object) in sides[side].kept {
            let isDeleted = !sides[side].naive.isAlive(id)
            guard object.objectID == id, object.isDeleted == isDeleted else {
                throw fail("\(object.objectID).isDeleted is \(object.isDeleted) in \(side)")
            }
        }
        if forgetting.below(8) == 0 { sides[side].kept.removeAll() }
        try compareNames(side)
        // A conflict that is still to be settled is something to save, too.
        let hasChanges =
            sides[side].naive.hasChanges(since: sides[side].base)
            || !sides[side].unsettled.isEmpty
        guard sides[side].context.hasChanges == hasChanges else {
            throw fail("hasChanges of \(side) is not \(hasChanges)")
        }
    }

    /// Compares what can be taken back, and what it is called.
    private func compareNames(_ side: Int) throws {
        let (context, own) = (sides[side].context, sides[side])
        // What is not processed yet has no name, and will be done instead of what was taken back.
        guard own.naive.isSame(as: own.processed) else { return }
        let open = own.open?.hasEffect == true ? own.open?.group : nil
        let names = [
            open?.name ?? own.undoable.last?.name ?? "", own.redoable.last?.name ?? "",
        ]
        let canUndo = open != nil || !own.undoable.isEmpty
        guard [context.undoActionName, context.redoActionName] == names,
            context.canUndo == canUndo, context.canRedo == !own.redoable.isEmpty
        else {
            throw fail(
                """
                undo “\(context.undoActionName)” (\(context.canUndo)) and \
                redo “\(context.redoActionName)” (\(context.canRedo)) in \(side), expected \(names)
                """)
        }
    }

    /// Checks what is kept twice, in both contexts and in the store.
    func checkIntegrity() throws {
        for side in sides { try side.context.checkIntegrity() }
        guard let store = sides.first?.context.store else { return }
        try store.snapshot().checkIntegrity()
    }
}

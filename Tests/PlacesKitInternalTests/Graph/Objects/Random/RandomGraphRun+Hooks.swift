import PlacesKit

extension RandomGraphRun {
    /// Does what the calls of `willSave` that were heard should have done, and compares who was asked with
    /// what was changed.
    mutating func followWillSave(_ side: Int) throws {
        guard let hooks = world.hooks else { return }
        let asked = hooks.log.willSave
        hooks.log.willSave = []
        guard Set(asked).count == asked.count else { throw fail("willSave twice: \(asked)") }
        let (former, base) = (sides[side].naive, sides[side].base)
        for id in asked {
            // What was changed may be as it was, by the hook of an object that was asked earlier.
            guard
                isDifferent(id, in: former, from: base)
                    || isDifferent(id, in: sides[side].naive, from: base)
            else {
                throw fail(
                    """
                    willSave of \(id), which has not changed, in \(side): \
                    \(hooks.log.changed[id] ?? []); \(String(describing: base.objects[id]))
                    """)
            }
            hooks.willSave(&sides[side].naive, id)
        }
        let silent = sides[side].naive.written(since: base).subtracting(asked).filter {
            hooks.entities.contains($0.entity)
        }
        guard silent.isEmpty else { throw fail("no willSave of \(silent) in \(side)") }
        join(side)
    }

    /// Compares what objects were like when they were asked whether they may be saved with what was saved.
    func followValidate(_ side: Int, since head: NaiveGraph) throws {
        guard let hooks = world.hooks else { return }
        for id in sides[side].naive.written(since: head) where hooks.entities.contains(id.entity) {
            let expected = sides[side].naive.objects[id]?.attributes ?? [:]
            let found = hooks.log.validated[id] ?? [:]
            guard found.merging(expected, uniquingKeysWith: { $1 }) == found else {
                throw fail("\(id) is saved as \(expected), and was asked about \(found)")
            }
        }
    }

    /// Deletes an object after what the calls of `prepareForDeletion` that were heard should have done, and
    /// compares who was asked with what is gone.
    mutating func followDelete(of id: ObjectID, _ side: Int) throws {
        let former = sides[side].naive
        let asked = world.hooks?.log.prepareForDeletion ?? []
        for id in asked { world.hooks?.prepareForDeletion(&sides[side].naive, id) }
        sides[side].naive.delete(id)
        guard let hooks = world.hooks else { return }
        hooks.log.prepareForDeletion = []
        let gone = former.objects.keys.filter {
            former.isAlive($0) && !sides[side].naive.isAlive($0)
                && hooks.entities.contains($0.entity)
        }
        guard asked.count == gone.count, Set(asked) == Set(gone) else {
            throw fail("prepareForDeletion of \(asked), and \(gone) are gone")
        }
    }

    /// Whether an object is there, and new or with other values, derived ones too.
    private func isDifferent(
        _ id: ObjectID, in naive: NaiveGraph, from base: NaiveGraph
    ) -> Bool {
        guard naive.isAlive(id), base.isAlive(id) else { return naive.isAlive(id) }
        return naive.objects[id] != base.objects[id]
            || access[id.entity]?.derived.values.contains { $0(naive, id) != $0(base, id) } ?? false
    }

    /// Does what the calls of `didSave` that were heard should have done.
    mutating func followDidSave(_ side: Int) {
        guard let hooks = world.hooks, !hooks.log.didSave.isEmpty else { return }
        for id in hooks.log.didSave { hooks.didSave(&sides[side].naive, id) }
        hooks.log.didSave = []
        join(side)
    }
}

extension NaiveGraph {
    /// The living objects that are new or have another value of an attribute or of a to-one relationship.
    fileprivate func written(since base: NaiveGraph) -> Set<ObjectID> {
        Set(
            objects.lazy.filter { id, object in
                guard object.isAlive else { return false }
                guard base.isAlive(id), let old = base.objects[id] else { return true }
                return old.attributes != object.attributes || old.toOne != object.toOne
            }.map(\.key))
    }
}

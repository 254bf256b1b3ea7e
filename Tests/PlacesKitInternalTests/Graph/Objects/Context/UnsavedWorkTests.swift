import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite final class UnsavedWorkTests {
    private let context: ManagedObjectContext
    private var unsaved: UnsavedWork

    init() throws {
        context = ManagedObjectContext(try TownModel.store(), isolation: nil)
        unsaved = UnsavedWork(tables: context.transaction.layout.entityTables.count)
    }

    /// A batch in which a land comes.
    private func batch(_ name: String) -> ChangeSet {
        _ = context.land(name)
        return context.transaction.takeChanges()
    }

    /// How many objects came by a change.
    private func count(_ changes: ChangeSet?) -> Int? {
        changes?.tables.reduce(0) { $0 + $1.inserted.count }
    }

    @Test func `batches are told as one, and once`() {
        for name in ["Ghana", "Togo"] { unsaved.append(batch(name)) }
        let told = unsaved.takeUntold()
        #expect(count(told) == 2 && unsaved.untold.isEmpty)
        let (again, all) = (unsaved.takeUntold(), unsaved.changes.all)
        #expect(again == nil && count(all) == 2)
    }

    @Test func `what was made again on another graph replaces what was untold`() {
        unsaved.append(batch("Ghana"))
        unsaved.replace(with: batch("Togo"))
        let all = unsaved.changes.all
        #expect(count(all) == 1 && unsaved.untold.isEmpty)
        unsaved.replace()
        #expect(unsaved.changes.isUnset)
    }

    @Test func `what is saved is still told, and no conflict any more`() {
        unsaved.append(batch("Ghana"))
        unsaved.bases.rely(on: 0, in: 0)
        unsaved.endSaved()
        #expect(unsaved.changes.isUnset && unsaved.bases.isEmpty && unsaved.untold.count == 1)
        #expect(unsaved.brokenInvariants == [])
    }
}

import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct ChildForksTests {
    private func changes(_ row: Row) -> [TableChanges] { [TableChanges(inserted: [row])] }

    @Test func `nothing is remembered where there is no child`() {
        var children = ChildForks()
        children.note(changes(1), as: 1)
        #expect(children.isEmpty && children.changes(since: 0, upTo: 1) == nil)
        children.add(showing: 1)
        children.add(showing: 1)
        children.note(changes(2), as: 2)
        children.remove()
        #expect(!children.isEmpty)
        #expect(children.changes(since: 1, upTo: 2)?.map { $0[0].inserted } == [[2]])
        children.remove()
        #expect(children.isEmpty && children.changes(since: 1, upTo: 2) == nil)
    }

    @Test func `a child that comes later does not forget what the first one needs`() {
        var children = ChildForks()
        children.add(showing: 4)
        children.note(changes(5), as: 5)
        children.add(showing: 5)
        #expect(children.changes(since: 4, upTo: 5)?.count == 1)
        #expect(children.changes(since: 3, upTo: 5) == nil)
        children.forget(upTo: 6)
        #expect(children.changes(since: 4, upTo: 6) == nil)
        #expect(children.changes(since: 6, upTo: 6)?.isEmpty == true)
    }

    @Test func `a context counts its children, and forgets with the last`() throws {
        let parent = try TownModel.context()
        var children = [0, 1].map { _ in ManagedObjectContext(parent: parent) }
        _ = parent.land("Ghana")
        parent.processPendingChanges()
        #expect(parent.children.changes(since: 0, upTo: .max) != nil)
        children.removeLast()
        #expect(!parent.children.isEmpty)
        children.removeLast()
        #expect(parent.children.isEmpty)
    }
}

import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

@Suite struct DeniedDeletesTests {
    @Test func `a row is denied once, until it is gone`() throws {
        let context = ManagedObjectContext(try TownModel.store(), isolation: nil)
        let club = Club("Chess", in: context)
        let table = try context.table(of: Club.self).number
        var denials = DeniedDeletes()
        denials.insert(club.row, in: table)
        denials.insert(club.row, in: table)
        denials.insert(club.row.advanced(by: 1), in: table)
        #expect(denials.rows.map(\.row) == [club.row, club.row.advanced(by: 1)])
        denials.settle(in: context.transaction.graph)
        #expect(denials.contains(club.row, in: table))
        #expect(!denials.contains(club.row.advanced(by: 1), in: table))
    }

    @Test func `a row among many that are denied is found at once`() {
        let rows = Row(0)..<40_000
        var denials = DeniedDeletes()
        for row in rows { denials.insert(row, in: 0) }
        let both = denials.union(denials)
        #expect(both.rows.count == rows.count && both.contains(39_999, in: 0))
        #expect(!both.contains(rows.upperBound, in: 0) && !both.contains(0, in: 1))
    }

    @Test func `a delete that is denied is remembered until the context starts again`() throws {
        let context = ManagedObjectContext(try TownModel.store(), isolation: nil)
        let club = Club("Chess", in: context)
        Hall(context: context).club = club
        try context.save()
        context.delete(club)
        #expect(context.transaction.denials.rows.count == 1)
        context.rollback()
        #expect(context.transaction.denials.rows.isEmpty)
    }
}

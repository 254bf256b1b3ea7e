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

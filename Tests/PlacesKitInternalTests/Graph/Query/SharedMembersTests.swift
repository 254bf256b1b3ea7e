import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// What members of an owner come to, for all rows that lead to it.
@Suite struct SharedMembersTests {
    @Test(arguments: [
        "views > takenAt.photos.@avg.views", "takenAt.photos.@max.views == views",
        "views < 5 + takenAt.photos.@min.views",
        "SUBQUERY(takenAt.photos, $p, $p.views > 5).@count > views",
        "SUBQUERY(takenAt.photos, $p, $p.views > SELF.views).@count > 3",
        "NOT views < takenAt.photos.@avg.views AND takenAt.photos.@count > views",
        "takenAt.photos.@sum.views - views > 40 OR takenAt.photos.@min.title == title",
        "views IN takenAt.photos.views", "ANY takenAt.photos.views == views + 1",
        "NONE takenAt.photos.views > views", "ANY takenAt.photos.title ==[c] title",
        "SUBQUERY(takenAt.photos, $p, $p.views > SELF.views).@count < 3",
        "SUBQUERY(takenAt.photos, $p, $p.views == SELF.views AND $p != SELF).@count > 1",
        "SUBQUERY(takenAt.photos, $p, $p.views != SELF.views).@count > 23",
        "SUBQUERY(takenAt.photos, $p, $p.views > SELF.takenAt.photos.@avg.views).@count > views",
        "SUBQUERY(takenAt.photos, $p, $p.views + views > takenAt.photos.@avg.views).@count > 15",
        """
        SUBQUERY(takenAt.photos, $p, $p.views > 3 AND $p.views < views AND $p.title == title).@count
         > 1
        """,
        "SUBQUERY(takenAt.photos, $p, $p.views > $p.takenAt.photos.@avg.views).@count > views",
        "views > 2 AND ANY takenAt.photos.views == 2 * views",
        "ANY takenAt.photos.takenAt.photos.views == views + 1",
        "NONE takenAt.photos.takenAt.photos.views > views",
        "ALL takenAt.photos.takenAt.photos.views <= views", "ALL takenAt.photos.views >= views",
        "SUBQUERY(takenAt.photos, $p, NOT $p.views < views + 3).@count > 4",
        "SUBQUERY(takenAt.photos, $p, ANY $p.takenAt.photos.views == views + 2).@count > 0",
        "SUBQUERY(takenAt.photos, $p, ANY $p.takenAt.photos.views == views + 2).@count > 19",
        "SUBQUERY(takenAt.photos, $p, ANY $p.takenAt.photos.views > $p.views + views).@count > 0",
        """
        SUBQUERY(takenAt.photos, $p, $p.views < views AND
         ANY $p.takenAt.photos.views == views + 1 AND $p != SELF).@count > 0
        """,
        """
        SUBQUERY(takenAt.photos, $p, SUBQUERY($p.takenAt.photos, $q, $q.title > '3' AND $q.views < views)\
        .@count > 0 AND $p.title < '2').@count > 0
        """,
        """
        SUBQUERY(takenAt.photos, $p, SUBQUERY($p.takenAt.photos, $q,
         $q.views == $p.views + views + 8).@count > 0).@count == 0
        """,
        "SUBQUERY(takenAt.photos, $p, $p.views == views + 1 OR $p.views == 2 * views + 1).@count > 0",
        "SUBQUERY(takenAt.photos, $p, $p.views == views + 1 OR $p.title == '2').@count == 0",
        "SUBQUERY(takenAt.photos, $p, $p.views == views + 1 OR $p.title == title).@count > 2",
        """
        SUBQUERY(takenAt.photos, $p, $p.title < '4' AND ($p.views == views + 1 OR $p.views > 3 + views
         AND $p.title == title)).@count >= 1
        """,
        """
        SUBQUERY(takenAt.photos, $p, ($p.views == views + 1 OR $p.title > '8') AND $p.title == title)\
        .@count < 1
        """,
    ])
    func `all plans say what is said of each row for itself`(format: String) throws {
        let world = try ResultsFixture()
        let places = [world.place("Paris"), world.place("Rome"), nil]
        for number in 0..<60 {
            world.photo(
                "\(number % 7)", views: number * 7 % 13, at: places[number % 7 % places.count])
        }
        let graph = world.context.transaction.graph
        let condition = try FormatCompiler.compile(
            try PredicateFormat(format), of: 0, in: graph, now: Date())
        let rows = graph.rows(in: 0).rows
        let expected = ContiguousArray(
            rows.filter { graph.matches(condition, $0, in: 0) { _ in false } })
        #expect(!expected.isEmpty && expected.count < rows.count)
        let holds = graph.answers(to: condition, in: 0) { _ in false }
        #expect(ContiguousArray(rows.filter(holds)) == expected)
        for choices in PlanChoices.all {
            var (planner, run) = (QueryPlanner(graph, choices: choices), QueryRun(graph))
            let found = run.rows(planner.plan(condition, in: 0)) { _ in false }
            #expect(found == expected)
        }
    }
}

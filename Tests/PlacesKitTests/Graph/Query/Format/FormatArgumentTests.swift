import Foundation
import PlacesKit
import Testing

@Suite struct FormatArgumentTests {
    private let world: FormatWorld

    init() throws { world = try FormatWorld() }

    private func answer(_ format: String, _ arguments: Any?...) -> String {
        world.answer(format, arguments)
    }

    @Test func `arguments are values of every attribute's type`() {
        #expect(answer("views == %@", 30) == "3")
        #expect(answer("views == %d", 30) == "3")
        #expect(answer("views == %ld AND views == %i AND views == %u", 30, 30, 30) == "3")
        #expect(answer("views == %@", Int16(30)) == "3")
        #expect(answer("rating == %f", 4.5) == "1")
        #expect(answer("rating == %f", 3) == "2")
        #expect(answer("title == %@", "Zoo") == "4")
        #expect(answer("title == %@", "it's \"quoted\" %@") == "")
        #expect(answer("isFavorite == %@", true) == "1 3 6")
        #expect(answer("isFavorite == %d", 1) == "1 3 6")
        #expect(answer("taken < %@", Date(timeIntervalSinceReferenceDate: 2_500)) == "1 2")
        #expect(answer("taken == %@", Date(timeIntervalSinceReferenceDate: 3_000)) == "3")
        #expect(answer("uuid == %@", FormatWorld.uuid(2)) == "2")
        #expect(answer("uuid == %@", FormatWorld.uuid(2).uuidString) == "2")
        #expect(answer("data == %@", Data([1, 2])) == "1")
        #expect(answer("mood == %@", Mood.odd) == "3 6")
        #expect(answer("likes == %@", nil) == "2 5")
        #expect(answer("likes == %@", nil as Int?) == "2 5")
        #expect(answer("likes == %@", 3 as Int?) == "3")
    }

    @Test func `a whole number without a sign is one for every placeholder of numbers`() {
        #expect(answer("views == %u AND views == %d", UInt(30), UInt64(30)) == "3")
        #expect(answer("views == %lu AND views == %i", UInt32(30), UInt8(30)) == "3")
        #expect(answer("rating == %f", UInt(3)) == "2")
        #expect(answer("views < %u", UInt64.max) == "1 2 3 4 5 6")
    }

    @Test func `whole numbers beyond 64 bits compare as what they went on as`() {
        #expect(answer("views * %d == %f", Int.max, Double(Int.max) * 30) == "3")
        let half = "views == 30 AND (views * %d) / (views * %d * 2)"
        #expect(answer("\(half) <= 0.5", Int.max, Int.max) == "3")
        #expect(answer("\(half) < 0.5", Int.max, Int.max) == "")
    }

    @Test func `arguments are objects and identifiers`() {
        #expect(answer("town == %@", world.sites[0]) == "1 2")
        #expect(answer("town == %@", world.sites[1].objectID) == "3 4")
        #expect(answer("town != %@", world.sites[0]) == "3 4 5 6")
        #expect(answer("SELF == %@", world.shots[3]) == "4")
        #expect(answer("SELF IN %@", [world.shots[0], world.shots[4]]) == "1 5")
        #expect(answer("ANY words == %@", world.words[0]) == "1 3 6")
        #expect(answer("%@ IN words", world.words[2]) == "5 6")
        #expect(answer("words CONTAINS %@", world.words[2]) == "5 6")
        #expect(answer("NOT %@ IN words", world.words[0]) == "2 4 5")
        #expect(answer("town.city == %@", world.sites[0]) == "5")
        #expect(answer("ANY town.shots == %@", world.shots[0]) == "1 2")
        #expect(answer("town == %@", world.shots[0]) == "6: an object can never be == an object")
    }

    @Test func `arguments are lists, sets and ranges`() {
        #expect(answer("views IN %@", [10, 30]) == "1 3")
        #expect(answer("views IN %@", Set([10, 30])) == "1 3")
        #expect(answer("views IN %@", [Int]()) == "")
        #expect(answer("title IN %@", ["Zoo", "cafe"]) == "3 4")
        #expect(answer("likes IN %@", [nil, 1]) == "1 2 5")
        #expect(answer("views BETWEEN %@", [20, 40]) == "2 3 4")
        #expect(answer("views BETWEEN %@", 20...40) == "2 3 4")
        #expect(answer("views BETWEEN {%@, %@}", 20, 40) == "2 3 4")
        #expect(answer("town IN %@", [world.sites[1], world.sites[2]]) == "3 4 5")
    }

    @Test func `a range is the bounds of BETWEEN, and never a list of two`() throws {
        #expect(answer("views BETWEEN (%@)", 20...40) == "2 3 4")
        #expect(answer("NOT views BETWEEN %@", 20...40) == "1 5 6")
        for (format, column) in [
            ("views IN %@", 10), ("views NOT IN %@", 14), ("%@ CONTAINS views", 1),
            ("ANY %@ == views", 5), ("%@[0] == views", 1), ("%@.@count == number", 1),
            ("views BETWEEN %@[0]", 15), ("town.size > 0 AND views IN (%@)", 29),
        ] {
            #expect(
                answer(format, 20...40)
                    == "\(column): expected a list of values, or BETWEEN before the range, "
                    + "found a range",
                "\(format)")
        }
        #expect(throws: PredicateFormatError.self) { try RecordQuery("Shot WHERE a IN %@", 1...2) }
        let between = try PredicateFormat("views BETWEEN $R")
            .withSubstitutionVariables(["R": 20...40])
        #expect(world.answer(between.description, []) == "2 3 4")
        let error = #expect(throws: PredicateFormatError.self) {
            try PredicateFormat("views BETWEEN $R OR views IN $R")
                .withSubstitutionVariables(["R": 20...40])
        }
        #expect(error?.column == 30)
        // A member of that name has nothing to do with it.
        _ = try PredicateFormat("SUBQUERY(words, $R, $R.weight IN {1, 2}).@count == 1")
            .withSubstitutionVariables(["R": 20...40])
    }

    @Test func `arguments are what fetches and relationships have`() throws {
        #expect(answer("town IN %@", try world.context.fetch(Site.self)) == "1 2 3 4 5")
        #expect(answer("SELF IN %@", world.sites[0].shots) == "1 2")
        #expect(answer("town IN %@", world.sites[1...]) == "3 4 5")
        #expect(answer("views IN %@", ContiguousArray([10, 30])) == "1 3")
    }

    @Test func `key paths are arguments`() {
        #expect(answer("%K == %@", "views", 30) == "3")
        #expect(answer("%K == %@", "town.name", "Paris") == "1 2")
        #expect(answer("town.%K == 'Paris'", "name") == "1 2")
        #expect(answer("ANY %K == 'sea'", "words.text") == "5 6")
        #expect(answer("%K == 2", "words.@count") == "1 6")
        // A key path that is an argument is never a keyword.
        #expect(answer("%K == 3", "between") == "3")
        #expect(answer("%K == 3", "a..b") == "1: expected a key path for %K, found \"a..b\"")
        #expect(answer("%K == 3", "") == "1: expected a key path for %K, found \"\"")
    }

    @Test func `arguments must fit their placeholders`() {
        #expect(answer("views == %@") == "10: no argument is given for %@")
        #expect(
            answer("views == 1", 3)
                == "11: arguments are given: 1, with a placeholder: 0; "
                + "write %@ for each, or give no more")
        #expect(
            answer("views == %@", 3, 4)
                == "12: arguments are given: 2, with a placeholder: 1; "
                + "write %@ for each, or give no more")
        #expect(answer("views == %d", "x") == "10: %d cannot be a value of type String")
        #expect(answer("views == %d", 1.5) == "10: %d cannot be a value of type Double")
        #expect(answer("rating == %f", "x") == "11: %f cannot be a value of type String")
        #expect(answer("%K == 1", 3) == "1: %K cannot be a value of type Int")
        struct Strange {}
        #expect(
            answer("views == %@", Strange()) == "10: argument 1 cannot be a value of type Strange")
        #expect(
            answer("views IN %@", [Strange()])
                == "10: argument 1 cannot be a value of type Array<Strange>")
        #expect(answer("views == %%") == "10: expected a value, found %%")
    }

    @Test func `variables are substituted`() throws {
        let template = try PredicateFormat("views > $LOW AND town == $TOWN")
        let predicate = try template.withSubstitutionVariables([
            "LOW": 10, "TOWN": world.sites[0],
        ])
        let request = try FetchRequest<Shot>(where: predicate)
        #expect(try world.context.fetch(request).map(\.number) == [2])
        #expect(throws: PredicateFormatError.self) { try FetchRequest<Shot>(where: template) }
        struct Strange {}
        #expect(throws: PredicateFormatError.self) {
            try template.withSubstitutionVariables(["LOW": Strange()])
        }
        let list = try PredicateFormat("views IN $LIST")
            .withSubstitutionVariables(["LIST": [10, 60]])
        #expect(
            try world.context.fetch(FetchRequest<Shot>(where: list)).map(\.number) == [1, 6])
    }

    @Test func `now is the instant of the fetch`() throws {
        let shot = world.shots[0]
        shot.taken = Date().addingTimeInterval(3_600)
        #expect(answer("taken > now()") == "1")
        #expect(answer("taken < now()") == "2 3 5 6")
        #expect(answer("taken > now() + 7200") == "")
        #expect(answer("taken > NOW() - 60") == "1")
    }

    @Test func `a context fetches by a format`() throws {
        let shots = try world.context.fetch(
            Shot.self, where: "views > %@ AND isFavorite == YES", 10)
        #expect(shots.map(\.number) == [3, 6])
        #expect(throws: ContextError.self) {
            try world.context.fetch(Shot.self, where: "nonsense")
        }
    }

    @Test func `a format and a predicate hold both`() throws {
        var request = try FetchRequest<Shot>(
            where: "views > 10", sortBy: [SortDescriptor(\.views, order: .reverse)], limit: 2)
        #expect(try world.context.fetch(request).map(\.number) == [6, 5])
        request.predicate = #Predicate { $0.isFavorite }
        #expect(try world.context.fetch(request).map(\.number) == [6, 3])
        #expect(try world.context.count(request) == 2)
    }
}

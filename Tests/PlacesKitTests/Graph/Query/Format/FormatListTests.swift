import Foundation
import PlacesKit
import Testing

/// Lists in format strings: what they equal, which elements they have, and what those do.
@Suite struct FormatListTests {
    private let world: FormatWorld

    init() throws { world = try FormatWorld() }

    private func answer(_ format: String, _ arguments: Any?...) -> String {
        world.answer(format, arguments)
    }

    private func numbers(_ format: String, _ variables: [String: Any?]) throws -> [Int] {
        let predicate = try PredicateFormat(format).withSubstitutionVariables(variables)
        return try world.context.fetch(FetchRequest<Shot>(where: predicate)).map(\.number)
    }

    @Test func `a list has elements and a number of them`() {
        world.check(
            """
            {1, 2}[SIZE] == 2 ⇒ 1 2 3 4 5 6
            {}[SIZE] == 0 ⇒ 1 2 3 4 5 6
            {views, 5}[SIZE] == number ⇒ 2
            {1, 2}.@count == number ⇒ 2
            {10, 20}[0] == views ⇒ 1
            {10, 20}[FIRST] == views ⇒ 1
            {10, 20}[1] == views ⇒ 2
            views == {10, 20}[LAST] ⇒ 2
            {10, 20}[2] == nil ⇒ 1 2 3 4 5 6
            {}[LAST] == likes ⇒ 2 5
            {views * 2, 1}[FIRST] == 20 ⇒ 1
            ({10, 20})[0] == views ⇒ 1
            (({10, 20}))[0] + 10 == views ⇒ 2
            {'Zoo', 'x'}[0].length == title.length ⇒ 4
            {{1, 2}[0], 20}[1] == views ⇒ 2
            """)
    }

    @Test func `a list equals one with the same elements in the same order`() {
        world.check(
            """
            {1} == {1} ⇒ 1 2 3 4 5 6
            {1, 2} == {2, 1} ⇒
            {1} == {1, 2} ⇒
            {1} != {1, 2} ⇒ 1 2 3 4 5 6
            {} == {} ⇒ 1 2 3 4 5 6
            {1, YES} == {1.0, 1} ⇒ 1 2 3 4 5 6
            {views, likes} == {30, 3} ⇒ 3
            {views, likes} != {30, 3} ⇒ 1 2 4 5 6
            {nil} == {likes} ⇒ 2 5
            {nil, 'Zoo'} == {likes, title} ⇒
            {title} ==[c] {'zoo'} ⇒ 4
            """)
        #expect(answer("%@ == {10, 1}", [10, 1]) == "1 2 3 4 5 6")
        #expect(answer("{views, likes} == %@", [10, 1]) == "1")
    }

    @Test func `quantifiers ask the elements of a list`() {
        world.check(
            """
            ANY {10, 30} == views ⇒ 1 3
            SOME {10, 30.0} == views ⇒ 1 3
            NONE {10, 30} == views ⇒ 2 4 5 6
            ALL {10, 30} != views ⇒ 2 4 5 6
            ALL {10, 10} == views ⇒ 1
            ANY {10, 30} != views ⇒ 1 2 3 4 5 6
            NONE {10, 10} != views ⇒ 1
            ALL {10, 30} <= views ⇒ 3 4 5 6
            ANY {10, 30} > views ⇒ 1 2
            NONE {10, 30} > views ⇒ 3 4 5 6
            ANY {} == views ⇒
            ALL {} == views ⇒ 1 2 3 4 5 6
            NONE {} == views ⇒ 1 2 3 4 5 6
            ANY {views, likes} == 3 ⇒ 3
            ANY {title, caption} BEGINSWITH 'C' ⇒ 2
            ALL {title, caption} LIKE '?*' ⇒ 1 4 5
            ANY {10, 20} IN {views, 99} ⇒ 1 2
            ALL {10, 20} BETWEEN {views, 30} ⇒ 1
            ANY {'ZOO', 'x'} ==[c] title ⇒ 4
            ANY {likes, rating} == nil ⇒ 2 3 5
            ANY {10, 20}[LAST] == views ⇒ 5: this is one value, and ANY needs many: leave ANY out
            """)
        #expect(answer("ANY %@ == views", [10, 30]) == "1 3")
        #expect(answer("ANY %@ == views", [1.5, 30]) == "3")
        #expect(answer("ANY %@ == town", [world.sites[0], world.sites[2]]) == "1 2 5")
    }

    @Test func `an element that is nil stands beside text and numbers`() {
        world.check(
            """
            caption IN {nil, 'a*b'} ⇒ 2 4
            caption IN[cd] {'A*B', nil} ⇒ 2 4
            caption NOT IN {nil, 'a*b'} ⇒ 1 3 5 6
            ANY {nil, 'a*b'} == caption ⇒ 2 4
            ANY {nil, 'ZOO'} ==[c] title ⇒ 4
            ANY {nil, 'Zoo'} CONTAINS title ⇒ 4
            ALL {nil, 'Zoo'} CONTAINS title ⇒
            {nil, 'Zoo'} CONTAINS title ⇒ 4
            ANY {nil, 1} == likes ⇒ 1 2 5
            ANY {nil, 1} <= likes ⇒ 1 2 3 4 5 6
            nil IN {nil, 'x'} ⇒ 1 2 3 4 5 6
            {nil, 'x'}[0].length == nil ⇒ 1 2 3 4 5 6
            """)
    }

    @Test func `a list that is the value of a variable is one like any other`() throws {
        #expect(try numbers("$LIST[0] == views", ["LIST": [20, 10]]) == [2])
        #expect(try numbers("$LIST[LAST] == views", ["LIST": [20, 10]]) == [1])
        #expect(try numbers("$LIST[SIZE] == number", ["LIST": [20, 10]]) == [2])
        #expect(try numbers("$LIST.@count == number", ["LIST": [20, 10]]) == [2])
        #expect(try numbers("($LIST)[0] == views", ["LIST": [20, 10]]) == [2])
        #expect(try numbers("$LIST[0].length == title.length", ["LIST": ["Zoo"]]) == [4])
        #expect(try numbers("$LIST[0] == town", ["LIST": [world.sites[1]]]) == [3, 4])
        #expect(try numbers("ANY $LIST == views", ["LIST": [20, 10]]) == [1, 2])
        #expect(try numbers("$LIST CONTAINS views", ["LIST": [20, 10]]) == [1, 2])
        #expect(try numbers("$LIST == {1, 2}", ["LIST": [1, 2]]) == [1, 2, 3, 4, 5, 6])
        #expect(try numbers("$TEXT.length == title.length", ["TEXT": "abc"]) == [4])
        #expect(try numbers("title IN $TEXT", ["TEXT": "a Zoo b"]) == [4])
        #expect(answer("%@[0] == views", [20, 10]) == "2")
    }

    @Test func `a property of a value that was given is refused by name`() throws {
        for (format, column, key, value) in [
            ("$LIST[0].name == 'Paris'", 10, "name", "$LIST[FIRST]"),
            ("$LIST.name == 'Paris'", 7, "name", "$LIST"),
            ("$SITE.name == 'Paris'", 7, "name", "$SITE"),
            ("$SITE.city.name == 'Paris'", 7, "city", "$SITE"),
        ] {
            let predicate = try PredicateFormat(format).withSubstitutionVariables([
                "LIST": [world.sites[0]], "SITE": world.sites[0],
            ])
            let error = #expect(throws: PredicateFormatError.self) {
                try FetchRequest<Shot>(where: predicate)
            }
            #expect(error?.column == column)
            #expect(error?.problem == .propertyOfValue(key, value: value))
        }
        #expect(
            answer("%@.name == 'x'", world.sites[0])
                == "4: this is no key path, so its name cannot be read: give the name itself")
    }

    @Test func `what a list cannot do is refused`() {
        world.check(
            """
            {1, 2} < 3 ⇒ 1: expected one value, found a list
            views < {1, 2} ⇒ 9: expected one value, found a list
            {1, 2} == 3 ⇒ 1: expected one value, or ANY, ALL or NONE before the list, found a list
            {1, {2}}[SIZE] == 2 ⇒ 5: expected one value, found a list
            {1, 2}.@sum.self == 3 ⇒ 8: @sum of a list is not supported
            {1} == {'x'} ⇒ 5: a number can never be == text
            ANY {1} == title ⇒ 9: text can never be == a number
            ANY {1, 2} IN 3 ⇒ 15: expected a list, found one value
            ANY {1, 2} BETWEEN {3} ⇒ 20: expected two bounds, found 1
            (views + 1)[0] == 2 ⇒ 12: this is one value, and [FIRST] needs many
            (title)[0] == 'Z' ⇒ 8: title[FIRST] is one value, and [FIRST] needs many
            'abc'[0] == 'a' ⇒ 6: this is one value, and [FIRST] needs many
            {1, 2}[x] == 1 ⇒ 8: expected an index, FIRST, LAST or SIZE, found x
            (views == 1)[0] == 1 ⇒ 13: expected AND, OR or the end, found [
            """)
    }

    @Test func `a key path in parentheses goes on behind them`() {
        world.check(
            """
            (town).name == 'Paris' ⇒ 1 2
            (town.shots)[0].title == 'Eiffel' ⇒ 1 2
            (town.shots)[LAST].title == 'Zoo' ⇒ 3 4
            (words)[SIZE] == 2 ⇒ 1 6
            (SELF).title == 'Zoo' ⇒ 4
            ((words).@count) == 2 ⇒ 1 6
            """)
    }

    @Test func `to equal any element is one look into a set`() throws {
        func steps(_ format: String) throws -> [String] {
            try FetchRequest<Shot>(where: format).explain(in: world.context).steps.map(\.text)
        }
        let expected = try steps("views IN {10, 30}")
        #expect(expected.contains { $0.contains("views is one of 2 values") })
        for format in [
            "ANY {10, 30} == views", "ANY {10, 30.0} == views", "{10, 30} CONTAINS views",
        ] {
            #expect(try steps(format) == expected, "\(format)")
        }
        let opposite = try steps("NOT views IN {10, 30}")
        for format in [
            "NONE {10, 30} == views", "ALL {10, 30} != views", "views NOT IN {10, 30}",
        ] {
            #expect(try steps(format) == opposite, "\(format)")
        }
        #expect(try steps("ANY {10} == views") == steps("views == 10"))
    }
}

import Foundation
import PlacesKit
import Testing

/// What is wrong with format strings: the column, and what belongs there.
@Suite struct FormatErrorTests {
    @Test func `an error points at the word that does not belong`() throws {
        try FormatWorld().check(
            #"""
             ⇒ 1: expected a key path, a value or (, found the end
                ⇒ 4: expected a key path, a value or (, found the end
            views ⇒ 6: expected a comparison, as in == YES or > 1, found the end
            views == ⇒ 9: expected a key path, a value or (, found the end
            views = = 1 ⇒ 9: expected a key path, a value or (, found =
            views == 1 AND ⇒ 15: expected a key path, a value or (, found the end
            views == 1 views == 2 ⇒ 12: expected AND, OR or the end, found views
            AND views == 1 ⇒ 1: expected a key path, a value or (; write #and for a property of that name, found AND
            views == 1 OR OR views == 2 ⇒ 15: expected a key path, a value or (; write #or for a property of that name, found OR
            between == 3 ⇒ 1: expected a key path, a value or (; write #between for a property of that name, found between
            (views == 1 ⇒ 12: expected ), found the end
            views == 1) ⇒ 11: expected AND, OR or the end, found )
            views == (1 ⇒ 12: expected ), found the end
            views == {1 ⇒ 12: expected , or }, found the end
            views IN {1 2} ⇒ 13: expected , or }, found 2
            views IN {1,} ⇒ 13: expected a key path, a value or (, found }
            views == 1 == 2 ⇒ 12: expected AND, OR or the end, found ==
            (views == 1) == (views == 2) ⇒ 14: expected AND, OR or the end, found ==
            views == (views == 2) ⇒ 10: expected a value, found a predicate
            views + (views == 2) == 3 ⇒ 9: expected a value, found a predicate
            views AND views ⇒ 7: expected a comparison, as in == YES or > 1, found AND
            NOT views ⇒ 10: expected a comparison, as in == YES or > 1, found the end
            ANY words.text ⇒ 15: expected a comparison, as in == YES or > 1, found the end
            ANY (views == 1) ⇒ 1: expected a key path, found a predicate
            views ==[x] 1 ⇒ 10: expected c, d, n or l, found x
            views ==[c 1 ⇒ 12: expected ], found 1
            views ==[ 1 ⇒ 11: expected c, d, n or l, found 1
            views == 12abc ⇒ 12: expected a space or an operator behind 12, found abc
            views == 1e ⇒ 12: expected the digits of an exponent, found the end
            views == 0xZZ ⇒ 10: expected a number of base 16 that 64 bits can hold, found 0xZZ
            views == 1e999 ⇒ 10: expected a number that a Double can hold, found 1e999
            title == 'Zoo ⇒ 10: a quoted text has no closing quote
            title == "Zoo' ⇒ 10: a quoted text has no closing quote
            title == 'a\q' ⇒ 12: expected one of \n \t \r \0 \\ \' \" \% \x41 \u00e9, found \q
            title == 'a\u12' ⇒ 12: expected 4 hexadecimal digits of a character, found \
            title == 'a\ud800' ⇒ 12: expected both surrogates of a character, as in \ud83d\ude00, found \ud800 alone
            title == ~ ⇒ 11: expected a key path, a value or (, found the end
            日本 ? 1 ⇒ 4: expected a name, a value or an operator, found ?
            town. == 1 ⇒ 7: expected a property or a function like @count, found ==
            words[1 == 1 ⇒ 9: expected ], found ==
            words[x] == 1 ⇒ 7: expected an index, FIRST, LAST or SIZE, found x
            # == 1 ⇒ 2: expected a name behind #, found a space
            $ == 1 ⇒ 2: expected a name behind $, found a space
            views == %y ⇒ 10: expected %@, %K, %d, %f or %%, found %
            foo(1) == 1 ⇒ 1: the function foo is not supported
            SUBQUERY(words).@count == 1 ⇒ 15: expected ,, found )
            SUBQUERY(words, w, TRUEPREDICATE).@count == 1 ⇒ 17: expected a variable, as in $x, found w
            SUBQUERY(words, $w, views).@count == 1 ⇒ 26: expected a comparison, as in == YES or > 1, found )
            SUBQUERY(words, $w, TRUEPREDICATE) == 1 ⇒ 36: expected .@count behind the SUBQUERY, found ==
            SUBQUERY(words, $w, TRUEPREDICATE).@sum == 1 ⇒ 36: expected @count: the members of a SUBQUERY can only be counted, found @sum
            SUBQUERY(1, $w, TRUEPREDICATE).@count == 1 ⇒ 10: expected a relationship, found a value
            """#)
    }

    @Test func `an unknown key suggests the nearest`() throws {
        try FormatWorld().check(
            #"""
            titel == 'x' ⇒ 1: Shot has no property titel; did you mean title?
            view == 1 ⇒ 1: Shot has no property view; did you mean views?
            VIEWS == 1 ⇒ 1: Shot has no property VIEWS; did you mean views?
            zzz == 1 ⇒ 1: Shot has no property zzz; text stands in quotation marks
            town.nmae == 'x' ⇒ 6: Site has no property nmae; did you mean name?
            ANY words.txt == 'x' ⇒ 11: Word has no property txt; did you mean text?
            views == 1 AND isFavourite == YES ⇒ 16: Shot has no property isFavourite; did you mean isFavorite?
            SUBQUERY(words, $w, $w.weihgt > 1).@count > 0 ⇒ 24: Word has no property weihgt; did you mean weight?
            words.@sum.wight == 1 ⇒ 12: Word has no property wight; did you mean weight?
            """#)
    }

    @Test func `what the schema refutes is refused`() throws {
        try FormatWorld().check(
            #"""
            title == 3 ⇒ 7: text can never be == a number
            views == 'x' ⇒ 7: a number can never be == text
            views < 'x' ⇒ 7: a number can never be < text
            taken == 'x' ⇒ 7: a date can never be == text: give a Date for %@
            taken > 3 ⇒ 7: a date can never be > a number: give a Date for %@
            isFavorite == 'YES' ⇒ 12: a truth value can never be == text
            uuid == 'x' ⇒ 6: a UUID can never be == text: give a UUID for %@
            town == 'Paris' ⇒ 6: an object can never be == text: compare a property of it, or give an object for %@
            town == 3 ⇒ 6: an object can never be == a number: compare a property of it, or give an object for %@
            town < town ⇒ 6: an object can never be < an object
            town == SELF ⇒ 6: an object can never be == an object
            data > data ⇒ 6: data can never be > data
            data == 'x' ⇒ 6: data can never be == text: give Data for %@
            views CONTAINS '1' ⇒ 7: a number can never be CONTAINS text
            views BEGINSWITH 1 ⇒ 7: a number can never be BEGINSWITH text
            title LIKE 3 ⇒ 7: text can never be LIKE a number
            title MATCHES '(' ⇒ 15: "(" is not a regular expression
            title MATCHES '*' ⇒ 15: "*" is not a regular expression
            views IN 3 ⇒ 10: expected a list, found one value
            views IN {'x'} ⇒ 7: a number can never be IN text
            views BETWEEN {1} ⇒ 15: expected two bounds, found 1
            views BETWEEN {1, 2, 3} ⇒ 15: expected two bounds, found 3
            views BETWEEN 3 ⇒ 15: expected a list, found one value
            title + 1 == 2 ⇒ 1: expected a number, found text
            views + 'x' == 2 ⇒ 9: expected a number, found text
            -title == 2 ⇒ 2: expected a number, found text
            {1, 2} == views ⇒ 1: expected one value, or ANY, ALL or NONE before the list, found a list
            views == {1, 2} ⇒ 10: expected one value, or IN before the list, found a list
            title.name == 'x' ⇒ 7: Shot.title is not a relationship, so nothing can follow it
            views.@count == 1 ⇒ 7: views.@count is one value, and @count needs many
            title[0] == 'x' ⇒ 6: title[FIRST] is one value, and [FIRST] needs many
            town.@count == 1 ⇒ 6: town.@count is one value, and @count needs many
            @count == 1 ⇒ 1: @count is one value, and @count needs many
            words.text == 'night' ⇒ 7: words.text leads to many values: write ANY, ALL or NONE before it, or use @count or SUBQUERY
            words == nil ⇒ 1: words leads to many values: write ANY, ALL or NONE before it, or use @count or SUBQUERY
            views == words.weight ⇒ 16: words.weight leads to many values: write ANY, ALL or NONE before it, or use @count or SUBQUERY
            ANY views == 1 ⇒ 5: views is one value, and ANY needs many: leave ANY out
            ALL town.name == 'x' ⇒ 5: town.name is one value, and ALL needs many: leave ALL out
            NONE 3 == 3 ⇒ 6: this is one value, and NONE needs many: write NOT for it
            words.@sum == 1 ⇒ 7: expected a property behind @sum, found the end
            words.@sum.text == 1 ⇒ 7: expected numbers for @sum, found text
            words.@median.weight == 1 ⇒ 7: @median is not supported
            words.@count.text == 1 ⇒ 14: a count is one value, and text needs many
            SUBQUERY(town, $t, TRUEPREDICATE).@count == 1 ⇒ 1: town is one value, and SUBQUERY needs many
            SUBQUERY(title, $t, TRUEPREDICATE).@count == 1 ⇒ 10: title is one value, and SUBQUERY needs many
            title == $NAME ⇒ 10: $NAME has no value: substitute it with withSubstitutionVariables(_:)
            town.shots.words.@count == 1 ⇒ 12: town.shots.words.@count leads to many values: write ANY, ALL or NONE before it, or use @count or SUBQUERY
            """#)
    }

    @Test func `an object is compared itself, not its identifier`() throws {
        let world = try FormatWorld()
        #expect(
            world.answer("town.objectID == %@", [world.sites[0].objectID])
                == "6: Site has no property objectID; an object is compared itself, as in SELF == %@"
        )
    }

    @Test func `nesting has a bound`() throws {
        let world = try FormatWorld()
        for deep in [
            String(repeating: "(", count: 100_000), String(repeating: "NOT ", count: 100_000),
            "views == " + String(repeating: "-", count: 100_000) + "1",
            "views == 1" + String(repeating: " + 1", count: 100_000),
            "views == 1" + String(repeating: " & 1", count: 100_000),
            "views == " + String(repeating: "~", count: 100_000) + "1",
            "views == {1}" + String(repeating: "[0]", count: 100_000),
            "views IN " + String(repeating: "{", count: 100_000),
            "1 == 2" + String(repeating: " ** 2", count: 100_000),
            "place.photos" + String(repeating: "[0].place.photos", count: 10_000) + " != nil",
        ] {
            #expect(world.answer(deep, []).contains("levels of nesting"), "\(deep.prefix(20))")
        }
        let long = Array(repeating: "views == 10", count: 2_000).joined(separator: " OR ")
        #expect(world.answer(long, []) == "1")
    }

    @Test func `the message shows the format with a mark under the column`() {
        let error = #expect(throws: PredicateFormatError.self) {
            try PredicateFormat("views > > 3")
        }
        #expect(
            error?.description == """
                expected a key path, a value or (, found >, in column 9 of the predicate format
                  views > > 3
                          ^
                """)
        #expect(error?.localizedDescription == error?.description)
    }
}

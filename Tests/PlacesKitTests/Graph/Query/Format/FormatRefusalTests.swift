import Foundation
import PlacesKit
import Testing

/// What format strings refuse, with what to write instead, which says the same.
@Suite struct FormatRefusalTests {
    private let world: FormatWorld

    init() throws { world = try FormatWorld() }

    @Test func `a quantifier before NOT IN is told the one that says it`() {
        world.check(
            """
            ANY words.text NOT IN {'night'} ⇒ 16: expected NOT ALL … IN, found ANY … NOT IN
            SOME words.text NOT IN {'night'} ⇒ 17: expected NOT ALL … IN, found SOME … NOT IN
            ALL words.text NOT IN {'night'} ⇒ 16: expected NONE … IN, found ALL … NOT IN
            NONE words.text NOT IN {'night'} ⇒ 17: expected ALL … IN, found NONE … NOT IN
            """)
        // Those that have a word that is not in the list, none that is, and none that is not.
        world.check(
            """
            NOT ALL words.text IN {'night'} ⇒ 1 5 6
            NONE words.text IN {'night'} ⇒ 2 4 5
            ALL words.text IN {'night'} ⇒ 2 3 4
            """)
    }

    @Test func `NOT stands before a whole comparison, or before IN`() {
        world.check(
            """
            views NOT BETWEEN {1, 2} ⇒ 7: expected BETWEEN, with NOT before the whole comparison, found NOT BETWEEN
            title NOT LIKE 'x' ⇒ 7: expected LIKE, with NOT before the whole comparison, found NOT LIKE
            views NOT == 3 ⇒ 7: expected ==, with NOT before the whole comparison, found NOT ==
            views NOT 3 ⇒ 11: expected IN behind NOT, found 3
            views NOT NOT IN {3} ⇒ 11: expected IN behind NOT, found NOT
            """)
    }

    @Test func `a quantifier before one value is told what to write for it`() {
        world.check(
            """
            ANY views == 10 ⇒ 5: views is one value, and ANY needs many: leave ANY out
            SOME views == 10 ⇒ 6: views is one value, and SOME needs many: leave SOME out
            ALL views == 10 ⇒ 5: views is one value, and ALL needs many: leave ALL out
            NONE views == 10 ⇒ 6: views is one value, and NONE needs many: write NOT for it
            NOT views == 10 ⇒ 2 3 4 5 6
            ANY town == nil ⇒ 5: town is one value, and ANY needs many: leave ANY out
            SOME town.name == 'x' ⇒ 6: town.name is one value, and SOME needs many: leave SOME out
            SOME 3 == views ⇒ 6: this is one value, and SOME needs many: leave SOME out
            views.@count == 1 ⇒ 7: views.@count is one value, and @count needs many
            """)
    }

    @Test func `a variable is no key`() {
        world.check(
            """
            town.$KEY == 'x' ⇒ 6: expected %K, and the name of the property as an argument, found $KEY
            $KEY.$OTHER == 'x' ⇒ 6: expected %K, and the name of the property as an argument, found $OTHER
            """)
        #expect(world.answer("town.%K == 'Paris'", ["name"]) == "1 2")
    }

    @Test func `a keyword needs a space behind a number`() {
        world.check(
            """
            views == 10AND likes == 1 ⇒ 12: expected a space or an operator behind 10, found AND
            views == 1OR likes == 1 ⇒ 11: expected a space or an operator behind 1, found OR
            views == 1.5or likes == 1 ⇒ 13: expected a space or an operator behind 1.5, found or
            views IN{10}AND likes == 1 ⇒ 1
            views == 10&&likes == 1 ⇒ 1
            'Zoo'IN{title}OR views==10 ⇒ 1 4
            """)
    }

    @Test func `an escape stands for a character`() {
        world.check(
            #"""
            '\ud83d\ude00' == '😀' ⇒ 1 2 3 4 5 6
            'a\uD83D\uDE00b' == 'a😀b' ⇒ 1 2 3 4 5 6
            '\xe9' == 'é' ⇒ 1 2 3 4 5 6
            '\%' == '%' ⇒ 1 2 3 4 5 6
            title == '\ude00' ⇒ 11: expected both surrogates of a character, as in \ud83d\ude00, found \ude00 alone
            title == '\ude00\ud83d' ⇒ 11: expected both surrogates of a character, as in \ud83d\ude00, found \ude00 alone
            title == '\ud83d' ⇒ 11: expected both surrogates of a character, as in \ud83d\ude00, found \ud83d alone
            title == '\ud83dx' ⇒ 11: expected both surrogates of a character, as in \ud83d\ude00, found \ud83d alone
            title == '\ud83d\n' ⇒ 11: expected both surrogates of a character, as in \ud83d\ude00, found \ud83d alone
            title == '\ud83d\u0041' ⇒ 11: expected both surrogates of a character, as in \ud83d\ude00, found \ud83d alone
            title == '\ud83d\ud83d' ⇒ 11: expected both surrogates of a character, as in \ud83d\ude00, found \ud83d alone
            title == '\ud83d\u00' ⇒ 17: expected 4 hexadecimal digits of a character, found \
            title MATCHES '\w+' ⇒ 16: expected one of \n \t \r \0 \\ \' \" \% \x41 \u00e9, found \w
            title == '\'' ⇒
            """#)
    }
}

import Foundation
import PlacesKit
import Testing

/// Functions of one value in format strings, and the choice between two.
@Suite struct FormatFunctionTests {
    private let world: FormatWorld

    init() throws { world = try FormatWorld() }

    @Test func `text is written in capital or small letters`() {
        world.check(
            """
            uppercase(title) == 'CAFÉ' ⇒ 2
            lowercase(title) BEGINSWITH 'caf' ⇒ 2 3
            lowercase(town.name) == 'zürich' ⇒ 3 4
            uppercase(caption) == nil ⇒ 2
            uppercase(caption).length == 11 ⇒ 1
            UPPERCASE('straße') == 'STRASSE' ⇒ 1 2 3 4 5 6
            ANY {uppercase(title), title} == 'ZOO' ⇒ 4
            SUBQUERY(words, $w, uppercase($w.text) == 'SEA').@count == 1 ⇒ 5 6
            """)
    }

    @Test func `text and data have a length`() {
        world.check(
            """
            length(title) == 3 ⇒ 4
            length(caption) == nil ⇒ 2
            length(data) == 2 ⇒ 1
            length(uppercase(title)) == title.length ⇒ 1 2 3 4 5 6
            """)
    }

    @Test func `numbers lose their sign or their fraction`() {
        world.check(
            """
            abs(rating) == 2 ⇒ 5
            abs(rating) == nil ⇒ 3
            abs(views - 35) == 5 ⇒ 3 4
            floor(rating) == 4 ⇒ 1
            ceiling(rating) == 5 ⇒ 1
            trunc(-rating) == -4 ⇒ 1
            floor(-rating) == -5 ⇒ 1
            floor(views / 7) == 1 ⇒ 1
            floor(views / 7.0) == 1 ⇒ 1
            sqrt(likes) == 2 ⇒ 4
            sqrt(rating) == nil ⇒ 3 5
            sqrt(-1) == nil ⇒ 1 2 3 4 5 6
            abs(-9223372036854775808) == 9223372036854775808.0 ⇒ 1 2 3 4 5 6
            abs(nil) == nil ⇒ 1 2 3 4 5 6
            abs(words.@sum.weight) > 3 ⇒ 1
            """)
    }

    @Test func `a predicate chooses between two values`() {
        world.check(
            """
            TERNARY(isFavorite == YES, views, 0) > 25 ⇒ 3 6
            TERNARY(town == nil, 'nowhere', town.name) BEGINSWITH 'nowh' ⇒ 6
            TERNARY(likes == nil, 0, likes) < 2 ⇒ 1 2 5
            TERNARY(likes == nil, nil, 1.5) == 1.5 ⇒ 1 3 4 6
            ternary(TRUEPREDICATE, views, likes) == 20 ⇒ 2
            TERNARY(ANY words.text == 'sea', 1, 2) == 1 ⇒ 5 6
            TERNARY(views > 30 AND NOT isFavorite == YES, title, caption) == 'Zoo' ⇒ 4
            TERNARY(views < 15, YES, isFavorite) == YES ⇒ 1 3 6
            TERNARY(views > 15, TERNARY(views > 25, 1, 2), 3) == 2 ⇒ 2
            TERNARY(taken > now(), 1, 2) == 2 ⇒ 1 2 3 4 5 6
            """)
    }

    @Test func `a mistake says what the function takes`() {
        world.check(
            """
            uppercase(views) == 'A' ⇒ 11: expected text for uppercase(), found a number
            abs(title) == 1 ⇒ 5: expected a number for abs(), found text
            length(views) == 1 ⇒ 8: expected text or data for length(), found a number
            abs(words) == 1 ⇒ 5: words leads to many values: write ANY, ALL or NONE before it, or use @count or SUBQUERY
            abs() == 1 ⇒ 5: expected a key path, a value or (, found )
            abs(1, 2) == 1 ⇒ 6: expected ), found ,
            TERNARY(views, 1, 2) == 1 ⇒ 14: expected a comparison, as in == 1, found ,
            TERNARY(views > 1, 1, title) == 1 ⇒ 23: expected a number, as the other value, found text
            TERNARY(views > 1, 1) == 1 ⇒ 21: expected ,, found )
            """)
    }
}

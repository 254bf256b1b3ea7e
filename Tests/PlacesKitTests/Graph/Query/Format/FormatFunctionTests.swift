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

    @Test func `dates have parts in a time zone`() {
        world.check(
            """
            year(taken) == 2001 ⇒ 1 2 3 5 6
            year(taken, 'America/New_York') == 2000 ⇒ 1 2 3 5 6
            month(taken) == 1 AND day(taken) == 1 ⇒ 1 2 3 5 6
            month(taken, 'America/New_York') == 12 AND day(taken, 'America/New_York') == 31 ⇒ 1 2 3 5 6
            hour(taken) == 1 ⇒ 5 6
            hour(taken, 'Asia/Tokyo') == 10 ⇒ 5 6
            minute(taken) == 16 ⇒ 1
            second(taken) == 40 ⇒ 1
            weekday(taken) == 2 ⇒ 1 2 3 5 6
            year(taken, 'GMT', 'japanese') == 13 ⇒ 1 2 3 5 6
            year(taken, 'GMT', 'buddhist') == 2544 ⇒ 1 2 3 5 6
            month(taken, 'GMT', 'persian') == 10 AND day(taken, 'GMT', 'persian') == 12 ⇒ 1 2 3 5 6
            year(taken) == nil ⇒ 4
            year(nil) == nil ⇒ 1 2 3 4 5 6
            year(now()) > 2000 ⇒ 1 2 3 4 5 6
            SUBQUERY(town.shots, $s, hour($s.taken) == 1).@count == 1 ⇒ 5
            """)
    }

    @Test func `values are converted`() {
        world.check(
            """
            CAST(views, 'NSString') == '10' ⇒ 1
            CAST(isFavorite, 'NSNumber') == 1 ⇒ 1 3 6
            CAST(caption, 'NSNumber') == nil ⇒ 1 2 3 4 5 6
            CAST('12.5', 'NSNumber') == 12.5 ⇒ 1 2 3 4 5 6
            CAST(taken, 'NSNumber') > 4000 ⇒ 5 6
            CAST(views * 100, 'NSDate') == taken ⇒ 1 2 3 5 6
            CAST('2001-01-01T00:16:40Z', 'NSDate') == taken ⇒ 1
            CAST(taken, 'NSString') == '2001-01-01T00:16:40Z' ⇒ 1
            CAST(CAST(now(), 'NSNumber') - 60, 'NSDate') < now() ⇒ 1 2 3 4 5 6
            CAST(uuid, 'NSString') BEGINSWITH '01' ⇒ 1
            CAST('0.1', 'NSDecimalNumber') == CAST(0.1, 'NSDecimalNumber') ⇒ 1 2 3 4 5 6
            CAST(nil, 'NSString') == nil ⇒ 1 2 3 4 5 6
            """)
    }

    @Test func `text is converted as a whole or not at all`() {
        world.check(
            """
            CAST('12abc', 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5 6
            CAST('1,5', 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5 6
            CAST('1.2.3', 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5 6
            CAST('-', 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5 6
            CAST(' 12', 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5 6
            CAST(caption, 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5 6
            CAST('-1.5e2', 'NSDecimalNumber') == -150 ⇒ 1 2 3 4 5 6
            CAST('2001-01-01T00:16:40Zjunk', 'NSDate') == nil ⇒ 1 2 3 4 5 6
            CAST('2020-02-30T00:00:00Z', 'NSDate') == nil ⇒ 1 2 3 4 5 6
            CAST('2020-01-01T25:00:00Z', 'NSDate') == nil ⇒ 1 2 3 4 5 6
            CAST('2020-1-1T0:0:0Z', 'NSDate') == nil ⇒ 1 2 3 4 5 6
            CAST('T', 'NSDate') == nil ⇒ 1 2 3 4 5 6
            CAST('2001-01-01T01:16:40+01:00', 'NSDate') == taken ⇒ 1
            CAST(CAST(taken, 'NSString'), 'NSDate') == taken ⇒ 1 2 3 4 5 6
            """)
    }

    @Test func `a number becomes the decimal of its digits, if there is room for it`() {
        world.check(
            """
            CAST(19.99, 'NSDecimalNumber') == CAST('19.99', 'NSDecimalNumber') ⇒ 1 2 3 4 5 6
            CAST(rating * 1e300, 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5
            CAST(rating * 1e300, 'NSDecimalNumber') < 0 ⇒
            CAST(rating * 1e-300, 'NSDecimalNumber') == 0 ⇒ 1 2 4 5 6
            CAST('1e999', 'NSDecimalNumber') == nil ⇒ 1 2 3 4 5 6
            CAST('1e-999', 'NSDecimalNumber') == 0 ⇒ 1 2 3 4 5 6
            """)
    }

    @Test func `a date that is not a number has neither parts nor a text`() {
        let never = Date(timeIntervalSinceReferenceDate: .nan)
        #expect(
            world.answer("year(%@) == nil AND CAST(%@, 'NSString') == nil", [never, never])
                == "1 2 3 4 5 6")
    }

    @Test func `the values of all members are a union of objects`() {
        world.check(
            """
            'sea' IN words.@distinctUnionOfObjects.text ⇒ 5 6
            ANY words.@unionOfObjects.text == 'night' ⇒ 1 3 6
            """)
    }

    @Test func `what counts or adds up the values of a union is refused`() {
        world.check(
            """
            ANY words.@distinctUnionOfObjects.shots.@count == 2 ⇒ 41: @count behind @distinctUnionOfObjects is not supported
            ANY words.@unionOfObjects.shots.@count == 2 ⇒ 33: @count behind @unionOfObjects is not supported
            ANY words.@distinctUnionOfObjects.shots[SIZE] == 2 ⇒ 40: [SIZE] behind @distinctUnionOfObjects is not supported
            words.@distinctUnionOfObjects.@sum.weight == 2 ⇒ 31: @sum behind @distinctUnionOfObjects is not supported
            words.@sum.@distinctUnionOfObjects.weight == 2 ⇒ 12: @distinctUnionOfObjects behind @sum is not supported
            {1, 1, 2}.@distinctUnionOfObjects.SELF.@count == 2 ⇒ 40: @count behind @distinctUnionOfObjects is not supported
            """)
        #expect(
            world.answer("ANY %K.@count == 2", ["words.@distinctUnionOfObjects.shots"])
                == "8: @count behind @distinctUnionOfObjects is not supported")
        #expect(world.answer("'sea' IN %K", ["words.@distinctUnionOfObjects.text"]) == "5 6")
        // Only with its @ it is a union.
        #expect(
            world.answer("ANY %K == 'sea'", ["words.xunionOfObjects.text"])
                == "5: Word has no property xunionOfObjects")
    }

    @Test func `distances are of degrees`() {
        world.check(
            """
            distance(rating, rating, 0, 0) < 300 ⇒ 4 6
            distance(rating, rating, 0, 0) > 1e300 ⇒ 3
            distance(4.5, rating, 4.5, 4.5) == 0 ⇒ 1
            """)
    }

    @Test func `what is no argument of a function is told`() {
        for (format, text) in [
            ("year(title) == 1", "a date for year()"),
            ("year(taken, 'Europe/Pariss') == 1", "Europe/Paris"),
            ("year(taken, 3) == 1", "the name of a time zone in quotes"),
            ("year(taken, 'GMT', 'japanes') == 1", "'japanese'"),
            ("year(taken, 'GMT', 'GMT', 'GMT') == 1", ")"),
            ("CAST(views, 'Number') == 1", "'NSNumber'"),
            ("CAST(data, 'NSNumber') == 1", "text, a number or a date for cast()"),
            ("CAST(views) == 1", "another argument of cast()"),
            ("distance(rating, 1, 2) < 1", "rating"),
            ("distance(title, rating, 1, 2) < 1", "degrees for distance()"),
            ("distance(rating, rating, views, 2) < 1", "a number of degrees"),
            ("abs(views, 2) == 1", ")"),
        ] {
            let error = #expect(throws: PredicateFormatError.self) {
                try FetchRequest<Shot>(where: format)
            }
            #expect(
                error?.description.contains(text) == true, "\(format): \(String(describing: error))"
            )
        }
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
            TERNARY(views, 1, 2) == 1 ⇒ 14: expected a comparison, as in == YES or > 1, found ,
            TERNARY(views > 1, 1, title) == 1 ⇒ 23: expected a number, as the other value, found text
            TERNARY(views > 1, 1) == 1 ⇒ 21: expected ,, found )
            """)
    }
}

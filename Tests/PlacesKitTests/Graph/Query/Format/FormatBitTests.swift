import Foundation
import PlacesKit
import Testing

/// Operators on the bits of whole numbers in format strings.
@Suite struct FormatBitTests {
    @Test func `bits are joined, turned over and shifted`() throws {
        try FormatWorld().check(
            """
            (views & 4) == 4 ⇒ 2 3 6
            views & 4 != 0 ⇒ 2 3 6
            0 != views&4 ⇒ 2 3 6
            views & 2 == 2 ⇒ 1 3 5
            views | 1 == 11 ⇒ 1
            views ^ 10 == 0 ⇒ 1
            ~views == -11 ⇒ 1
            ~~views == 10 ⇒ 1
            views & ~8 == 2 ⇒ 1
            views & -views == 4 ⇒ 2 6
            views << 1 == 20 ⇒ 1
            views >> 1 == 5 ⇒ 1
            1 << 3 == 8 ⇒ 1 2 3 4 5 6
            1 << 63 < 0 ⇒ 1 2 3 4 5 6
            -1 >> 1 == -1 ⇒ 1 2 3 4 5 6
            3 << 63 == 1 << 63 ⇒ 1 2 3 4 5 6
            words.@count & 1 == 1 ⇒ 3 5
            title.length & 1 == 1 ⇒ 4
            views IN {8 | 2, 30} ⇒ 1 3
            views BETWEEN {1 << 3, 1 << 4} ⇒ 1
            {views & 4, 1}[FIRST] == 4 ⇒ 2 3 6
            SUBQUERY(words, $w, $w.shots.@count & 1 == 1).@count == 1 ⇒ 3 6
            """)
    }

    @Test func `masks of all 64 bits are written in any base`() throws {
        try FormatWorld().check(
            """
            0xFFFFFFFFFFFFFFFF == 18446744073709551615 ⇒ 1 2 3 4 5 6
            0x8000000000000000 == 9223372036854775808 ⇒ 1 2 3 4 5 6
            0o1777777777777777777777 == 0xFFFFFFFFFFFFFFFF ⇒ 1 2 3 4 5 6
            0x7FFFFFFFFFFFFFFF == 9223372036854775807 ⇒ 1 2 3 4 5 6
            views == 0xA ⇒ 1
            """)
    }

    @Test func `what has no bits has no value`() throws {
        try FormatWorld().check(
            """
            likes & 1 == nil ⇒ 2 5
            nil & 1 == nil ⇒ 1 2 3 4 5 6
            1 << 64 == nil ⇒ 1 2 3 4 5 6
            1 << -1 == nil ⇒ 1 2 3 4 5 6
            1 >> number - 3 == nil ⇒ 3: expected parentheses that say what >> joins, found >>
            1 << (number - 3) == nil ⇒ 1 2
            (views * 9223372036854775807) & 1 == nil ⇒ 1 2 3 4 5 6
            views & 4.0 == 4 ⇒ 9: expected a whole number, found a number that may have a fraction
            rating & 1 == 1 ⇒ 1: expected a whole number, found a number that may have a fraction
            title & 1 == 1 ⇒ 1: expected a whole number, found text
            ~title == 1 ⇒ 2: expected a whole number, found text
            views & YES == 1 ⇒ 9: expected a whole number, found a truth value
            """)
    }

    @Test func `parentheses say what an operator on bits joins`() throws {
        try FormatWorld().check(
            """
            views & 6 & 4 == 4 ⇒ 2 3 6
            1 << 1 << 1 == 4 ⇒ 1 2 3 4 5 6
            views & (1 + 3) == 4 ⇒ 2 3 6
            (views & 4) + 1 == 5 ⇒ 2 3 6
            (views & 4) | 1 == 5 ⇒ 2 3 6
            views & 2 ** 2 == 4 ⇒ 2 3 6
            views & 4 + 1 == 5 ⇒ 7: expected parentheses that say what & joins, found &
            views + 1 & 4 == 4 ⇒ 11: expected parentheses that say what & joins, found &
            views & 4 | 1 == 5 ⇒ 11: expected parentheses that say what | joins, found |
            views * 2 << 1 == 40 ⇒ 11: expected parentheses that say what << joins, found <<
            views & ⇒ 8: expected a key path, a value or (, found the end
            (views == 10) & (views == 20) ⇒ 15: expected AND, OR or the end, found &
            """)
    }
}

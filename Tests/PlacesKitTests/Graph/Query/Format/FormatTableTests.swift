import Foundation
import PlacesKit
import Testing

/// What format strings without arguments answer in `FormatWorld`: the numbers of the shots.
@Suite struct FormatTableTests {
    @Test func `numbers compare`() throws {
        try FormatWorld().check(
            #"""
            views == 30 ⇒ 3
            views = 30 ⇒ 3
            30 == views ⇒ 3
            views != 30 ⇒ 1 2 4 5 6
            views <> 30 ⇒ 1 2 4 5 6
            views < 30 ⇒ 1 2
            views <= 30 ⇒ 1 2 3
            views =< 30 ⇒ 1 2 3
            views > 30 ⇒ 4 5 6
            views >= 30 ⇒ 3 4 5 6
            views => 30 ⇒ 3 4 5 6
            30 < views ⇒ 4 5 6
            views == 30.0 ⇒ 3
            views == 30.5 ⇒
            views != 30.5 ⇒ 1 2 3 4 5 6
            views < 30.5 ⇒ 1 2 3
            views > 29.5 ⇒ 3 4 5 6
            views <= 30.5 ⇒ 1 2 3
            views >= 29.5 ⇒ 3 4 5 6
            views == 3e1 ⇒ 3
            views == 0x1E ⇒ 3
            views == 0b11110 ⇒ 3
            views == 0o36 ⇒ 3
            views < 1e300 ⇒ 1 2 3 4 5 6
            views > 1e300 ⇒
            views > -1e300 ⇒ 1 2 3 4 5 6
            views >= 1e300 ⇒
            views <= -1e300 ⇒
            views == 1e300 ⇒
            views == -30 ⇒
            views > -30 ⇒ 1 2 3 4 5 6
            views == --30 ⇒ 3
            rating == 3 ⇒ 2
            rating > 1 ⇒ 1 2 4
            rating < 0 ⇒ 5
            rating == 4.5 ⇒ 1
            rating >= -2 ⇒ 1 2 4 5 6
            rating == -0.0 ⇒ 6
            rating = .5 ⇒ 10: expected a key path, a value or (, found .
            views > rating ⇒ 1 2 4 5 6
            likes < rating ⇒ 1
            rating > likes ⇒ 1
            views == views ⇒ 1 2 3 4 5 6
            likes == likes ⇒ 1 2 3 4 5 6
            1 == 1 ⇒ 1 2 3 4 5 6
            1 > 2 ⇒
            2 > 1.5 ⇒ 1 2 3 4 5 6
            9007199254740993 == 9007199254740992.0 ⇒
            9007199254740993 > 9007199254740992.0 ⇒ 1 2 3 4 5 6
            """#)
    }

    @Test func `a missing value equals only a missing value`() throws {
        try FormatWorld().check(
            #"""
            likes == nil ⇒ 2 5
            likes == NULL ⇒ 2 5
            likes == NIL ⇒ 2 5
            nil == likes ⇒ 2 5
            likes != nil ⇒ 1 3 4 6
            likes <> null ⇒ 1 3 4 6
            likes == 1 ⇒ 1
            likes != 1 ⇒ 2 3 4 5 6
            likes > 1 ⇒ 3 4 6
            likes < 100 ⇒ 1 3 4 6
            NOT likes < 100 ⇒ 2 5
            likes < nil ⇒
            likes > nil ⇒
            likes <= nil ⇒ 2 5
            likes >= nil ⇒ 2 5
            nil <= likes ⇒ 2 5
            NOT likes <= nil ⇒ 1 3 4 6
            likes <= likes ⇒ 1 2 3 4 5 6
            likes < likes ⇒
            likes <= rating ⇒ 1
            likes >= 3 ⇒ 3 4 6
            views <= nil ⇒
            caption >= nil ⇒ 2
            caption <=[c] nil ⇒ 2
            town.name <= nil ⇒ 6
            town.city.name >= nil ⇒ 1 2 3 4 6
            words.@max.weight <= nil ⇒ 2 4
            words[0].weight >= words[1].weight ⇒ 2 4 6
            likes BETWEEN {nil, nil} ⇒ 2 5
            likes BETWEEN {nil, 3} ⇒
            nil == nil ⇒ 1 2 3 4 5 6
            nil <= nil ⇒ 1 2 3 4 5 6
            nil >= nil ⇒ 1 2 3 4 5 6
            nil < nil ⇒
            nil > nil ⇒
            nil < 1 ⇒
            nil <= 1 ⇒
            caption == nil ⇒ 2
            caption != nil ⇒ 1 3 4 5 6
            caption == '' ⇒ 3
            title == nil ⇒
            town == nil ⇒ 6
            town != nil ⇒ 1 2 3 4 5
            town.name == nil ⇒ 6
            town.name != nil ⇒ 1 2 3 4 5
            town.city == nil ⇒ 1 2 3 4 6
            town.city.name == nil ⇒ 1 2 3 4 6
            taken == nil ⇒ 4
            data == nil ⇒ 2 3 4 5 6
            data != nil ⇒ 1
            likes + 1 == nil ⇒ 2 5
            views / 0 == nil ⇒ 1 2 3 4 5 6
            views / (views - 10) == nil ⇒ 1
            -likes == nil ⇒ 2 5
            town.shots.@count == nil ⇒ 6
            """#)
    }

    @Test func `logic combines`() throws {
        try FormatWorld().check(
            #"""
            TRUEPREDICATE ⇒ 1 2 3 4 5 6
            FALSEPREDICATE ⇒
            truepredicate ⇒ 1 2 3 4 5 6
            NOT TRUEPREDICATE ⇒
            !FALSEPREDICATE ⇒ 1 2 3 4 5 6
            NOT NOT TRUEPREDICATE ⇒ 1 2 3 4 5 6
            views > 20 AND views < 50 ⇒ 3 4
            views > 20 && views < 50 ⇒ 3 4
            views < 20 OR views > 50 ⇒ 1 6
            views < 20 || views > 50 ⇒ 1 6
            views < 20 or views > 50 ⇒ 1 6
            NOT views > 20 ⇒ 1 2
            !(views > 20) ⇒ 1 2
            not views > 20 and views > 10 ⇒ 2
            NOT (views > 20 AND views > 10) ⇒ 1 2
            views == 10 OR views == 20 AND isFavorite == NO ⇒ 1 2
            (views == 10 OR views == 20) AND isFavorite == NO ⇒ 2
            isFavorite == YES AND views > 10 OR title == 'Zoo' ⇒ 3 4 6
            ((((views == 10)))) ⇒ 1
            (views) == (10) ⇒ 1
            ((views + 1)) == (11) ⇒ 1
            views == 10 AND TRUEPREDICATE ⇒ 1
            views == 10 OR TRUEPREDICATE ⇒ 1 2 3 4 5 6
            views == 10 OR views == 20 OR views == 30 ⇒ 1 2 3
              views==10   ⇒ 1
            """#)
    }

    @Test func `truth values are words or 1 and 0`() throws {
        try FormatWorld().check(
            #"""
            isFavorite == YES ⇒ 1 3 6
            isFavorite == TRUE ⇒ 1 3 6
            isFavorite == true ⇒ 1 3 6
            isFavorite == NO ⇒ 2 4 5
            isFavorite == FALSE ⇒ 2 4 5
            isFavorite == 1 ⇒ 1 3 6
            isFavorite == 0 ⇒ 2 4 5
            isFavorite != 0 ⇒ 1 3 6
            YES == isFavorite ⇒ 1 3 6
            isFavorite != nil ⇒ 1 2 3 4 5 6
            isFavorite > NO ⇒ 1 3 6
            isFavorite IN {YES} ⇒ 1 3 6
            isFavorite IN {0, 1} ⇒ 1 2 3 4 5 6
            YES == YES ⇒ 1 2 3 4 5 6
            YES == 1 ⇒ 1 2 3 4 5 6
            2 == YES ⇒
            isFavorite == 2 ⇒
            isFavorite != 2 ⇒ 1 2 3 4 5 6
            isFavorite < 2 ⇒ 1 2 3 4 5 6
            isFavorite == 0.0 ⇒ 2 4 5
            isFavorite == likes ⇒ 1
            isFavorite IN {1, 2} ⇒ 1 3 6
            likes == YES ⇒ 1
            likes != YES ⇒ 2 3 4 5 6
            likes > YES ⇒ 3 4 6
            YES < likes ⇒ 3 4 6
            likes IN {YES, 3} ⇒ 1 3
            views BETWEEN {NO, 20} ⇒ 1 2
            rating == NO ⇒ 6
            words.@count == YES ⇒ 3 5
            """#)
    }

    @Test func `arithmetic follows precedence`() throws {
        try FormatWorld().check(
            #"""
            views + 10 == 20 ⇒ 1
            views - 10 == 0 ⇒ 1
            views * 2 == 20 ⇒ 1
            views / 10 == 3 ⇒ 3
            views + 2 * 10 == 30 ⇒ 1
            (views + 2) * 10 == 120 ⇒ 1
            views - 5 - 5 == 0 ⇒ 1
            100 / 10 / 2 == views ⇒
            100 / 10 / 1 == views ⇒ 1
            views ** 2 == 100 ⇒ 1
            2 ** 3 ** 2 == 512 ⇒ 1 2 3 4 5 6
            -2 ** 2 == -4 ⇒ 1 2 3 4 5 6
            (-2) ** 2 == 4 ⇒ 1 2 3 4 5 6
            -views == -10 ⇒ 1
            views == 7 / 2 * 10 ⇒ 3
            rating * 2 == 9 ⇒ 1
            rating + views == 14.5 ⇒ 1
            views == rating * 10 + 10 ⇒
            views == rating * 10 + 60 ⇒ 6
            views + likes == 11 ⇒ 1
            views + likes > 0 ⇒ 1 3 4 6
            9223372036854775807 + 1 > 9223372036854775807 ⇒ 1 2 3 4 5 6
            9223372036854775807 * 2 > 0 ⇒ 1 2 3 4 5 6
            2 ** 100 > 0 ⇒ 1 2 3 4 5 6
            2 ** -1 == 0.5 ⇒ 1 2 3 4 5 6
            1 / 0 == nil ⇒ 1 2 3 4 5 6
            views - 10 / 10 == 9 ⇒ 1
            10 == views ⇒ 1
            -(views + 1) == -11 ⇒ 1
            likes ** 2 == 9 ⇒ 3
            0 ** 0 == 1 ⇒ 1 2 3 4 5 6
            """#)
    }

    @Test func `text compares by characters`() throws {
        try FormatWorld().check(
            #"""
            title == 'Zoo' ⇒ 4
            title == "Zoo" ⇒ 4
            title != 'Zoo' ⇒ 1 2 3 5 6
            title == 'zoo' ⇒
            title ==[c] 'zoo' ⇒ 4
            title ==[c] 'ZOO' ⇒ 4
            title = [c] 'zoo' ⇒ 4
            title !=[c] 'zoo' ⇒ 1 2 3 5 6
            title == '' ⇒ 6
            title ==[cd] 'CAFE' ⇒ 2 3
            title ==[d] 'Cafe' ⇒ 2
            title ==[c] 'café' ⇒ 2
            title ==[n] 'Zoo' ⇒ 4
            title ==[l] 'Zoo' ⇒ 4
            title == 'Cafe\u0301' ⇒ 2
            title == 'Caf\u00e9' ⇒ 2
            title == '\x5aoo' ⇒ 4
            title < 'F' ⇒ 1 2 6
            title <[c] 'f' ⇒ 1 2 3 6
            title > 'Z' ⇒ 3 4 5
            title >= 'Zoo' ⇒ 3 4 5
            title <= '' ⇒ 6
            caption > 'a' ⇒ 4 6
            caption == 'a*b' ⇒ 4
            caption == 'it\'s "x"' ⇒ 6
            caption == "it's \"x\"" ⇒ 6
            caption == '100%' ⇒ 5
            title == '日本' ⇒ 5
            title == title ⇒ 1 2 3 4 5 6
            title ==[cd] town.name ⇒
            town.name == 'Paris' ⇒ 1 2
            town.name !=[c] 'paris' ⇒ 3 4 5 6
            caption !=[c] 'x' ⇒ 1 2 3 4 5 6
            'Zoo' == title ⇒ 4
            """#)
    }

    @Test func `text is searched`() throws {
        try FormatWorld().check(
            #"""
            title BEGINSWITH 'Ei' ⇒ 1
            title beginswith 'ei' ⇒
            title BEGINSWITH[c] 'ei' ⇒ 1
            title BEGINSWITH[cd] 'CAFÉ' ⇒ 2 3
            title BEGINSWITH[d] 'Cafe' ⇒ 2
            title BEGINSWITH '日' ⇒ 5
            title ENDSWITH 'o' ⇒ 4
            title ENDSWITH[c] 'OO' ⇒ 4
            title ENDSWITH 'fe' ⇒ 3
            title ENDSWITH[d] 'fe' ⇒ 2 3
            title ENDSWITH '本' ⇒ 5
            title CONTAINS 'if' ⇒ 1
            title CONTAINS[c] 'IF' ⇒ 1
            title CONTAINS 'é' ⇒ 2
            title CONTAINS 'e' ⇒ 1 3
            title CONTAINS[d] 'e' ⇒ 1 2 3
            title CONTAINS [cd] 'AFE' ⇒ 2 3
            title CONTAINS '' ⇒
            title BEGINSWITH '' ⇒
            title ENDSWITH '' ⇒
            title LIKE '' ⇒ 6
            title MATCHES '' ⇒ 6
            caption CONTAINS 'de' ⇒ 1
            NOT caption CONTAINS 'de' ⇒ 2 3 4 5 6
            caption CONTAINS nil ⇒
            nil CONTAINS 'x' ⇒
            'Zoo' CONTAINS 'oo' ⇒ 1 2 3 4 5 6
            'Zoological' BEGINSWITH title ⇒ 4
            'Zoological' CONTAINS title ⇒ 4
            town.name CONTAINS 'a' ⇒ 1 2 5
            town.name BEGINSWITH[cd] 'zur' ⇒ 3 4
            town.name CONTAINS title ⇒
            title LIKE 'Z*' ⇒ 4
            title LIKE 'Z?o' ⇒ 4
            title LIKE '?' ⇒
            title LIKE '??' ⇒ 5
            title LIKE '*' ⇒ 1 2 3 4 5 6
            title LIKE '*f*' ⇒ 1 2 3
            title LIKE[c] 'z*' ⇒ 4
            title LIKE[cd] 'caf?' ⇒ 2 3
            title LIKE 'Caf?' ⇒ 2
            title LIKE '*e' ⇒ 3
            caption LIKE 'a\\*b' ⇒ 4
            caption LIKE 'a*b' ⇒ 4
            caption LIKE '*' ⇒ 1 3 4 5 6
            caption LIKE nil ⇒ 14: expected a pattern, or == nil for what has no value, found nil
            caption MATCHES NULL ⇒ 17: expected a pattern, or == nil for what has no value, found nil
            title LIKE caption ⇒
            title LIKE 'E*f*l' ⇒ 1
            title LIKE 'E*l*f' ⇒
            title LIKE 'Eiffel' ⇒ 1
            title MATCHES 'Z.o' ⇒ 4
            title MATCHES 'Z' ⇒
            title MATCHES '[CE].*' ⇒ 1 2
            title MATCHES[c] '[ce].*' ⇒ 1 2 3
            title MATCHES '.{2}' ⇒ 5
            title MATCHES[c] '\\D+' ⇒ 1 2 3 4 5
            title MATCHES[c] '\\d+' ⇒
            title MATCHES[c] '\\S{3}' ⇒ 4
            title MATCHES[c] '\\W+' ⇒
            title MATCHES[c] '\\p{Lu}OO' ⇒ 4
            title MATCHES[c] '\\AzOO\\Z' ⇒ 4
            title MATCHES[c] '\\Qzoo\\E' ⇒ 4
            title MATCHES[c] 'caf\\u00C9' ⇒ 2
            title MATCHES[d] 'Café' ⇒ 2
            title MATCHES[d] '\\Dafé' ⇒ 2 3
            title MATCHES[cd] 'CAFÉ' ⇒ 2 3
            title MATCHES[cd] '\\Daf\\S' ⇒ 2 3
            title MATCHES '(?i)zoo' ⇒ 4
            title MATCHES 'a|Zoo|b' ⇒ 4
            title MATCHES 'Zo|Zoo' ⇒ 4
            title MATCHES '(?x) Zo | Z oo # or all of it' ⇒ 4
            title MATCHES '(?x) Zo # (\\Q' ⇒
            title MATCHES '\\QZoo' ⇒ 4
            title MATCHES[c] 'z\\Qoo' ⇒ 4
            title MATCHES '\\QZoo)' ⇒
            title MATCHES '\\QZoo\\' ⇒
            caption MATCHES '\\d+%' ⇒ 5
            caption MATCHES '.*' ⇒ 1 3 4 5 6
            title MATCHES title ⇒ 1 2 3 4 5 6
            'oo' IN title ⇒ 4
            'OO' IN[c] title ⇒ 4
            title IN 'a Zoo b' ⇒ 4
            '' IN title ⇒
            """#)
    }

    @Test func `lists and bounds`() throws {
        try FormatWorld().check(
            #"""
            views IN {10, 30} ⇒ 1 3
            views IN {} ⇒
            views IN {10} ⇒ 1
            views IN {10, 10.0, 99} ⇒ 1
            NOT views IN {10, 30} ⇒ 2 4 5 6
            views NOT IN {10, 30} ⇒ 2 4 5 6
            views not in {10, 30} AND views < 50 ⇒ 2 4
            NOT views NOT IN {10, 30} ⇒ 1 3
            likes NOT IN {1} ⇒ 2 3 4 5 6
            title NOT IN[c] {'ZOO'} ⇒ 1 2 3 5 6
            'oo' NOT IN title ⇒ 1 2 3 5 6
            'night' NOT IN words.text ⇒ 2 4 5
            likes IN {nil, 1} ⇒ 1 2 5
            likes IN {1, 3} ⇒ 1 3
            title IN {'Zoo', 'cafe'} ⇒ 3 4
            title IN[c] {'ZOO'} ⇒ 4
            title IN[cd] {'cafe'} ⇒ 2 3
            views IN {likes * 10} ⇒ 1 3 4 6
            views IN {#between * 10, 0} ⇒ 1 2 3 4 5 6
            30 IN {views, 99} ⇒ 3
            1 IN {1, 2} ⇒ 1 2 3 4 5 6
            town.name IN {'Paris', 'Rome'} ⇒ 1 2
            {10, 20} CONTAINS views ⇒ 1 2
            {'Zoo'} CONTAINS title ⇒ 4
            views BETWEEN {20, 40} ⇒ 2 3 4
            views between {20, 40} ⇒ 2 3 4
            views BETWEEN {40, 20} ⇒
            views BETWEEN {19.5, 20.5} ⇒ 2
            views BETWEEN {views, 30} ⇒ 1 2 3
            likes BETWEEN {0, 100} ⇒ 1 3 4 6
            title BETWEEN {'A', 'F'} ⇒ 1 2
            rating BETWEEN {-2, 0} ⇒ 5 6
            views BETWEEN {nil, 30} ⇒
            NOT views BETWEEN {20, 40} ⇒ 1 5 6
            mood IN {'wild'} ⇒ 2 5
            mood == 'odd' ⇒ 3 6
            mood BEGINSWITH 'c' ⇒ 1 4
            """#)
    }

    @Test func `key paths follow relationships`() throws {
        try FormatWorld().check(
            #"""
            town.name == 'Zürich' ⇒ 3 4
            town.size > 100000 ⇒ 1 2 3 4
            town.city.name == 'Paris' ⇒ 5
            town.city.size == 2000000 ⇒ 5
            SELF.title == 'Zoo' ⇒ 4
            self.town.name == 'Paris' ⇒ 1 2
            town.shots.@count == 2 ⇒ 1 2 3 4
            town.suburbs.@count == 1 ⇒ 1 2
            words.@count == 0 ⇒ 2 4
            words.@count > 1 ⇒ 1 6
            words[SIZE] == 2 ⇒ 1 6
            town.city.shots.@count == 2 ⇒ 5
            #between == 3 ⇒ 3
            SELF.#between == 3 ⇒ 3
            #title == 'Zoo' ⇒ 4
            town == town.shots[0].town ⇒ 1 2 3 4 5 6
            town.shots[FIRST].title == 'Eiffel' ⇒ 1 2
            town.shots[LAST].title == 'Zoo' ⇒ 3 4
            town.shots[1].number == number ⇒ 2 4
            words[0].text == 'night' ⇒ 1 3 6
            words[5].text == 'night' ⇒
            words[5].text == nil ⇒ 1 2 3 4 5 6
            SELF == SELF ⇒ 1 2 3 4 5 6
            town.city == nil ⇒ 1 2 3 4 6
            """#)
    }

    @Test func `quantifiers ask many values`() throws {
        try FormatWorld().check(
            #"""
            ANY words.text == 'night' ⇒ 1 3 6
            SOME words.text == 'night' ⇒ 1 3 6
            any words.text == 'sea' ⇒ 5 6
            ALL words.text == 'night' ⇒ 2 3 4
            NONE words.text == 'night' ⇒ 2 4 5
            ANY words.weight > 1.75 ⇒ 1
            ALL words.weight > 1 ⇒ 1 2 3 4
            NONE words.weight < 1 ⇒ 1 2 3 4
            NOT ANY words.text == 'night' ⇒ 2 4 5
            ANY words.text BEGINSWITH[c] 'N' ⇒ 1 3 6
            ANY words.text IN {'tower', 'sea'} ⇒ 1 5 6
            ANY words.text LIKE 't*' ⇒ 1
            ANY words.weight BETWEEN {1.6, 3} ⇒ 1
            ANY words.text != 'night' ⇒ 1 5 6
            ALL words.text != 'night' ⇒ 2 4 5
            ANY words.text == nil ⇒
            ANY town.shots.title == 'Zoo' ⇒ 3 4
            ANY town.shots.number == number ⇒ 1 2 3 4 5
            ANY town.shots.views > views ⇒ 1 3
            ALL town.shots.views >= views ⇒ 1 3 5 6
            ANY words.shots.number == 5 ⇒ 5 6
            ANY words.shots.number == number ⇒ 1 3 5 6
            ANY words.shots.town.name == 'Paris' ⇒ 1 3 6
            ANY town.suburbs.shots.title == '日本' ⇒ 1 2
            ANY words.text == title ⇒
            words.text CONTAINS 'night' ⇒ 1 3 6
            'night' IN words.text ⇒ 1 3 6
            town IN town.city.suburbs ⇒ 5
            NONE town.shots.views > 20 ⇒ 1 2 6
            ANY words.text == 'night' AND views > 10 ⇒ 3 6
            """#)
    }

    @Test func `functions and subqueries of many values`() throws {
        try FormatWorld().check(
            #"""
            words.@sum.weight == 3.5 ⇒ 1
            words.@sum.weight == 0 ⇒ 2 4
            words.@avg.weight == 1.75 ⇒ 1
            words.@avg.weight == nil ⇒ 2 4
            words.@min.weight < 1 ⇒ 5 6
            words.@max.weight == 1.5 ⇒ 3 6
            words.@max.weight == nil ⇒ 2 4
            words.@max.text == 'tower' ⇒ 1
            town.shots.@sum.views == 30 ⇒ 1 2
            town.shots.@max.views == views ⇒ 2 4 5
            town.shots.@min.taken == taken ⇒ 1 3 5
            town.shots.@avg.likes == 1 ⇒ 1 2
            town.shots.@sum.likes == 7 ⇒ 3 4
            words.@sum.weight * 2 == 7 ⇒ 1
            words.@count + 1 == 3 ⇒ 1 6
            SUBQUERY(words, $w, $w.weight > 1).@count == 2 ⇒ 1
            SUBQUERY(words, $w, $w.weight > 1).@count > 0 ⇒ 1 3 6
            subquery(words, $w, $w.text == 'sea')[SIZE] == 1 ⇒ 5 6
            SUBQUERY(town.shots, $s, $s.views < views).@count == 1 ⇒ 2 4
            SUBQUERY(town.shots, $s, $s.views == SELF.views).@count == 1 ⇒ 1 2 3 4 5
            SUBQUERY(words, $w, SUBQUERY($w.shots, $s, $s.views > views).@count > 0).@count > 0 ⇒ 1 3 5
            SUBQUERY(words, $w, ANY $w.shots.isFavorite == NO).@count > 0 ⇒ 5 6
            SUBQUERY(words, $w, $w.shots.@count > 2).@count > 0 ⇒ 1 3 6
            SUBQUERY(words, $w, ANY town.shots.title == 'Café').@count > 0 ⇒ 1
            SUBQUERY(town.shots, $s, SUBQUERY(words, $w, $w.text == 'night' AND $s.number == number).@count > 0).@count > 0 ⇒ 1 3
            SUBQUERY(words, $w, TRUEPREDICATE).@count == words.@count ⇒ 1 2 3 4 5 6
            """#)
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

/// Searches that are saved.
@Suite struct FormatCodingTests {
    private func copy(_ format: PredicateFormat) throws -> PredicateFormat {
        try JSONDecoder().decode(PredicateFormat.self, from: JSONEncoder().encode(format))
    }

    @Test func `a format is saved with its arguments and variables`() throws {
        let object = ManagedObjectContext(try TownModel.store()).citizen("a")
        let arguments: [Any?] = [
            "é", 7, -0.5, Double.infinity, 0.1, Date(timeIntervalSinceReferenceDate: 0.1), UUID(),
            Data([1, 255]), Decimal(string: "0.1"), UInt64.max, true, nil, object, [1, nil, "x"],
        ]
        let places = (0..<arguments.count - 1).map { _ in "SELF == %@" } + ["SELF IN %@"]
        let format = try PredicateFormat(places.joined(separator: " OR "), arguments: arguments)
            .withSubstitutionVariables(["NAME": "Paris", "LIST": [1, 2]])
        #expect(try copy(format) == format)
        #expect(try copy(format).hashValue == format.hashValue)
        let other = try format.withSubstitutionVariables(["NAME": "Rome"])
        #expect(try copy(other) != format)
        #expect(try PredicateFormat("age == %d", 1) != PredicateFormat("age == %d", 2))
    }

    @Test func `a printed format has its arguments in their places, and parses to the same`() throws
    {
        let object = ManagedObjectContext(try TownModel.store()).citizen("a")
        let format = try PredicateFormat(
            "%K IN %@ OR #between > -1 AND SUBQUERY(wards, $w, $w.age == $AGE).@count > $w",
            "guardian.between", ["it's\n", -2, nil, 0.5, true, object] as [Any?]
        ).withSubstitutionVariables(["AGE": -7, "w": 3])
        #expect(
            format.description == """
                guardian.#between IN {'it\\'s\\n', (-2), nil, 0.5, YES, \
                CAST('\(object.objectID)', 'NSManagedObjectID')} OR #between > -1 AND \
                SUBQUERY(wards, $w, $w.age == (-7)).@count > 3
                """)
        let values: [Any?] = [
            "é\u{301}\"", Int.min, -0.0, Double.infinity, 0.1, Double.nan,
            Date(timeIntervalSinceReferenceDate: 0.1), UUID(), Data([1, 255]),
            Decimal(string: "0.1"), UInt64.max, true, nil, object,
        ]
        for value in values {
            let printed = try PredicateFormat("{%@, 1} == {%@, 1}", value, value).description
            let again = try PredicateFormat(printed)
            #expect(again.description == printed)
            #expect(try FetchRequest<Citizen>(where: again).limit == nil)
        }
    }

    @Test
    func `a printed argument stays apart from the words to which its placeholder is attached`()
        throws
    {
        let world = try FormatWorld()
        let table: [(String, [Any?], String, String)] = [
            (
                "views > %dAND likes == %dOR%K == YES", [20, 4, "isFavorite"],
                "views > 20 AND likes == 4 OR isFavorite == YES", "1 3 4 6"
            ),
            ("NOT%K == YES", ["isFavorite"], "NOT isFavorite == YES", "2 4 5"),
            ("%KCONTAINS[c]%@", ["title", "caf"], "title CONTAINS[c]'caf'", "2 3"),
            (
                "isFavorite == %@AND%K>%d", [true, "views", -1], "isFavorite == YES AND views>(-1)",
                "1 3 6"
            ),
        ]
        for (format, arguments, printed, expected) in table {
            let parsed = try PredicateFormat(format, arguments: arguments)
            #expect(parsed.description == printed)
            #expect(world.answer(format, arguments) == expected)
            #expect(world.answer(parsed.description, []) == expected)
        }
        let variable = try PredicateFormat("views == $VIEWS OR$VIEWS == likes")
            .withSubstitutionVariables(["VIEWS": 3])
        #expect(variable.description == "views == 3 OR 3 == likes")
        #expect(world.answer(variable.description, []) == "3")
    }

    @Test func `a choice between a UUID and that of the object is written, and parses again`()
        throws
    {
        let world = try FormatWorld()
        let uuid = FormatWorld.uuid(3)
        let format = try PredicateFormat(
            #Predicate<Shot> { ($0.isFavorite ? uuid : $0.uuid) == $0.uuid })
        #expect(world.answer(format.description, []) == "2 3 4 5")
        let choices = ["TERNARY(views > 15, %@, uuid)", "TERNARY(views <= 15, uuid, %@)"]
        for choice in choices.map({ "\($0) == uuid" }) {
            let printed = try PredicateFormat(choice, FormatWorld.uuid(2)).description
            #expect(world.answer(choice, [FormatWorld.uuid(2)]) == "1 2")
            #expect(world.answer(printed, []) == "1 2", "\(printed)")
        }
    }

    @Test func `a printed format calculates with its arguments as the format does`() throws {
        let world = try FormatWorld()
        let table: [(String, Any, String)] = [
            ("((0 - views) ^ %@) < 0", UInt64(1), "1 2 3 4 5 6"),
            ("(views + %@) == 60", UInt8(10), "5"),
            ("CAST(%@, 'NSString') == '-0.0'", -0.0, "1 2 3 4 5 6"),
        ]
        for (format, argument, expected) in table {
            let printed = try PredicateFormat(format, argument).description
            #expect(world.answer(format, [argument]) == expected, "\(format)")
            #expect(world.answer(printed, []) == expected, "\(printed)")
        }
    }

    @Test func `a format that was saved gives the same answers`() throws {
        let context = ManagedObjectContext(try TownModel.store())
        for (name, age) in zip("abc", [10, 20, 30]) { context.citizen("\(name)").age = age }
        let format = try PredicateFormat("age > $LEAST AND name IN %@", ["a", "b"])
            .withSubstitutionVariables(["LEAST": 15])
        let request = try FetchRequest<Citizen>(where: copy(format))
        #expect(try context.fetch(request).map(\.name) == ["b"])
    }

    @Test func `a document keeps a search as an attribute`() async throws {
        let search = try PredicateFormat("title CONTAINS[cd] %@ AND taken > %@", "sea", Date())
        try await withTemporaryDirectory { url in
            let document = try await ManagedDocument.open(at: url, model: [SavedSearch.self])
            let saved = SavedSearch(context: document.viewContext)
            saved.format = search
            try await document.save()
            try await document.close()
            let again = try await ManagedDocument.open(at: url, model: [SavedSearch.self])
            #expect(try again.viewContext.fetch(SavedSearch.self).map(\.format) == [search])
            try await again.close()
        }
    }

    @Test func `what is no predicate is told when it is read`() throws {
        let wrong = [
            #"{"format": "age >"}"#, #"{"format": "age == %d"}"#, #"{"arguments": []}"#,
            #"{"format": "age == %@", "arguments": [{"uuid": "x"}]}"#,
            #"{"format": "age == %@", "arguments": [{"integer": 1, "string": "x"}]}"#,
            #"{"format": "age == %@", "arguments": [{}]}"#,
            #"{"format": "age == %@", "arguments": [{"number": 1}]}"#,
            #"{"format": "age == 1", "arguments": [{"integer": 1}]}"#,
        ]
        for text in wrong {
            #expect(throws: DecodingError.self, "\(text)") {
                try JSONDecoder().decode(PredicateFormat.self, from: Data(text.utf8))
            }
        }
    }

    @Test func `a predicate is written as a format`() throws {
        let (name, limit) = ("it's", 18)
        let predicates: [(Predicate<Citizen>, String)] = [
            (#Predicate { $0.name == name }, "name == 'it\\'s'"),
            (
                #Predicate { $0.age >= limit && !$0.name.contains("x") },
                "(age >= 18 AND NOT (name CONTAINS 'x'))"
            ),
            (#Predicate { $0.guardian == nil }, "guardian == nil"),
            (
                #Predicate { $0.wards.contains { $0.age < limit } },
                "SUBQUERY(wards, $member1, $member1.age < 18).@count > 0"
            ),
        ]
        for (predicate, text) in predicates {
            #expect(try PredicateFormat(predicate).format == text)
        }
        let id = ManagedObjectContext(try TownModel.store()).citizen("a").objectID
        let itself = try PredicateFormat(#Predicate<Citizen> { $0.objectID == id })
        #expect(itself.format == "SELF == CAST('\(id)', 'NSManagedObjectID')")
        let either =
            CompoundPredicate<Citizen>(#Predicate { $0.age > limit })
            || !(try CompoundPredicate("name BEGINSWITH[c] %@", "a"))
        #expect(
            try PredicateFormat(either).format
                == "(age > 18) OR (NOT (name BEGINSWITH[c] 'a'))")
    }

    @Test func `a variable is printed as its value, also where a member has its name`() throws {
        let world = try FormatWorld()
        let table: [(String, String, String)] = [
            (
                "views == $w AND SUBQUERY(words, $w, $w.weight > 1).@count > 0",
                "views == 30 AND SUBQUERY(words, $w, $w.weight > 1).@count > 0", "3"
            ),
            (
                "SUBQUERY(words, $w, SUBQUERY($w.shots, $s, $s.views == $v).@count > 0).@count > 0"
                    + " AND views >= $s",
                "SUBQUERY(words, $w, SUBQUERY($w.shots, $s, $s.views == 10).@count > 0).@count > 0"
                    + " AND views >= 20", "3 6"
            ),
            (
                "SUBQUERY(words, $w, SUBQUERY($w.shots, $w, $w.views == 60).@count > 0).@count > $v"
                    + " OR ($w) == views",
                "SUBQUERY(words, $w, SUBQUERY($w.shots, $w, $w.views == 60).@count > 0).@count > 10"
                    + " OR (30) == views", "3"
            ),
        ]
        for (format, printed, expected) in table {
            let format = try PredicateFormat(format)
                .withSubstitutionVariables(["w": 30, "v": 10, "s": 20])
            #expect(format.description == printed)
            let found = try world.context.fetch(FetchRequest<Shot>(where: format))
            #expect(found.map { String($0.number) }.joined(separator: " ") == expected)
            #expect(world.answer(printed, []) == expected)
        }
    }

    @Test func `a printed argument lies no deeper than its placeholder`() throws {
        let world = try FormatWorld()
        let days = [-1, 1_000].map { Date(timeIntervalSinceReferenceDate: $0) }
        let never = Date(timeIntervalSinceReferenceDate: .infinity)
        let table: [(String, Any, String)] = [
            ("taken == %@", days[1], "1"), ("taken IN %@", days, "1"),
            ("taken IN %@", [days[1], never], "1"), ("views IN %@", [Int.min, 10], "1"),
            ("rating > %@", -Double.infinity, "1 2 4 5 6"),
        ]
        let (open, close) = (String(repeating: "(", count: 100), String(repeating: ")", count: 100))
        for (comparison, argument, expected) in table {
            let format = try PredicateFormat("\(open)\(comparison)\(close)", argument)
            #expect(world.answer(format.description, []) == expected, "\(comparison)")
        }
    }

    @Test func `arithmetic of Double is written, and what formats do otherwise is named`() throws {
        let predicate = #Predicate<Specimen> { -$0.double + 1 > $0.double * 2 - $0.double }
        #expect(
            try PredicateFormat(predicate).format
                == "((double * (-1.0)) + 1.0) > ((double * 2.0) - double)")
        let refused: [(Predicate<Specimen>, String)] = [
            (#Predicate { $0.double / 2 > 1 }, "a division that may be by zero"),
            (#Predicate { $0.float + 1 > 1 }, "arithmetic of Float"),
            (#Predicate { $0.decimal + 1 > 1 }, "arithmetic of Decimal"),
            (#Predicate { $0.integer + 1 > 1 }, "arithmetic that may overflow"),
        ]
        for (predicate, reason) in refused {
            #expect {
                try PredicateFormat(predicate)
            } throws: {
                "\($0)".contains("\(reason) in a format is not supported")
            }
        }
    }

    @Test func `a predicate for which formats have no words is refused with the reason`() throws {
        #expect {
            try PredicateFormat(#Predicate<Specimen> { $0.shout == "A" })
        } throws: {
            "\($0)".contains("not supported")
        }
        #expect {
            try PredicateFormat(#Predicate<Citizen> { $0.age * 2 > 30 })
        } throws: {
            "\($0)".contains("overflow")
        }
    }
}

private final class SavedSearch: ManagedObject {
    @Attribute var format: PredicateFormat?
}

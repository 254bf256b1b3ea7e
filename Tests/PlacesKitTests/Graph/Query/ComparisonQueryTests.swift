import Foundation
import PlacesKit
import Testing

/// Every operator on every type of attribute, with constants on either side and with attributes.
@Suite struct ComparisonQueryTests {
    @Test func `truth values`() throws {
        try check(.compiled) {
            equalities(\.flag, [true, false], \.flag)
            equalities(\.maybeFlag, [true, false, nil], \.maybeFlag)
            #Predicate<Specimen> { $0.flag }
            #Predicate<Specimen> { !$0.flag }
            #Predicate<Specimen> { $0.maybeFlag == true }
            #Predicate<Specimen> { $0.maybeFlag != true }
            #Predicate<Specimen> { $0.maybeFlag ?? false }
            #Predicate<Specimen> { $0.maybeFlag ?? $0.flag }
        }
    }

    @Test func `integers`() throws {
        try check(.compiled) {
            equalities(\.integer, SpecimenWorld.integers, \.integer)
            orders(\.integer, SpecimenWorld.integers)
            orders(\.integer, \.integer)
            equalities(\.maybeInteger, SpecimenWorld.integers.map(\.self) + [nil], \.number)
            equalities(\.small, SpecimenWorld.smalls, \.small)
            orders(\.small, SpecimenWorld.smalls)
            orders(\.small, \.small)
            equalities(\.maybeSmall, [nil, .min, 0, 500], \.maybeSmall)
            #Predicate<Specimen> { $0.integer > -3 }
            #Predicate<Specimen> { $0.integer == -1 }
            #Predicate<Specimen> { 2 < $0.integer }
        }
    }

    @Test func `floating-point numbers`() throws {
        let doubles = SpecimenWorld.doubles
        let floats = SpecimenWorld.floats + [0.1]
        try check(.compiled) {
            equalities(\.double, doubles, \.double)
            orders(\.double, doubles)
            orders(\.double, \.double)
            equalities(\.maybeDouble, doubles.map(\.self) + [nil], \.maybeDouble)
            equalities(\.float, floats, \.float)
            orders(\.float, floats)
            orders(\.float, \.float)
            equalities(\.maybeFloat, [nil, .nan, 0, 0.5], \.maybeFloat)
        }
    }

    @Test func `integers beyond those with a sign`() throws {
        let bigs = SpecimenWorld.bigs
        try check(.compiled) {
            equalities(\.big, bigs + [3], \.big)
            orders(\.big, bigs + [3])
            orders(\.big, \.big)
            equalities(\.maybeBig, bigs.map { UInt($0) } + [nil], \.maybeBig)
            #Predicate<Specimen> { (1...9_223_372_036_854_775_808).contains($0.big) }
        }
    }

    @Test func `decimal numbers`() throws {
        let decimals = SpecimenWorld.decimals
        try check(.compiled) {
            equalities(\.decimal, decimals + [3], \.decimal)
            orders(\.decimal, decimals + [3])
            orders(\.decimal, \.decimal)
            equalities(\.maybeDecimal, decimals.map(\.self) + [nil], \.maybeDecimal)
        }
    }

    @Test func `raw values that nobody listed`() throws {
        try check(.compiled) {
            equalities(\.traits, [[], .rare, Traits(rawValue: 77)], \.traits)
        }
    }

    @Test func `text`() throws {
        let texts = SpecimenWorld.texts
        try check(.compiled) {
            equalities(\.text, texts, \.text)
            orders(\.text, texts)
            orders(\.text, \.code)
            equalities(\.maybeText, [nil] + texts.map(\.self), \.maybeText)
            equalities(\.code, ["S0", "S1000", "", "none"], \.text)
        }
    }

    @Test func `instants`() throws {
        let dates = SpecimenWorld.dates
        try check(.compiled) {
            equalities(\.date, dates, \.date)
            orders(\.date, dates)
            orders(\.date, \.date)
            equalities(\.maybeDate, dates.map(\.self) + [nil], \.maybeDate)
        }
    }

    @Test func `identifiers, addresses and bytes`() throws {
        let uuids = SpecimenWorld.uuids + [UUID.unset]
        let urls = SpecimenWorld.urls
        let bytes = SpecimenWorld.bytes
        try check(.compiled) {
            equalities(\.uuid, uuids, \.uuid)
            orders(\.uuid, uuids)
            orders(\.uuid, \.uuid)
            equalities(\.maybeUUID, [nil] + uuids.map(\.self), \.maybeUUID)
            equalities(\.url, urls, \.url)
            equalities(\.maybeURL, [nil] + urls.map(\.self), \.maybeURL)
            equalities(\.data, bytes, \.data)
            equalities(\.maybeData, [nil] + bytes.map(\.self), \.maybeData)
        }
    }

    @Test func `an address with a base equals no stored one`() throws {
        let base = try #require(URL(string: "https://example.org/"))
        let address = try #require(URL(string: "a", relativeTo: base))
        try check(.fallback) {
            #Predicate<Specimen> { $0.url == address }
            #Predicate<Specimen> { [address].contains($0.url) }
        }
    }

    @Test func `enums are ordered by their own order, not by their raw values`() throws {
        let calm = Mood.calm
        try check(.compiled) {
            equalities(\.mood, Mood.allCases, \.mood)
            orders(\.mood, Mood.allCases)
            equalities(\.maybeMood, [nil] + Mood.allCases.map(\.self), \.maybeMood)
            #Predicate<Specimen> { ($0.maybeMood ?? calm) > calm }
        }
        try check(.fallback) { orders(\.mood, \.mood) }
    }

    // MARK: - Building

    private typealias Expressions = PredicateExpressions
    private typealias Path<Value> = any KeyPath<Specimen, Value> & Sendable

    private func equalities<Value: Codable & Equatable & Sendable>(
        _ path: Path<Value>, _ constants: [Value], _ other: Path<Value>
    ) -> [Predicate<Specimen>] {
        var predicates = constants.flatMap { constant in
            [
                Predicate<Specimen> {
                    Expressions.build_Equal(
                        lhs: Expressions.build_KeyPath(root: $0, keyPath: path),
                        rhs: Expressions.build_Arg(constant))
                },
                Predicate<Specimen> {
                    Expressions.build_NotEqual(
                        lhs: Expressions.build_Arg(constant),
                        rhs: Expressions.build_KeyPath(root: $0, keyPath: path))
                },
            ]
        }
        predicates.append(
            Predicate {
                Expressions.build_Equal(
                    lhs: Expressions.build_KeyPath(root: $0, keyPath: path),
                    rhs: Expressions.build_KeyPath(root: $0, keyPath: other))
            })
        predicates.append(
            Predicate {
                Expressions.build_NotEqual(
                    lhs: Expressions.build_KeyPath(root: $0, keyPath: path),
                    rhs: Expressions.build_KeyPath(root: $0, keyPath: other))
            })
        return predicates
    }

    private let operators: [Expressions.ComparisonOperator] = [
        .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual,
    ]

    private func orders<Value: Codable & Comparable & Sendable>(
        _ path: Path<Value>, _ constants: [Value]
    ) -> [Predicate<Specimen>] {
        operators.flatMap { comparison in
            constants.flatMap { constant in
                [
                    Predicate {
                        Expressions.build_Comparison(
                            lhs: Expressions.build_KeyPath(root: $0, keyPath: path),
                            rhs: Expressions.build_Arg(constant), op: comparison)
                    },
                    Predicate {
                        Expressions.build_Comparison(
                            lhs: Expressions.build_Arg(constant),
                            rhs: Expressions.build_KeyPath(root: $0, keyPath: path),
                            op: comparison)
                    },
                ]
            }
        }
    }

    private func orders<Value: Codable & Comparable & Sendable>(
        _ path: Path<Value>, _ other: Path<Value>
    ) -> [Predicate<Specimen>] {
        operators.map { comparison in
            Predicate {
                Expressions.build_Comparison(
                    lhs: Expressions.build_KeyPath(root: $0, keyPath: path),
                    rhs: Expressions.build_KeyPath(root: $0, keyPath: other), op: comparison)
            }
        }
    }
}

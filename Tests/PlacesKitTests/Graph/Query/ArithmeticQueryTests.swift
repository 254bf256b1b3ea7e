import Foundation
import PlacesKit
import Testing

/// Arithmetic, subscripts and choices between values.
@Suite struct ArithmeticQueryTests {
    @Test func `numbers are calculated as Swift does`() throws {
        let third = 3
        let tenth = Float(0.1)
        try check(.compiled) {
            #Predicate<Specimen> { $0.integer / third > 1 }
            #Predicate<Specimen> { $0.integer % third == -1 }
            #Predicate<Specimen> { ($0.maybeInteger ?? 1) / 2 == 0 }
            #Predicate<Specimen> { $0.tags.count * 2 > 1 }
            #Predicate<Specimen> { $0.double * 2 - 1 > $0.double }
            #Predicate<Specimen> { $0.double / ($0.maybeDouble ?? 0) >= 1 }
            #Predicate<Specimen> { -$0.double < 0.5 }
            #Predicate<Specimen> { $0.float + tenth > 0.35 }
            #Predicate<Specimen> { $0.float * tenth == 0.025 }
            #Predicate<Specimen> { $0.decimal * 2 == 5 }
            #Predicate<Specimen> { $0.decimal + ($0.maybeDecimal ?? 1) > 2 }
            #Predicate<Specimen> { $0.big / 12 == 1 }
            #Predicate<Specimen> { ($0.maybeBig ?? 7) % 3 == 1 }
            #Predicate<Specimen> { ($0.shelf?.specimens.count ?? 0) * 2 == 4 }
        }
    }

    @Test func `an object whose calculation would stop Swift does not match`() throws {
        let context = try SpecimenWorld(seed: 3).context
        try Self.forEachOverflow { try context.check($0, .compiled, by: $1) }
    }

    /// Calls `check` with predicates that would stop Swift for some specimens, and with what they say of the others.
    static func forEachOverflow(
        _ check: (Predicate<Specimen>, (Specimen) -> Bool) throws -> Void
    ) rethrows {
        try check(#Predicate { $0.integer + 1 > 0 }) {
            let (sum, overflows) = $0.integer.addingReportingOverflow(1)
            return !overflows && sum > 0
        }
        try check(#Predicate { !($0.integer * 2 > 5) }) {
            let (product, overflows) = $0.integer.multipliedReportingOverflow(by: 2)
            return !overflows && product <= 5
        }
        try check(#Predicate { -$0.integer <= 0 }) { $0.integer != .min && $0.integer >= 0 }
        try check(#Predicate { 10 / $0.integer > 3 }) { $0.integer != 0 && 10 / $0.integer > 3 }
        try check(#Predicate { $0.integer / -1 < 0 }) { $0.integer > 0 }
        try check(#Predicate { $0.small + 300 > 0 }) {
            $0.small > -300 && $0.small < Int16.max - 299
        }
        try check(#Predicate { $0.big - 1 > 0 }) { $0.big > 1 }
        try check(#Predicate { $0.flag || $0.integer + 1 > 0 }) {
            $0.flag || $0.integer < .max && $0.integer >= 0
        }
        try check(#Predicate { ($0.integer...3).contains($0.tags.count) }) {
            $0.integer <= 3 && $0.integer <= $0.tags.count && $0.tags.count <= 3
        }
        let limit = Int.max
        try check(#Predicate { $0.integer < limit + 1 }) { _ in false }
        try check(#Predicate { $0.flag || $0.integer < limit + 1 }) { $0.flag }
    }

    @Test func `values are chosen and looked up`() throws {
        let names = ["plain": 1, "": 2, "k": 3]
        let values = [5, 7, 40]
        let missing: [String: Int] = [:]
        try check(.compiled) {
            #Predicate<Specimen> { ($0.flag ? $0.integer : $0.tags.count) > 1 }
            #Predicate<Specimen> { ($0.flag ? "plain" : $0.text) == "plain" }
            #Predicate<Specimen> { ($0.flag ? $0.maybeInteger : $0.number) == nil }
            #Predicate<Specimen> { ($0.flag ? $0.maybeFlag : $0.maybeFlag) == true }
            #Predicate<Specimen> {
                if let text = $0.maybeText { text == "plain" } else { $0.flag }
            }
            #Predicate<Specimen> { names[$0.text] == 2 }
            #Predicate<Specimen> { names[$0.text] == nil }
            #Predicate<Specimen> { names[$0.text, default: $0.integer] > 2 }
            #Predicate<Specimen> { missing[$0.text, default: 3] > 2 }
            #Predicate<Specimen> { values[$0.tags.count] > 6 }
            #Predicate<Specimen> { !(values[$0.tags.count] > 6) }
            #Predicate<Specimen> { specimen in values.contains { $0 == specimen.integer } }
            #Predicate<Specimen> { specimen in values.allSatisfy { $0 > specimen.integer } }
            #Predicate<Specimen> { (values.max() ?? 0) == $0.integer }
            #Predicate<Specimen> { (values.min() ?? 0) > $0.integer }
        }
    }
}

import Foundation
import PlacesKit
import Testing

/// Missing values: compared, unwrapped, replaced.
@Suite struct OptionalQueryTests {
    @Test func `nil is compared`() throws {
        let text: String? = nil
        let integer: Int? = 3
        let mood: Mood? = .calm
        try check(.compiled) {
            #Predicate<Specimen> { $0.maybeInteger == nil }
            #Predicate<Specimen> { $0.maybeInteger != nil }
            #Predicate<Specimen> { nil == $0.maybeText }
            #Predicate<Specimen> { $0.maybeDate != nil }
            #Predicate<Specimen> { $0.maybeFlag == nil }
            #Predicate<Specimen> { $0.maybeData != nil }
            #Predicate<Specimen> { $0.maybeText == text }
            #Predicate<Specimen> { $0.maybeText != text }
            #Predicate<Specimen> { $0.maybeInteger == integer }
            #Predicate<Specimen> { $0.maybeMood == mood }
            #Predicate<Specimen> { $0.maybeMood != mood }
        }
    }

    @Test func `nil is replaced`() throws {
        let limit = 1
        let notANumber = Double.nan
        try check(.compiled) {
            #Predicate<Specimen> { ($0.maybeInteger ?? 0) > limit }
            #Predicate<Specimen> { ($0.maybeInteger ?? 40) > limit }
            #Predicate<Specimen> { limit >= ($0.maybeInteger ?? 0) }
            #Predicate<Specimen> { ($0.maybeInteger ?? $0.integer) > limit }
            #Predicate<Specimen> { ($0.maybeInteger ?? $0.number ?? 2) != limit }
            #Predicate<Specimen> { ($0.maybeText ?? "plain") == "plain" }
            #Predicate<Specimen> { ($0.maybeText ?? "") != "" }
            #Predicate<Specimen> { ($0.maybeText ?? $0.text) == "plain" }
            #Predicate<Specimen> { ($0.maybeDouble ?? notANumber) < 1 }
            #Predicate<Specimen> { ($0.maybeDouble ?? 0) != 0 }
            #Predicate<Specimen> { ($0.maybeFlag ?? true) == $0.flag }
            #Predicate<Specimen> { ($0.maybeFlag ?? true) && $0.flag }
        }
    }

    @Test func `nil is mapped`() throws {
        let limit = 1
        try check(.compiled) {
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } ?? false }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } ?? true }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } == true }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } == false }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } != true }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } != false }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } == nil }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } != nil }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } == $0.maybeFlag }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } ?? $0.flag }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 > limit } ?? ($0.small > 0) }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { $0 } == 3 }
            #Predicate<Specimen> {
                if let integer = $0.maybeInteger { integer < limit } else { $0.flag }
            }
            #Predicate<Specimen> { specimen in
                specimen.maybeInteger.flatMap { $0 > specimen.integer } ?? false
            }
            #Predicate<Specimen> { specimen in
                specimen.maybeInteger.flatMap { integer in
                    specimen.maybeSmall.flatMap { small in integer > 0 && small > 0 }
                } ?? false
            }
            #Predicate<Specimen> { $0.maybeText?.isEmpty ?? true }
            #Predicate<Specimen> { $0.maybeText?.isEmpty == false }
        }
        try check(.compiled) {
            #Predicate<Specimen> { specimen in
                specimen.maybeInteger.flatMap { _ in specimen.text } == "plain"
            }
            #Predicate<Specimen> { specimen in
                specimen.shelf.flatMap { _ in specimen.origin?.name } == nil
            }
            #Predicate<Specimen> { specimen in
                specimen.shelf.flatMap { _ in specimen.origin } == nil
            }
        }
    }
}

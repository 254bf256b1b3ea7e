import Foundation
import Testing

@testable import PlacesKit

/// Text that contains or begins with other text.
@Suite struct TextQueryTests {
    static let needles =
        SpecimenWorld.texts + ["l", "afe", "e\u{301}", "\n", "\r", "a\r", "pl", "lain", "rather"]

    @Test func `text contains text`() throws {
        try check(.compiled) {
            for needle in Self.needles {
                #Predicate<Specimen> { $0.text.contains(needle) }
                #Predicate<Specimen> { $0.maybeText?.contains(needle) ?? false }
            }
        }
    }

    @Test func `text starts with text`() throws {
        try check(.compiled) {
            for needle in Self.needles {
                #Predicate<Specimen> { $0.text.starts(with: needle) }
                #Predicate<Specimen> { $0.maybeText?.starts(with: needle) == true }
            }
        }
    }

    @Test func `text is reached, replaced and negated`() throws {
        let needle = "lai"
        try check(.compiled) {
            #Predicate<Specimen> { !$0.text.contains(needle) }
            #Predicate<Specimen> { ($0.maybeText ?? "").contains(needle) }
            #Predicate<Specimen> { ($0.maybeText ?? "plain").contains(needle) }
            #Predicate<Specimen> { !($0.maybeText ?? "plain").starts(with: "p") }
            #Predicate<Specimen> { ($0.shelf.flatMap { $0.name } ?? "plain").starts(with: "p") }
            #Predicate<Specimen> { $0.shelf?.name.contains(needle) ?? true }
            #Predicate<Specimen> { $0.shelf?.room?.name.contains("a") ?? false }
            #Predicate<Specimen> { $0.shelf?.name.starts(with: "p") != true }
            #Predicate<Specimen> { $0.text.isEmpty }
            #Predicate<Specimen> { !$0.text.isEmpty }
            #Predicate<Specimen> { ($0.maybeText ?? "").isEmpty }
            #Predicate<Specimen> { $0.shelf?.name.isEmpty ?? true }
        }
        try check(.fallback) {
            #Predicate<Specimen> { $0.text.contains($0.code) }
            #Predicate<Specimen> { $0.text.count > 4 }
            #Predicate<Specimen> { "plain".contains($0.text) }
        }
    }
}

import Foundation
import PlacesKit
import Testing

/// Values looked for in arrays, sets and ranges.
@Suite struct MembershipQueryTests {
    @Test func `a constant collection contains an attribute`() throws {
        let integers = [Int.min, 1, 3, 3]
        let maybeIntegers: [Int?] = [nil, 2]
        let texts: Set = ["plain", "caf\u{e9}", ""]
        let maybeTexts: [String?] = [nil, "zebra"]
        let doubles = [0.5, .nan, -0.0]
        let moods = [Mood.odd, .calm]
        let codes = ["S1", "S2", "S2", "S150", "missing", ""]
        let numbers: [Int?] = [nil, 3, 17, 1_000_001]
        let empty: [Int] = []
        let dates = SpecimenWorld.dates.prefix(3).map(\.self)
        let uuids = Set(SpecimenWorld.uuids.prefix(2))
        let urls = SpecimenWorld.urls.prefix(2).map(\.self)
        let bytes = SpecimenWorld.bytes.prefix(2).map(\.self)
        try check(.compiled) {
            #Predicate<Specimen> { integers.contains($0.integer) }
            #Predicate<Specimen> { !integers.contains($0.integer) }
            #Predicate<Specimen> { [1, 2, 3].contains($0.integer) }
            #Predicate<Specimen> { maybeIntegers.contains($0.maybeInteger) }
            #Predicate<Specimen> { texts.contains($0.text) }
            #Predicate<Specimen> { texts.contains($0.maybeText ?? "plain") }
            #Predicate<Specimen> { maybeTexts.contains($0.maybeText) }
            #Predicate<Specimen> { maybeTexts.contains($0.shelf.flatMap { $0.name }) }
            #Predicate<Specimen> { doubles.contains($0.double) }
            #Predicate<Specimen> { moods.contains($0.mood) }
            #Predicate<Specimen> { codes.contains($0.code) }
            #Predicate<Specimen> { codes.contains($0.code) && $0.flag }
            #Predicate<Specimen> { numbers.contains($0.number) }
            #Predicate<Specimen> { empty.contains($0.integer) }
            #Predicate<Specimen> { dates.contains($0.date) }
            #Predicate<Specimen> { uuids.contains($0.uuid) }
            #Predicate<Specimen> { urls.contains($0.url) }
            #Predicate<Specimen> { bytes.contains($0.data) }
            #Predicate<Specimen> { [true].contains($0.flag) }
        }
    }

    @Test func `a range contains an attribute`() throws {
        let closed = -1...3
        let halfOpen = 0..<2
        let wide = Int.min...Int.max
        let decimals = -0.5...1.0
        let days = SpecimenWorld.dates[1]..<SpecimenWorld.dates[4]
        let words = "e"..."plain"
        let moods = Mood.wild...Mood.wild
        try check(.compiled) {
            #Predicate<Specimen> { closed.contains($0.integer) }
            #Predicate<Specimen> { !halfOpen.contains($0.integer) }
            #Predicate<Specimen> { wide.contains($0.integer) }
            #Predicate<Specimen> { (1...40).contains($0.integer) }
            #Predicate<Specimen> { (1..<40).contains($0.integer) }
            #Predicate<Specimen> { decimals.contains($0.double) }
            #Predicate<Specimen> { days.contains($0.date) }
            #Predicate<Specimen> { words.contains($0.text) }
            #Predicate<Specimen> { closed.contains($0.maybeInteger ?? 2) }
            #Predicate<Specimen> { $0.maybeInteger.flatMap { closed.contains($0) } ?? false }
            #Predicate<Specimen> { closed.contains($0.tags.count) }
            #Predicate<Specimen> { moods.contains($0.mood) }
        }
    }

    @Test func `an endless sequence is not walked`() throws {
        let all = 0..<Int.max
        try check(.fallback, seeds: [3]) {
            #Predicate<Tag> { tag in all.contains { $0 == tag.weight } }
        }
    }
}

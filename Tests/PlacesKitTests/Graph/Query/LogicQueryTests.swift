import Foundation
import PlacesKit
import Testing

/// Conditions joined by logic.
@Suite struct LogicQueryTests {
    @Test func `conditions are joined`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { $0.flag && $0.integer > 0 }
            #Predicate<Specimen> { $0.flag || $0.integer > 0 }
            #Predicate<Specimen> { !($0.flag && $0.integer > 0) }
            #Predicate<Specimen> { !($0.flag || !($0.integer > 0)) }
            #Predicate<Specimen> { ($0.flag || $0.small < 0) && ($0.integer > 0 || !$0.flag) }
            #Predicate<Specimen> { $0.flag == ($0.integer > 0) }
            #Predicate<Specimen> { $0.flag != ($0.integer > 0) }
            #Predicate<Specimen> { ($0.small > 0) == ($0.integer > 0) }
            #Predicate<Specimen> { ($0.small > 0) == true }
        }
    }

    @Test func `a condition chooses between others`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { if $0.flag { $0.integer > 0 } else { $0.small < 0 } }
            #Predicate<Specimen> { $0.integer > 0 ? $0.flag : $0.maybeText == nil }
            #Predicate<Specimen> {
                if $0.maybeFlag == true {
                    $0.integer > 0
                } else if $0.flag {
                    $0.small < 0
                } else {
                    false
                }
            }
            #Predicate<Specimen> { ($0.flag ? $0.integer : 0) > 1 }
            #Predicate<Specimen> { ($0.flag ? $0.maybeFlag : nil) == nil }
            #Predicate<Specimen> { ($0.flag ? $0.maybeFlag : nil) ?? true }
        }
    }

    @Test func `constants decide alone`() throws {
        let isWanted = true
        let number = 3
        try check(.compiled) {
            #Predicate<Specimen> { _ in true }
            #Predicate<Specimen> { _ in false }
            #Predicate<Specimen> { _ in isWanted }
            #Predicate<Specimen> { isWanted && $0.flag }
            #Predicate<Specimen> { !isWanted || $0.flag }
            #Predicate<Specimen> { _ in number > 4 }
            #Predicate<Specimen> { $0.integer > number + 4 }
            #Predicate<Specimen> { $0.integer == -number }
            #Predicate<Specimen> { $0.integer > (isWanted ? 2 : 40) }
        }
    }

    @Test func `captured values are read through their key paths`() throws {
        let sought = Sought(text: "plain", number: 2, range: 1...3)
        try check(.compiled) {
            #Predicate<Specimen> { $0.text == sought.text }
            #Predicate<Specimen> { $0.integer > sought.number }
            #Predicate<Specimen> { sought.range.contains($0.integer) }
            #Predicate<Specimen> { $0.text == sought.text && $0.flag }
        }
    }

    private struct Sought: Codable, Sendable {
        var text: String
        var number: Int
        var range: ClosedRange<Int>
    }
}

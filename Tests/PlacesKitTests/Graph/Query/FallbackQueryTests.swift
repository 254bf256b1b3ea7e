import Foundation
import PlacesKit
import Synchronization
import Testing

/// What is not compiled is asked of each object, with the same answer.
@Suite struct FallbackQueryTests {
    @Test func `computed properties are asked of the objects`() throws {
        try check(.fallback) {
            #Predicate<Specimen> { $0.shout == "PLAIN" }
            #Predicate<Specimen> { $0.doubled > 4 }
            #Predicate<Specimen> { $0.flag && $0.shout == "PLAIN" }
            #Predicate<Specimen> { $0.shout == "PLAIN" && $0.flag }
            #Predicate<Specimen> { $0.flag || $0.shout == "PLAIN" }
            #Predicate<Specimen> { !($0.flag && $0.shout == "PLAIN") }
            #Predicate<Specimen> { $0.code == "S7" && $0.shout != "" }
        }
    }

    @Test func `an object that makes the predicate throw does not match`() throws {
        try check(.compiled) {
            #Predicate<Specimen> { $0.maybeInteger! > 1 }
            #Predicate<Specimen> { $0.flag && $0.maybeInteger! > 1 }
            #Predicate<Specimen> { $0.maybeInteger! > 1 && $0.flag }
            #Predicate<Specimen> { !($0.flag && $0.maybeInteger! > 1) }
            #Predicate<Specimen> { $0.maybeInteger! > 1 || $0.flag }
            #Predicate<Specimen> { $0.tags.contains { $0.weight > 1 } && $0.number! > 9 }
            #Predicate<Specimen> { $0.integer % 2 == 0 && $0.small / 2 == 0 }
            #Predicate<Specimen> { $0.shelf!.name == "plain" || $0.flag }
            #Predicate<Specimen> { $0.tags.isEmpty || $0.shelf!.name == "plain" }
            #Predicate<Specimen> { $0.children.contains { $0.maybeInteger! > 1 } }
            #Predicate<Specimen> { $0.children.allSatisfy { $0.maybeInteger! > 1 } }
            #Predicate<Specimen> { $0.children.filter { $0.maybeInteger! > 1 }.count < 2 }
        }
    }

    @Test func `only objects that other conditions leave are asked`() throws {
        let request = FetchRequest<Counted>(
            predicate: #Predicate { $0.number < 3 && $0.asked })
        let store = try GraphStore(model: [Counted.self])
        let context = ManagedObjectContext(store)
        for number in 0..<10 { Counted(context: context).number = number }
        // The first time prototypes are asked what the key paths mean.
        _ = try context.count(request)
        Counted.count.withLock { $0 = 0 }
        #expect(try context.count(request) == 3)
        #expect(Counted.count.withLock { $0 } == 3)
    }
}

/// Counts how often its computed property is read.
private final class Counted: ManagedObject {
    static let count = Mutex(0)

    @Attribute var number = 0

    var asked: Bool {
        Self.count.withLock { $0 += 1 }
        return number >= 0
    }
}

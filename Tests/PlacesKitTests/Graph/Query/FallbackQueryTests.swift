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

    @Test func `what constants decide is compiled, whatever else would be asked of the objects`()
        throws
    {
        let (yes, no, none, word) = (true, false, String?.none, "plain")
        let (marks, list) = (["a": 1], [1, 2])
        try check(.compiled) {
            #Predicate<Specimen> { yes || $0.shout == "PLAIN" }
            #Predicate<Specimen> { no && $0.shout == "PLAIN" }
            #Predicate<Specimen> { (no ? $0.shout : word) == "plain" || $0.flag }
            #Predicate<Specimen> { marks["a"] == 1 || $0.shout == "PLAIN" }
            #Predicate<Specimen> { marks["b", default: 2] == 2 || $0.shout == "PLAIN" }
            #Predicate<Specimen> { list[1] == 2 || $0.shout == "PLAIN" }
            #Predicate<Specimen> { (none ?? word) == (none ?? word) || $0.shout == "PLAIN" }
        }
        try check(.fallback) {
            #Predicate<Specimen> { no || $0.shout == "PLAIN" }
            #Predicate<Specimen> { (none ?? $0.shout) == "PLAIN" }
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

    @Test func `a computed property is not taken for the attribute that it mostly returns`() throws
    {
        let context = ManagedObjectContext(try GraphStore(model: [Enclosure.self]))
        for (path, number, rating) in [
            ("x/b.txt", 1, 1.0), ("y/a_c.txt", -100_000, .nan), ("z/a_c.txt", -70_000, 2),
        ] {
            let enclosure = try context.insert(Enclosure.self)
            (enclosure.path, enclosure.number, enclosure.rating) = (path, number, rating)
        }
        try context.save()
        try context.check(#Predicate<Enclosure> { $0.fileName == "a_c.txt" }, .fallback)
        try context.check(#Predicate<Enclosure> { $0.label == "y/a c.txt" }, .fallback)
        try context.check(#Predicate<Enclosure> { $0.rated == 0 }, .fallback)
        #expect(try context.values(of: \Enclosure.score) == [1, -50_000, -50_000])
        #expect(
            try context.deleteAll(Enclosure.self, where: #Predicate { $0.score < -60_000 }) == 0)
    }

    @Test func `a date that is not a number is neither before nor after nor at another`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Moment.self]))
        let moment = Moment(context: context)
        moment.day = Date(timeIntervalSinceReferenceDate: .nan)
        let (day, later) = (Date(timeIntervalSinceReferenceDate: 0), Date.distantFuture)
        let never = moment.day
        // Those with a computed property are asked of the object.
        let none: [Predicate<Moment>] = [
            #Predicate { $0.day <= day }, #Predicate { $0.shown == "x" || $0.day <= day },
            #Predicate { $0.day >= day }, #Predicate { $0.shown == "x" || $0.day >= day },
            #Predicate { (day...later).contains($0.day) },
            #Predicate { $0.shown == "x" || (day...later).contains($0.day) },
            #Predicate { $0.shown == "x" || (day...never).contains(later) },
            #Predicate { !($0.day...$0.day).contains(day) },
            #Predicate { $0.shown == "" && !($0.day...$0.day).contains(day) },
        ]
        for predicate in none {
            #expect(try context.count(FetchRequest(predicate: predicate)) == 0, "\(predicate)")
        }
        let one: [Predicate<Moment>] = [
            #Predicate { !($0.day <= day) }, #Predicate { $0.shown == "" && !($0.day <= day) },
        ]
        for predicate in one {
            #expect(try context.count(FetchRequest(predicate: predicate)) == 1, "\(predicate)")
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

    @Test func `nobody keeps what a predicate holds when its query is over`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Enclosure.self]))
        try context.insert(Enclosure.self).path = "x/b.txt"
        weak var kept: Wanted?
        do {
            let wanted = Wanted(name: "b.txt")
            kept = wanted
            let predicate = #Predicate<Enclosure> { $0.fileName == wanted.name }
            #expect(try context.count(FetchRequest(predicate: predicate)) == 1)
        }
        #expect(kept == nil)
    }
}

/// What a predicate refers to.
private final class Wanted: Codable, Sendable {
    let name: String

    init(name: String) { self.name = name }
}

/// Properties that return an attribute as it is, but for a few of its values.
private final class Enclosure: ManagedObject {
    @Attribute var path = ""
    @Attribute var number = 0
    @Attribute var rating = 0.0

    var fileName: String { path.components(separatedBy: "/").last ?? "" }
    var label: String { path.replacingOccurrences(of: "_", with: " ") }
    var score: Int { max(number, -50_000) }
    var rated: Double {
        let rating = rating
        return rating.isNaN ? 0 : rating
    }
}

private final class Moment: ManagedObject {
    @Attribute var day = Date.distantPast
    @Attribute var name = ""

    var shown: String { name.uppercased() }
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

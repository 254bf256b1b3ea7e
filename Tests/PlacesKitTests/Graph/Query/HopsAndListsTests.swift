import Foundation
import PlacesKit
import Testing

final class Stop: ManagedObject {
    @Attribute var name = ""
    @Attribute var note: String?
    @Attribute var number = 0
    @Relationship(inverse: \Stop.previous) var next: ObjectSet<Stop>
    @Relationship var previous: ObjectSet<Stop>
    @Relationship(inverse: \Stop.parts) var whole: Stop?
    @Relationship var parts: ObjectSet<Stop>
}

/// Format strings with many hops, and with long lists.
@Suite struct HopsAndListsTests {
    /// A line of stops, each of which leads to the next and is a part of the one before.
    static func line(_ count: Int) throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Stop.self]))
        let stops = (0..<count).map { number in
            let stop = Stop(context: context)
            stop.name = "stop \(number)"
            stop.note = number % 3 == 0 ? nil : "Note \(number)"
            stop.number = number
            return stop
        }
        for (stop, next) in zip(stops, stops.dropFirst()) {
            stop.next.insert(next)
            next.whole = stop
        }
        return context
    }

    @Test func `many hops lead to the right objects`() throws {
        let context = try Self.line(100)
        for hops in [1, 5, 20] {
            for key in ["next", "parts"] {
                let path = Array(repeating: key, count: hops).joined(separator: ".")
                #expect(
                    try context.count(
                        FetchRequest<Stop>(where: PredicateFormat("ANY \(path).number >= 0")))
                        == 100 - hops)
            }
            let path = Array(repeating: "whole", count: hops).joined(separator: ".")
            #expect(
                try context.count(FetchRequest<Stop>(where: PredicateFormat("\(path).number >= 0")))
                    == 100 - hops)
        }
    }

    @Test func `a list finds what its values find one by one`() throws {
        let context = try Self.line(60)
        let lists: [[Any?]] = [
            [], ["STOP 3"], ["Stop 3", "STOP 5", "x"], ["note 4", nil, "NOTE 5"], [nil],
            ["stop 1", "stop 1"],
        ]
        for list in lists {
            for path in ["name", "note", "whole.name", "whole.note", "whole.whole.note"] {
                for option in ["", "[c]", "[cd]"] {
                    let one = list.map { _ in "\(path) ==\(option) %@" }
                        .joined(separator: " OR ")
                    let expected = try context.fetch(
                        FetchRequest<Stop>(
                            where: PredicateFormat(
                                list.isEmpty ? "FALSEPREDICATE" : one, arguments: list)))
                    let found = try context.fetch(
                        FetchRequest<Stop>(
                            where: PredicateFormat("\(path) IN\(option) %@", arguments: [list])))
                    #expect(Array(found) == Array(expected), "\(path) IN\(option) \(list)")
                }
            }
        }
        let numbers: [[Any]] = [[1, 2.0, 3.5], [2.5], [1e300, 4], [Double.nan, 5, 6]]
        for list in numbers {
            for path in ["number", "whole.number", "number + 1"] {
                let one = list.map { _ in "\(path) == %@" }.joined(separator: " OR ")
                let expected = try context.fetch(
                    FetchRequest<Stop>(where: PredicateFormat(one, arguments: list)))
                let found = try context.fetch(
                    FetchRequest<Stop>(where: PredicateFormat("\(path) IN %@", arguments: [list])))
                #expect(Array(found) == Array(expected), "\(path) IN \(list)")
            }
        }
    }
}

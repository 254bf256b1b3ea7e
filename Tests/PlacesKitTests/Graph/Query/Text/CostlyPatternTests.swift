import Foundation
import PlacesKit
import Testing

final class Scribble: ManagedObject {
    @Attribute var text = ""
    @Attribute var pattern = ""
    @Attribute var title: String?
}

/// Regular expressions that divide the same text in very many ways.
@Suite struct CostlyPatternTests {
    private static func context(_ texts: [String]) throws -> ManagedObjectContext {
        let context = ManagedObjectContext(try GraphStore(model: [Scribble.self]))
        for text in texts { Scribble(context: context).text = text }
        return context
    }

    private static func a(_ count: Int) -> String { String(repeating: "a", count: count) }

    private static func request(_ pattern: String) throws -> FetchRequest<Scribble> {
        try FetchRequest<Scribble>(where: "text MATCHES %@", pattern)
    }

    private static let doubling = "(a+)+b|a+c"

    @Test func `a pattern that takes too many steps is an error wherever it is asked`() throws {
        let context = try Self.context(["ac", Self.a(40) + "c"])
        let request = try Self.request(Self.doubling)
        let error = ContextError.patternTooCostly(Self.doubling)
        #expect(throws: error) { try context.fetch(request) }
        #expect(throws: error) { try context.count(request) }
        #expect(throws: error) { try context.identifiers(of: request) }
        #expect(throws: error) { try context.values(of: \.text, for: request) }
        #expect(throws: error) { try context.distinctValues(of: \.text, for: request) }
        #expect(throws: error) { try context.aggregate(request, .count) }
        #expect(throws: error) { try context.groups(GroupRequest(of: request, by: \.text, .count)) }
        #expect(throws: error) { try request.explain(in: context) }
        #expect(throws: error) { try FetchedResultsController(request, in: context) }
        #expect(throws: error) { try LiveAggregate(request, .count, in: context) }
        #expect("\(error)".contains(Self.doubling))
    }

    @Test(arguments: [
        ("(a*)*b", "a"), ("(a|aa)+$", "ab"), ("(x+x+)+y", "x"), ("(a+)\\1+b|(a|aa)+c", "a"),
        ("(?=(a+)+b)a+c", "ac"), ("(?>(a+)+b)|a+c", "ac"), ("((a+)+)+b", "a"),
    ])
    func `its like are errors too`(pattern: String, text: String) throws {
        let long = String(repeating: String(text.prefix(1)), count: 60) + text.dropFirst()
        let context = try Self.context([long])
        #expect(throws: ContextError.patternTooCostly(pattern)) {
            try context.count(try Self.request(pattern))
        }
    }

    @Test func `a reference to a group goes over long texts only so often`() throws {
        let context = try Self.context([Self.a(100_000)])
        #expect(throws: ContextError.patternTooCostly("(a+)\\1b")) {
            try context.count(try Self.request("(a+)\\1b"))
        }
        #expect(try Self.context([Self.a(2_000)]).count(try Self.request("(a+)\\1")) == 1)
    }

    @Test func `the steps of all objects count together, in whatever order they are asked`() throws
    {
        let request = try Self.request(Self.doubling)
        let (costly, cheap) = (Self.a(19) + "c", "aac")
        #expect(try Self.context([costly]).count(request) == 1)
        for texts in [
            Array(repeating: costly, count: 8), Array(repeating: costly, count: 8) + [cheap],
            [cheap] + Array(repeating: costly, count: 8),
        ] {
            for _ in 0..<2 {
                #expect(throws: ContextError.patternTooCostly(Self.doubling)) {
                    try Self.context(texts).count(request)
                }
            }
        }
    }

    @Test func `a query has steps of its own`() throws {
        let context = try Self.context([Self.a(19) + "c"])
        for _ in 0..<8 { #expect(try context.count(try Self.request(Self.doubling)) == 1) }
    }

    @Test
    func `a pattern that another attribute holds is limited, and one over a constant refused`()
        throws
    {
        let context = try Self.context([Self.a(40) + "c"])
        try #require(try context.fetch(Scribble.self).first).pattern = Self.doubling
        #expect(throws: ContextError.patternTooCostly(Self.doubling)) {
            try context.count(FetchRequest<Scribble>(where: "text MATCHES pattern"))
        }
        #expect {
            try FetchRequest<Scribble>(where: "%@ MATCHES %@", Self.a(40) + "c", Self.doubling)
        } throws: { error in
            (error as? PredicateFormatError)?.problem == .patternTooCostly(Self.doubling)
        }
    }

    @Test(arguments: [
        "a+", "(a|b)*", "[a-z]*", ".*?", "(?:a|b|c|d|e|f)+", "\\w+(\\s\\w+)*", "(a{10})+", "a*a",
    ])
    func `a pattern that goes straight through takes long texts`(pattern: String) throws {
        let context = try Self.context([Self.a(100_000)])
        #expect(try context.count(try Self.request(pattern)) == 1)
        #expect(try context.count(try Self.request("(?:\(pattern))X")) == 0)
    }

    @Test func `a text for which the matcher lacks room is no silent no`() throws {
        let context = try Self.context([Self.a(2_000_000)])
        #expect(throws: ContextError.patternTooCostly("(a|b)*")) {
            try context.count(try Self.request("(a|b)*"))
        }
    }

    // MARK: - Live

    @Test func `a live list tells, and goes on when the text is another`() throws {
        let context = try Self.context(["ac", "b"])
        let request = try Self.request(Self.doubling)
        let list = try FetchedResultsController(request, in: context)
        #expect(list.error == nil)
        #expect(list.objects.map(\.text) == ["ac"])
        let added = Scribble(context: context)
        added.text = Self.a(40) + "c"
        context.processPendingChanges()
        #expect(list.error == .patternTooCostly(Self.doubling))
        #expect(list.objects.map(\.text) == ["ac"])
        Scribble(context: context).text = "aaac"
        context.processPendingChanges()
        #expect(list.error == .patternTooCostly(Self.doubling))
        added.text = "aac"
        context.processPendingChanges()
        #expect(list.error == nil)
        #expect(list.objects.map(\.text) == ["ac", "aac", "aaac"])
    }

    @Test func `live groups and aggregates tell, and go on when the text is another`() throws {
        let context = try Self.context(["ac", "b"])
        let request = try Self.request(Self.doubling)
        let total = try LiveAggregate(request, .count, in: context)
        let groups = try LiveGroups(GroupRequest(of: request, by: \.text, .count), in: context)
        let added = Scribble(context: context)
        added.text = Self.a(40) + "c"
        context.processPendingChanges()
        #expect(total.error == .patternTooCostly(Self.doubling))
        #expect(groups.error == .patternTooCostly(Self.doubling))
        added.text = "aac"
        context.processPendingChanges()
        #expect(total.error == nil && groups.error == nil)
        #expect(total.value == 2)
        #expect(Set(groups.groups.map(\.0)) == ["ac", "aac"])
    }
}

import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

private final class Leaflet: ManagedObject {
    @Relationship(inverse: \Leaflet.enclosures) var envelope: Leaflet?
    @Relationship var enclosures: ObjectSet<Leaflet>
    @Attribute var title = ""
    @Attribute var words: [String] = []
    @Attribute var numbers: [Double]?
    @Attribute var days: Set<Date> = []
    @Attribute var pairs: [[Int]] = []
}

/// Elements beside attributes of their type.
private final class Sample: ManagedObject {
    @Attribute var doubles: [Double] = []
    @Attribute var double = 0.0
    @Attribute var floats: [Float]?
    @Attribute var float: Float = 0
    @Attribute var decimals: Set<Decimal> = []
    @Attribute var decimal: Decimal = 0
    @Attribute var serials: [UInt64] = []
    @Attribute var serial: UInt64 = 0
    @Attribute var identifiers: [UUID] = []
    @Attribute var identifier = UUID()
    @Attribute var days: [Date?] = []
    @Attribute var day: Date?
    @Attribute var flags: [Bool] = []
    @Attribute var flag = false
}

/// Predicate formats over attributes that are arrays or sets.
@Suite struct FormatElementTests {
    private let context: ManagedObjectContext

    init() throws { context = ManagedObjectContext(try GraphStore(model: [Leaflet.self])) }

    private func fill(seed: UInt64) throws -> [Leaflet] {
        var generator = SeededGenerator(seed: seed)
        return try (0..<60).map { _ in
            let leaflet = try context.insert(Leaflet.self)
            let count = Int.random(in: 0..<4, using: &generator)
            leaflet.words = (0..<count).map { _ in
                ["sea", "Sea", "É", "e\u{301}", "", "a\"b", "seal"].randomElement(using: &generator)
                    ?? ""
            }
            if Bool.random(using: &generator) {
                leaflet.numbers = (0..<count).map { _ in
                    Double(Int.random(in: 0..<6, using: &generator)) / 2
                }
            }
            leaflet.days = Set(
                (0..<count).map { _ in
                    Date(
                        timeIntervalSinceReferenceDate:
                            Double(Int.random(in: 0..<3, using: &generator)))
                })
            return leaflet
        }
    }

    @Test(arguments: UInt64(1)...4)
    func `any, all and none of the elements are asked as Swift asks them`(seed: UInt64) throws {
        let leaflets = try fill(seed: seed)
        let day = Date(timeIntervalSinceReferenceDate: 1)
        typealias Test = (String, [Any?], (Leaflet) -> Bool)
        let tests: [Test] = [
            ("ANY words == 'sea'", [], { $0.words.contains("sea") }),
            ("words CONTAINS %@", ["é"], { $0.words.contains("é") }),
            ("words CONTAINS[cd] 'E'", [], { $0.words.contains { $0.lowercased() == "é" } }),
            ("'sea' IN words", [], { $0.words.contains("sea") }),
            ("NONE words BEGINSWITH 'se'", [], { !$0.words.contains { $0.hasPrefix("se") } }),
            (
                "ALL words BEGINSWITH[c] 'se'", [],
                {
                    $0.words.allSatisfy { $0.lowercased().hasPrefix("se") }
                }
            ),
            ("ANY words LIKE 's?a'", [], { $0.words.contains("sea") }),
            ("ANY words MATCHES[c] '\\\\D+'", [], { $0.words.contains { !$0.isEmpty } }),
            ("ANY words MATCHES[cd] '\\\\S'", [], { $0.words.contains { $0.count == 1 } }),
            ("ANY words IN {'É', 'x'}", [], { $0.words.contains("É") }),
            (
                "ANY words IN[cd] {'e', 'x'}", [],
                { $0.words.contains("É") || $0.words.contains("é") }
            ),
            (
                "ALL words IN[c] {'SEA', 'x'}", [],
                { $0.words.allSatisfy { $0.lowercased() == "sea" } }
            ),
            (
                "NONE words IN[c] {'SEA', ''}", [],
                { !$0.words.contains { ["", "sea"].contains($0.lowercased()) } }
            ),
            (
                "ALL numbers IN {0, 0.5, 2}", [],
                { ($0.numbers ?? []).allSatisfy([0, 0.5, 2].contains) }
            ),
            ("ALL words != ''", [], { $0.words.allSatisfy { !$0.isEmpty } }),
            ("ANY numbers > 1.5", [], { ($0.numbers ?? []).contains { $0 > 1.5 } }),
            (
                "ANY numbers BETWEEN {1, 2}", [],
                {
                    ($0.numbers ?? []).contains { (1...2).contains($0) }
                }
            ),
            ("ALL numbers < 2", [], { ($0.numbers ?? []).allSatisfy { $0 < 2 } }),
            ("numbers == nil", [], { $0.numbers == nil }),
            ("words.@count > 1", [], { $0.words.count > 1 }),
            ("numbers[SIZE] == 0", [], { ($0.numbers ?? []).isEmpty }),
            ("ANY days == %@", [day], { $0.days.contains(day) }),
            ("NOT ANY days < %@", [day], { !$0.days.contains { $0 < day } }),
            ("ANY pairs == 1", [], { _ in false }),
        ]
        for (format, arguments, answer) in tests {
            let request = try FetchRequest<Leaflet>(
                where: PredicateFormat(format, arguments: arguments))
            let found = Set(try context.fetch(request).map(\.objectID))
            #expect(
                found == Set(leaflets.filter(answer).map(\.objectID)), "seed \(seed): \(format)")
        }
    }

    @Test(arguments: ["CONTAINS", "BEGINSWITH", "ENDSWITH"], ["", "[c]", "[d]", "[cd]"])
    func `the empty text is found in no element`(operation: String, letters: String) throws {
        let leaflet = try context.insert(Leaflet.self)
        leaflet.words = ["sea", ""]
        let test = "words \(operation)\(letters) ''"
        #expect(try context.fetch(Leaflet.self, where: "ANY \(test)").isEmpty)
        #expect(try context.fetch(Leaflet.self, where: "ALL \(test)").isEmpty)
        #expect(try context.fetch(Leaflet.self, where: "NONE \(test)").count == 1)
        #expect(try context.fetch(Leaflet.self, where: "ANY words LIKE\(letters) ''").count == 1)
    }

    @Test func `elements are counted behind a relationship, and not where it leads nowhere`() throws
    {
        let leaflets = try ["none", "empty", "two"].map { title in
            let leaflet = try context.insert(Leaflet.self)
            leaflet.title = title
            return leaflet
        }
        (leaflets[1].envelope, leaflets[2].envelope) = (leaflets[0], leaflets[1])
        leaflets[0].numbers = [1, 2]
        func titles(_ format: String) throws -> Set<String> {
            Set(try context.fetch(Leaflet.self, where: format).map(\.title))
        }
        #expect(try titles("envelope.numbers.@count == 2") == ["empty"])
        #expect(try titles("envelope.numbers.@count == 0") == ["two"])
        #expect(try titles("envelope.numbers[SIZE] < 1") == ["two"])
        #expect(try titles("envelope.numbers.@count == nil") == ["none"])
        #expect(try titles("NOT envelope.numbers.@count > 0") == ["none", "two"])
        #expect(try titles("envelope.envelope.words.@count == 0") == ["two"])
        #expect(try titles("envelope.numbers.@count == numbers.@count + 2") == ["empty"])
        #expect(try titles("envelope.numbers.@count == words.@count") == ["two"])
        #expect(try titles("enclosures[0].numbers.@count == nil") == ["two"])
        #expect(try titles("enclosures.@sum.envelope.numbers.@count == 2") == ["none"])
    }

    @Test func `an element lies between two texts by the letters of the operator`() throws {
        let leaflet = try context.insert(Leaflet.self)
        leaflet.words = ["Séa"]
        leaflet.title = "Séa"
        func isBetween(_ letters: String, _ bounds: String) throws -> Bool {
            let test = "BETWEEN\(letters) \(bounds)"
            let isSo = try context.fetch(Leaflet.self, where: "ANY words \(test)").count == 1
            #expect(try context.fetch(Leaflet.self, where: "title \(test)").count == (isSo ? 1 : 0))
            return isSo
        }
        #expect(try isBetween("[c]", "{'s', 't'}"))
        #expect(try isBetween("[c]", "{'S', 'T'}"))
        #expect(try isBetween("[d]", "{'Sea', 'Sea'}"))
        #expect(try isBetween("[cd]", "{'SEA', 'sea'}"))
        #expect(try !isBetween("", "{'s', 't'}"))
        #expect(try !isBetween("[c]", "{'sea', 'sea'}"))
    }

    @Test func `an element is compared as an attribute of its type is`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Sample.self]))
        let sample = Sample(context: context)
        let long = try #require(Decimal(string: "12345678901234567890.12"))
        func check<Value>(
            _ key: String, _ operands: [Any], _ values: [Value], _ set: (Value) -> Void
        ) throws {
            for (value, operand) in values.flatMap({ value in operands.map { (value, $0) } }) {
                set(value)
                for order in ["==", "!=", "<", "<=", ">", ">="] {
                    func holds(_ format: String, _ operand: Any) throws -> Bool {
                        let format = try PredicateFormat(format, arguments: [operand])
                        return try context.count(FetchRequest<Sample>(where: format)) == 1
                    }
                    let isSo = try holds("\(key) \(order) %@", operand)
                    let comment: Comment = "\(value) \(order) \(operand)"
                    #expect(try holds("ANY \(key)s \(order) %@", operand) == isSo, comment)
                    #expect(try holds("ALL \(key)s \(order) %@", operand) == isSo, comment)
                    #expect(try holds("NONE \(key)s \(order) %@", operand) == !isSo, comment)
                    guard order == "==" else { continue }
                    #expect(try holds("%@ IN \(key)s", operand) == isSo, comment)
                    #expect(try holds("ANY \(key)s IN {%@}", operand) == isSo, comment)
                }
            }
        }
        let numbers: [Any] = [5, 0.1, Float(0.1), long, Double.infinity, Double.nan, UInt64.max]
        try check("double", numbers, [.infinity, -.infinity, .nan, 0.1, 5]) {
            (sample.double, sample.doubles) = ($0, [$0])
        }
        try check("float", numbers, [.infinity, .nan, 0.1, 5]) {
            (sample.float, sample.floats) = ($0, [$0])
        }
        try check("decimal", numbers + [long + 1], [long, 5, Decimal(string: "0.1") ?? 0]) {
            (sample.decimal, sample.decimals) = ($0, [$0])
        }
        try check("serial", numbers, [.max, 5]) { (sample.serial, sample.serials) = ($0, [$0]) }
        let identifier = UUID()
        let texts = [identifier.uuidString.lowercased(), identifier.uuidString]
        try check("identifier", texts + [identifier, UUID()], [identifier]) {
            (sample.identifier, sample.identifiers) = ($0, [$0])
        }
        let day = Date(timeIntervalSinceReferenceDate: 0.1)
        try check("day", [day, day + 1], [day, nil]) { (sample.day, sample.days) = ($0, [$0]) }
        try check("flag", [true, false, 1, 0], [true, false]) {
            (sample.flag, sample.flags) = ($0, [$0])
        }
    }

    @Test(arguments: [
        ("words == 'sea'", "coded value"), ("ANY words MATCHES '('", "pattern"),
        ("ANY words CONTAINS 1", "a number"), ("ANY words == words", "stored"),
        ("ANY words IN 'seal'", "a list"),
        ("words.@sum.self > 1", "words"), ("ANY wrods == 1", "words"),
        ("ANY words == 1", "text"), ("1 IN words", "text"), ("ANY numbers > 'A'", "a number"),
        ("ANY numbers IN {1, 'A'}", "a number"), ("ANY numbers BETWEEN {1}", "two bounds"),
        ("ANY numbers BETWEEN {'A', 'B'}", "a number"),
        ("ALL numbers BEGINSWITH 'A'", "a number"), ("NONE days < 'A'", "a date"),
    ])
    func `what elements cannot be asked is refused`(format: String, reason: String) throws {
        #expect {
            try FetchRequest<Leaflet>(where: format)
        } throws: {
            "\($0)".contains(reason)
        }
    }

    @Test func `a live list follows the elements`() throws {
        let leaflet = try context.insert(Leaflet.self)
        let request = try FetchRequest<Leaflet>(
            where: "ANY words == 'sea'", sortBy: [SortDescriptor(\.title)])
        let list = try FetchedResultsController(request, in: context)
        #expect(list.snapshot.identifiers.isEmpty)
        leaflet.words = ["a", "sea"]
        context.processPendingChanges()
        #expect(list.snapshot.identifiers.count == 1)
    }
}

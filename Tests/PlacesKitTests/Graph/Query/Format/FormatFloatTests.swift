import Foundation
import PlacesKit
import Testing

final class Gauge: ManagedObject {
    @Attribute var name = ""
    @Attribute(.indexed) var level: Float = 0
    @Attribute var maybe: Float?
}

/// A `Float` beside other numbers in format strings: it is widened, and the other is not rounded.
@Suite struct FormatFloatTests {
    private let context: ManagedObjectContext

    init() throws {
        context = ManagedObjectContext(try GraphStore(model: [Gauge.self]))
        let levels: [(String, Float)] = [
            ("tenth", 0.1), ("even", 16_777_216), ("most", .greatestFiniteMagnitude),
            ("least", .leastNonzeroMagnitude), ("half", 0.5), ("endless", .infinity),
            ("none", .nan),
        ]
        for (name, level) in levels {
            let gauge = Gauge(context: context)
            gauge.name = name
            gauge.level = level
            gauge.maybe = name == "half" ? nil : level
        }
        try context.save()
    }

    private func names(_ format: String, _ arguments: Any?...) throws -> String {
        try context.fetch(
            FetchRequest<Gauge>(where: PredicateFormat(format, arguments: arguments))
        ).map(\.name).joined(separator: " ")
    }

    @Test(arguments: ["level", "maybe"])
    func `a literal is compared with the widened number`(key: String) throws {
        #expect(try names("\(key) == 0.1") == "")
        #expect(try names("\(key) == 0.10000000149011612") == "tenth")
        #expect(try names("\(key) > 0.1 AND \(key) < 0.2") == "tenth")
        #expect(try names("\(key) IN {0.1, 16777217}") == "")
        #expect(try names("ANY {0.1, 16777216.0} == \(key)") == "even")
        #expect(try names("\(key) == 16777217") == "")
        #expect(try names("\(key) == 16777217.0") == "")
        #expect(try names("\(key) == 16777216") == "even")
        #expect(try names("\(key) BETWEEN {16777215.9, 16777216.1}") == "even")
        #expect(try names("\(key) == 3.4028234663852886e38") == "most")
        #expect(try names("\(key) == 3.4028234663852887e38") == "most")
        #expect(try names("\(key) == 3.4028235e38") == "")
        #expect(try names("\(key) > 3.4028234e38") == "most endless")
        #expect(try names("\(key) >= 3.4028235e38") == "endless")
        #expect(try names("\(key) > 1e300") == "endless")
        #expect(try names("\(key) == 1e-45") == "")
        #expect(try names("\(key) == 1.401298464324817e-45") == "least")
        #expect(try names("\(key) > 0 AND \(key) < 2e-45") == "least")
    }

    @Test func `an argument is what it is`() throws {
        #expect(try names("level == %@", Float(0.1)) == "tenth")
        #expect(try names("level == %@", 0.1) == "")
        #expect(try names("level == %f", 0.5) == "half")
        #expect(try names("level IN %@", [Float(0.1), Float.infinity]) == "tenth endless")
        #expect(try names("maybe <= nil") == "half")
    }
}

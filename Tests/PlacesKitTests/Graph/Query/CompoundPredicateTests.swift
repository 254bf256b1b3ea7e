import Foundation
import PlacesKit
import Testing

@Suite struct CompoundPredicateTests {
    let context: ManagedObjectContext

    init() throws {
        context = try TownModel.context()
    }

    private func names(_ request: FetchRequest<Citizen>) throws -> String {
        try context.fetch(request).map(\.name).joined()
    }

    private func request(
        _ predicate: CompoundPredicate<Citizen>
    ) throws(PredicateFormatError) -> FetchRequest<Citizen> {
        try FetchRequest(where: predicate, sortBy: [SortDescriptor(\.name)])
    }

    // MARK: - Combining

    @Test func `predicates and formats are combined`() throws {
        for (name, age) in zip("abcd", [10, 20, 30, 40]) { context.citizen("\(name)").age = age }
        let young = CompoundPredicate<Citizen>(#Predicate { $0.age < 25 })
        let named = try CompoundPredicate<Citizen>("name IN %@", ["b", "d"])
        #expect(try names(request(young && named)) == "b")
        #expect(try names(request(young || named)) == "abd")
        #expect(try names(request(!young)) == "cd")
        #expect(try names(request(!(young || !named))) == "d")
        #expect(try names(request(young && !named)) == "a")
    }

    @Test func `of no conditions all hold, and not one`() throws {
        _ = context.citizen("a")
        #expect(try names(request(.all([]))) == "a")
        #expect(try names(request(.any([]))) == "")
        #expect(try names(request(!.any([]))) == "a")
    }

    @Test func `a request has it besides all else`() throws {
        for (name, age) in zip("abcdef", [10, 20, 30, 40, 50, 60]) {
            context.citizen("\(name)").age = age
        }
        var request = try request(
            .any([
                CompoundPredicate("age < 25"), CompoundPredicate(#Predicate { $0.age > 45 }),
            ]))
        request.predicate = #Predicate { $0.age > 10 }
        request.format = try PredicateFormat("name != 'e'")
        #expect(try names(request) == "bf")
        #expect(try context.count(request) == 2)
        request.limit = 1
        request.offset = 1
        #expect(try names(request) == "f")
        try context.save()
        #expect(try context.store.snapshot().identifiers(of: request).count == 1)
    }

    // MARK: - Indexes, and what is asked of objects

    @Test func `an index serves each of its parts`() throws {
        for (number, name) in "abcdefghij".enumerated() {
            context.land("\(name)").number = number
        }
        let either = try FetchRequest<Land>(
            where: CompoundPredicate(#Predicate { $0.name == "c" })
                || CompoundPredicate("number == 7"),
            sortBy: [SortDescriptor(\.name)])
        #expect(try context.fetch(either).map(\.name) == ["c", "h"])
        let explanation = try "\(either.explain(in: context))"
        #expect(explanation.contains("name"))
        #expect(!explanation.contains("object says so"), "\(explanation)")
    }

    @Test func `what was not compiled is asked together with what lies around it`() throws {
        for (name, age) in zip("abcd", [10, 20, 30, 40]) { context.citizen("\(name)").age = age }
        let computed = CompoundPredicate<Citizen>(#Predicate { $0.isEven })
        #expect(try names(request(computed)) == "bd")
        #expect(try names(request(!computed)) == "ac")
        #expect(try names(request(computed || CompoundPredicate("age == 10"))) == "abd")
        #expect(try names(request(computed && CompoundPredicate("age < 30"))) == "b")
        #expect(try names(request(!(computed && CompoundPredicate("age < 30")))) == "acd")
        #expect(try !request(!computed).explain(in: context).notCompiled.isEmpty)
    }

    @Test func `a format beside what is not compiled asks all members of an owner once`() throws {
        let home = Town(context: context)
        for age in 0..<4_000 {
            let citizen = context.citizen("a")
            citizen.age = age
            citizen.home = home
        }
        let odd = !CompoundPredicate<Citizen>(#Predicate { $0.isEven })
        func count(_ format: String) throws -> Int {
            try context.count(request(odd || CompoundPredicate(format)))
        }
        // It would take half a minute if the members were asked again for each citizen.
        #expect(try count("age > home.residents.@avg.age") == 3_000)
        #expect(try count("home.residents.@min.age == age") == 2_001)
        #expect(try count("ANY home.residents.age == age + 3990") == 2_010)
    }

    @Test func `where a part has no result it does not hold`() throws {
        for (name, age) in zip("ab", [10, 0]) { context.citizen("\(name)").age = age }
        let divided = CompoundPredicate<Citizen>(#Predicate { 100 / $0.age > 1 })
        #expect(try names(request(divided)) == "a")
        #expect(try names(request(!divided)) == "b")
        #expect(try names(request(divided || CompoundPredicate("TRUEPREDICATE"))) == "ab")
    }

    // MARK: - Mistakes

    @Test func `a mistake in a part is told when the request is made`() throws {
        let wrong = try CompoundPredicate<Citizen>("agee > 3")
        let right = CompoundPredicate<Citizen>(#Predicate { $0.age > 3 })
        let error = #expect(throws: PredicateFormatError.self) { try request(right && !wrong) }
        #expect("\(try #require(error))".contains("age"))
        var later = FetchRequest<Citizen>()
        later.compound = .any([right, wrong])
        #expect(throws: ContextError.self) { try context.fetch(later) }
        #expect(throws: ContextError.self) { try FetchedResultsController(later, in: context) }
        #expect(throws: PredicateFormatError.self) { try CompoundPredicate<Citizen>("age >") }
    }

    @Test func `chains of any length are asked, and what lies too deep is refused`() throws {
        for (name, age) in zip("ab", [1, 2]) { context.citizen("\(name)").age = age }
        let two = CompoundPredicate<Citizen>(#Predicate { $0.age == 2 })
        let chain = (0..<500).reduce(two) { chain, number in
            chain || CompoundPredicate(#Predicate { $0.age == -number })
        }
        #expect(try names(request(chain)) == "b")
        #expect(try names(request((0..<10_001).reduce(two) { predicate, _ in !predicate })) == "a")
        let deep = (0..<10_000).reduce(two) { predicate, number in
            number % 2 == 0 ? predicate && two : predicate || !two
        }
        let error = #expect(throws: PredicateFormatError.self) { try request(deep) }
        #expect("\(try #require(error))".contains("levels of nesting"))
        var later = FetchRequest<Citizen>()
        later.compound = !deep
        #expect(throws: ContextError.self) { try context.fetch(later) }
        let shallow = (0..<190).reduce(two) { predicate, number in
            number % 2 == 0 ? predicate && two : predicate || two
        }
        #expect(try names(request(shallow)) == "b")
    }

    @Test func `a chain that grows leaves those as they are from which it grew`() throws {
        for name in "abcd" { _ = context.citizen("\(name)") }
        let named = try "abcd".map { try CompoundPredicate<Citizen>("name == %@", "\($0)") }
        let (a, b, c, d) = (named[0], named[1], named[2], named[3])
        let ab = a || b
        let (abc, abd) = (ab || c, ab || d)
        #expect(try names(request(ab)) == "ab")
        #expect(try names(request(abc)) == "abc")
        #expect(try names(request(abd)) == "abd")
        #expect(try names(request(abc || abd)) == "abcd")
        #expect(try names(request(abc || abc)) == "abc")
        #expect(try names(request(abc && abd)) == "ab")
        #expect(try names(request(abc && abd && !a)) == "b")
        #expect(try names(request((ab || c) && !c)) == "ab")
        // It would take half a minute if all of it were copied each time.
        let young = CompoundPredicate<Citizen>(#Predicate { $0.age < 0 })
        let chain = (0..<20_000).reduce(young) { chain, _ in chain || young }
        #expect(throws: Never.self) { try request(chain) }
    }

    // MARK: - At random

    /// A condition, and what it means for a citizen.
    private struct Condition {
        let predicate: CompoundPredicate<Citizen>
        let holds: (Citizen) -> Bool

        static func random(
            _ depth: Int, using random: inout SeededGenerator
        ) throws -> Condition {
            guard depth > 0 else { return try leaf(using: &random) }
            func part() throws -> Condition { try .random(depth - 1, using: &random) }
            switch Int.random(in: 0..<6, using: &random) {
            case 0, 1:
                let (left, right) = (try part(), try part())
                return Condition(predicate: left.predicate && right.predicate) {
                    left.holds($0) && right.holds($0)
                }
            case 2, 3:
                let (left, right) = (try part(), try part())
                return Condition(predicate: left.predicate || right.predicate) {
                    left.holds($0) || right.holds($0)
                }
            case 4:
                let part = try part()
                return Condition(predicate: !part.predicate) { !part.holds($0) }
            default: return try leaf(using: &random)
            }
        }

        private static func leaf(using random: inout SeededGenerator) throws -> Condition {
            let age = Int.random(in: 0..<20, using: &random)
            switch Int.random(in: 0..<6, using: &random) {
            case 0: return Condition(predicate: .init(#Predicate { $0.age < age })) { $0.age < age }
            case 1:
                return Condition(predicate: try .init("age == %@", age)) { $0.age == age }
            case 2: return Condition(predicate: .init(#Predicate { $0.isEven })) { $0.isEven }
            case 3:
                return Condition(predicate: try .init("guardian.age > %@", age)) {
                    $0.guardian.map { $0.age > age } ?? false
                }
            case 4:
                return Condition(
                    predicate: .init(#Predicate { $0.wards.contains { $0.age < age } })
                ) { $0.wards.contains { $0.age < age } }
            default:
                return Condition(predicate: .init(#Predicate { 20 / $0.age > 2 })) {
                    $0.age != 0 && 20 / $0.age > 2
                }
            }
        }
    }

    @Test(arguments: 0..<8) func `what is combined holds where its parts say so, live as well`(
        seed: Int
    ) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let all = (0..<30).map { number in
            let citizen = context.citizen("\(number + 100)")
            citizen.age = .random(in: 0..<20, using: &random)
            return citizen
        }
        try context.save()
        let conditions = try (0..<6).map { _ in try Condition.random(3, using: &random) }
        let requests = try conditions.map { try request($0.predicate) }
        let lists = try requests.map { try FetchedResultsController($0, in: context) }
        for _ in 0..<60 {
            let citizen = all.randomElement(using: &random) ?? all[0]
            switch Int.random(in: 0..<8, using: &random) {
            case 0...3: citizen.age = .random(in: 0..<20, using: &random)
            case 4, 5: citizen.guardian = all.randomElement(using: &random)
            case 6: citizen.guardian = nil
            default:
                if Bool.random(using: &random) { try context.save() } else { context.rollback() }
            }
            context.processPendingChanges()
            let living = try context.fetch(Citizen.self).sorted { $0.name < $1.name }
            for ((condition, request), list) in zip(zip(conditions, requests), lists) {
                let expected = living.filter(condition.holds).map(\.name)
                #expect(try context.fetch(request).map(\.name) == expected, "seed \(seed)")
                #expect(try context.count(request) == expected.count, "seed \(seed)")
                #expect(try context.exists(request) == !expected.isEmpty, "seed \(seed)")
                #expect(list.objects.map(\.name) == expected, "seed \(seed)")
            }
        }
    }
}

extension Citizen {
    /// What is computed, so that each object must be asked.
    fileprivate var isEven: Bool { age / 10 % 2 == 0 }
}

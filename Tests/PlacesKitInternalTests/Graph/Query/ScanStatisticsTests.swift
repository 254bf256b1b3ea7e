import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph

/// Scans that skip chunks, or take them whole, beside a look at each row.
@Suite struct ScanStatisticsTests {
    final class Sample: ManagedObject {
        @Attribute var number = 0
        @Attribute var maybeNumber: Int?
        @Attribute var real = 0.0
        @Attribute var maybeReal: Double?
        @Attribute var date = Date.distantPast
        @Attribute var wide: UInt64 = 0
        @Attribute var text = ""
        @Attribute var maybeText: String?
    }

    private static let operators: [ComparisonOperator] = [
        .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual,
    ]
    private static let texts = [
        "", "a", "é", "e\u{301}", "fifteen letters", "more than fifteen letters", "K", "\u{212a}",
        "more than fifteen lettres", "Zürich, and more than fifteen",
    ]

    /// Samples whose values lie in bands, some the same for a whole chunk.
    private static func fill(_ samples: [Sample], _ random: inout SplitMix64) {
        let isSame = random.below(3) == 0
        for (position, sample) in samples.enumerated() {
            let number = isSame ? position / 2_048 : position / 300 - random.below(3)
            sample.number = random.below(700) == 0 ? .max : number
            sample.maybeNumber = position / 1_024 == 1 || random.below(9) == 0 ? nil : number
            sample.real = random.below(900) == 0 ? .nan : number == 0 ? -0.0 : Double(number) / 2
            sample.maybeReal =
                random.below(4) == 0 ? nil : position / 1_024 == 2 ? .nan : sample.real
            sample.date = Date(timeIntervalSinceReferenceDate: Double(number))
            sample.wide = UInt64.max - UInt64(max(0, min(number, 1_000)))
            sample.text = random.pick(texts)
            sample.maybeText = random.below(3) == 0 ? nil : sample.text
        }
    }

    @Test(arguments: [UInt64](1...3))
    func `a scan finds the same with what is known of chunks, before and after writes`(
        seed: UInt64
    ) throws {
        var random = SplitMix64(seed: seed)
        let context = ManagedObjectContext(try GraphStore(model: [Sample.self]))
        var samples = (0..<3_300).map { _ in Sample(context: context) }
        Self.fill(samples, &random)
        for step in 0..<5 {
            // What was frozen is asked twice before it is known; what is being written never is.
            for _ in 0..<(step == 0 ? 1 : 3) {
                try check(context.transaction.graph, &random, "seed \(seed), step \(step)")
            }
            let snapshot = context.snapshot().committed.graph
            for _ in 0..<3 { try check(snapshot, &random, "seed \(seed), snapshot \(step)") }
            for _ in 0..<10 {
                let sample = random.pick(samples)
                sample.number = random.pick([-5, 3, 1_000_000, .min])
                sample.maybeNumber = random.below(2) == 0 ? nil : -9
                sample.real = random.pick([.infinity, -.infinity, .nan, 1])
                sample.text = random.pick(Self.texts)
            }
            try check(context.transaction.graph, &random, "seed \(seed), written \(step)")
            if step == 2 {
                for sample in samples.prefix(1_100) { context.delete(sample) }
                samples.removeFirst(1_100)
            }
            if random.below(2) == 0 { try context.save() }
        }
    }

    private func check(_ graph: Graph, _ random: inout SplitMix64, _ note: String) throws {
        let rows = graph.rows(in: 0).rows
        for slot in Slot(0)..<8 {
            let comparison = random.pick(Self.operators)
            var constant = graph.value(random.pick(Array(rows)), slot, in: 0)
            if case .integer(let number) = constant, number < 1_000 {
                constant = .integer(number + Int64(random.below(3)) - 1)
            }
            if case .string = constant { constant = .string(random.pick(Self.texts)) }
            let condition = Condition.comparison(
                .attribute([slot]), comparison, .constant(constant))
            let expected = rows.filter { graph.matches(condition, $0, in: 0) { _ in false } }
            #expect(
                graph.fetchRows(condition, in: 0) { _ in false } == ContiguousArray(expected),
                "\(note), \(slot) \(comparison) \(constant)")
        }
    }

    @Test func `explain tells of chunks that are skipped and taken whole`() throws {
        let store = try GraphStore(model: [Sample.self])
        let writing = ManagedObjectContext(store)
        for number in 0..<4_096 { Sample(context: writing).number = number }
        try writing.save()
        let context = ManagedObjectContext(store)
        let request = FetchRequest<Sample>(predicate: #Predicate { $0.number >= 2_000 })
        func note() throws -> String? { try request.explain(in: context).steps.first?.note }
        #expect(try note() == nil)
        #expect(try note() == "1 chunks skipped, 2 taken whole")
        #expect(try context.count(request) == 2_096)
        try context.fetch(Sample.self)[0].number = 5_000
        #expect(try context.count(request) == 2_097)
        #expect(try note() == "0 chunks skipped, 2 taken whole")
    }

    @Test func `bounds decide only what they can`() {
        var bounds = NumberBounds()
        #expect(bounds.verdict(.less, 3) == false)
        #expect(bounds.verdict(.notEqual, 3) == true)
        bounds.include(3)
        #expect(
            Self.operators.map { bounds.verdict($0, 3) } == [true, false, false, true, false, true])
        bounds.include(5)
        #expect(Self.operators.map { bounds.verdict($0, 4) } == [nil, nil, nil, nil, nil, nil])
        #expect(
            Self.operators.map { bounds.verdict($0, 6) } == [false, true, true, true, false, false])
        bounds.include(nil)
        #expect(
            Self.operators.map { bounds.verdict($0, 6) } == [false, true, nil, nil, false, false])
    }
}

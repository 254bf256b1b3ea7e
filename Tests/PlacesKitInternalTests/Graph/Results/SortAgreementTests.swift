import Foundation
import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Sorting all rows, as a fetch does, and comparing two, as a results controller does, are one order.
@Suite struct SortAgreementTests {
    private final class Sample: ManagedObject {
        @Attribute var flag = false
        @Attribute var integer = 0
        @Attribute var optionalInteger: Int?
        @Attribute var double = 0.0
        @Attribute var optionalDouble: Double?
        @Attribute var date: Date?
        @Attribute var text = ""
        @Attribute var optionalText: String?
        @Attribute var uuid: UUID?
        @Attribute var data: Data?
        @Attribute var url: URL?
        @Relationship var other: Sample?
    }

    @Test(arguments: [UInt64](1...3))
    func `sorting rows and comparing two of them agree on every type`(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let context = ManagedObjectContext(try GraphStore(model: [Sample.self]))
        var samples: [Sample] = []
        for _ in 0..<60 {
            let sample = Sample(context: context)
            fill(sample, &generator)
            if Bool.random(using: &generator) {
                sample.other = samples.randomElement(using: &generator)
            }
            samples.append(sample)
        }
        let graph = context.transaction.graph
        let rows = ContiguousArray(samples.map(\.row))
        let relationship = Slot(graph.schema.entities[0].properties.count - 1)
        for slot in Slot(0)..<relationship {
            for path in [[slot], [relationship, slot]] {
                for isAscending in [true, false] {
                    let keys = [
                        SortKey(operand: .attribute(path), isAscending: isAscending),
                        SortKey(operand: .attribute([0]), isAscending: true),
                    ]
                    let order = RowOrder(keys: keys, table: 0)
                    let sorted = graph.sorted(rows, by: keys, in: 0, first: rows.count)
                    for (position, row) in sorted.enumerated() {
                        for (otherPosition, other) in sorted.enumerated() {
                            let precedes = graph.precedes(row, other, by: keys, in: 0)
                            let isBefore = order.precedes(
                                order.entry(row, in: graph), order.entry(other, in: graph),
                                in: graph)
                            #expect(isBefore == precedes, "seed \(seed), rows \(row), \(other)")
                            #expect(
                                precedes == (position < otherPosition),
                                """
                                seed \(seed), \(graph.schema.entities[0].properties[slot].name): \
                                \(graph.value(of: keys[0].operand, row, in: 0)) and \
                                \(graph.value(of: keys[0].operand, other, in: 0))
                                """)
                        }
                    }
                }
            }
        }
    }

    @Test func `rows precede one another as they are sorted`() throws {
        let context = try SpecimenWorld(seed: 4).context
        let keys = try #require(
            try context.sortKeys([
                SortDescriptor(\Specimen.maybeDouble, order: .reverse),
                SortDescriptor(\Specimen.shelf?.name), SortDescriptor(\Specimen.maybeUUID),
            ]))
        let graph = context.transaction.graph
        let rows = graph.rows(in: 0).rows
        let sorted = graph.sorted(rows, by: keys, in: 0, first: nil)
        for (first, second) in zip(sorted, sorted.dropFirst()) {
            #expect(graph.precedes(first, second, by: keys, in: 0))
            #expect(!graph.precedes(second, first, by: keys, in: 0))
        }
    }

    private func fill(_ sample: Sample, _ generator: inout SeededGenerator) {
        let doubles = [
            0, -0.0, 1, -1, .nan, -.nan, .infinity, -.infinity, .leastNonzeroMagnitude,
            .greatestFiniteMagnitude, 0.1,
        ]
        let texts = ["", "a", "A", "b", "é", "e\u{301}", "z", "ß", "日本"]
        let uuids = [
            "00000000-0000-0000-0000-000000000001", "FFFFFFFF-0000-0000-0000-000000000001",
        ]
        sample.flag = Bool.random(using: &generator)
        sample.integer = [0, 1, -1, .min, .max].randomElement(using: &generator) ?? 0
        sample.optionalInteger =
            [nil, 0, 1, -1, .min, .max].randomElement(using: &generator) ?? nil
        sample.double = doubles.randomElement(using: &generator) ?? 0
        sample.optionalDouble =
            Bool.random(using: &generator)
            ? nil : doubles.randomElement(using: &generator)
        sample.date =
            Bool.random(using: &generator)
            ? nil
            : doubles.randomElement(using: &generator).map(
                Date.init(timeIntervalSinceReferenceDate:))
        sample.text = texts.randomElement(using: &generator) ?? ""
        sample.optionalText =
            Bool.random(using: &generator)
            ? nil : texts.randomElement(using: &generator)
        sample.uuid = uuids.randomElement(using: &generator).flatMap(UUID.init(uuidString:))
        sample.data = [nil, Data(), Data([1])].randomElement(using: &generator) ?? nil
        sample.url = URL(string: ["https://a.org", "https://b.org"][sample.flag ? 0 : 1])
    }
}

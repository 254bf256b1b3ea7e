import Foundation
import Testing

@testable import PlacesKit

/// Sort descriptors, compared with Foundation's own sorting of the objects.
@Suite struct SortTests {
    @Test func `every type of attribute, up and down`() throws {
        try checkSorting {
            for order in [SortOrder.forward, .reverse] {
                [SortDescriptor(\Specimen.integer, order: order)]
                [SortDescriptor(\Specimen.maybeInteger, order: order)]
                [SortDescriptor(\Specimen.small, order: order)]
                [SortDescriptor(\Specimen.maybeSmall, order: order)]
                [SortDescriptor(\Specimen.big, order: order)]
                [SortDescriptor(\Specimen.maybeBig, order: order)]
                [SortDescriptor(\Specimen.decimal, order: order)]
                [SortDescriptor(\Specimen.maybeDecimal, order: order)]
                [SortDescriptor(\Specimen.text, order: order)]
                [SortDescriptor(\Specimen.maybeText, order: order)]
                [SortDescriptor(\Specimen.text, comparator: .lexical, order: order)]
                [SortDescriptor(\Specimen.maybeText, comparator: .lexical, order: order)]
                [SortDescriptor(\Specimen.date, order: order)]
                [SortDescriptor(\Specimen.maybeDate, order: order)]
                [SortDescriptor(\Specimen.uuid, order: order)]
                [SortDescriptor(\Specimen.maybeUUID, order: order)]
            }
        }
    }

    @Test func `several keys, and insertion for ties`() throws {
        try checkSorting {
            []
            [
                SortDescriptor(\Specimen.maybeSmall),
                SortDescriptor(\Specimen.small, order: .reverse),
            ]
            [
                SortDescriptor(\Specimen.maybeText, order: .reverse),
                SortDescriptor(\Specimen.maybeDate), SortDescriptor(\Specimen.code),
            ]
            [SortDescriptor(\Specimen.tags.count), SortDescriptor(\Specimen.maybeUUID)]
        }
    }

    @Test func `values across relationships`() throws {
        try checkSorting {
            [SortDescriptor(\Specimen.shelf?.name)]
            [SortDescriptor(\Specimen.shelf?.height, order: .reverse)]
            [SortDescriptor(\Specimen.shelf?.room?.name), SortDescriptor(\Specimen.integer)]
            [SortDescriptor(\Specimen.parent?.parent?.maybeInteger)]
            [SortDescriptor(\Specimen.shelf?.specimens.count)]
            [SortDescriptor(\Specimen.tags.count, order: .reverse)]
            [SortDescriptor(\Specimen.children.count)]
        }
    }

    @Test func `what is not compiled`() throws {
        try checkSorting(isCompiled: false) {
            [SortDescriptor(\Specimen.shout)]
            [SortDescriptor(\Specimen.doubled, order: .reverse), SortDescriptor(\Specimen.text)]
            [SortDescriptor(\Specimen.maybeText), SortDescriptor(\Specimen.shout)]
            [SortDescriptor(\Specimen.mood), SortDescriptor(\Specimen.integer)]
            [SortDescriptor(\Specimen.maybeMood, order: .reverse)]
        }
    }

    @Test func `what is not a number comes last, and first in reverse`() throws {
        for seed in [UInt64(1), 2] {
            let context = try SpecimenWorld(seed: seed).context
            for order in [SortOrder.forward, .reverse] {
                func sorted(_ descriptor: SortDescriptor<Specimen>) throws -> [Specimen] {
                    let all = Array(try context.fetch(FetchRequest(sortBy: [descriptor])))
                    return order == .forward ? all : all.reversed()
                }
                let doubles = try sorted(SortDescriptor(\.double, order: order)).map(\.double)
                let numbers = Array(doubles.prefix { !$0.isNaN })
                #expect(numbers == numbers.sorted())
                #expect(doubles.count > numbers.count)
                #expect(doubles.filter(\.isNaN).count == doubles.count - numbers.count)
                let floats = try sorted(SortDescriptor(\.maybeFloat, order: order))
                    .map(\.maybeFloat)
                let values = floats.drop { $0 == nil }.compactMap(\.self)
                #expect(values.count == floats.count { $0 != nil })
                let finite = values.filter { !$0.isNaN }
                #expect(finite == finite.sorted())
            }
        }
    }

    @Test func `rows precede one another as they are sorted`() throws {
        let context = try SpecimenWorld(seed: 4).context
        let keys = try #require(
            context.sortKeys([
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

    // MARK: - Checking

    private func checkSorting(
        isCompiled: Bool = true, @SortListBuilder _ lists: () -> [[SortDescriptor<Specimen>]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for seed in [UInt64(1), 2] {
            let context = try SpecimenWorld(seed: seed).context
            let all = Array(try context.fetch(Specimen.self))
            for descriptors in lists() {
                #expect((context.sortKeys(descriptors) != nil) == isCompiled)
                let expected = all.sorted(using: descriptors)
                for (limit, offset) in windows(all.count) {
                    let request = FetchRequest(
                        predicate: #Predicate<Specimen> { _ in true }, sortBy: descriptors,
                        limit: limit, offset: offset)
                    let window = expected.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max))
                    let difference = Array(try context.fetch(request))
                        .difference(to: Array(window))
                    #expect(
                        difference == nil,
                        "Seed \(seed), \(descriptors), \(limit as Any), \(offset)",
                        sourceLocation: sourceLocation)
                    #expect(try context.count(request) == window.count)
                }
            }
        }
    }

    /// Limits and offsets: none, few, many, all, more, absurd.
    private func windows(_ count: Int) -> [(limit: Int?, offset: Int)] {
        [
            (nil, 0), (0, 0), (1, 0), (7, 0), (7, 5), (count / 3, 2), (count - 1, 1), (count, 0),
            (count + 9, 3), (.max, .max), (.max, 1), (nil, count - 2), (3, count), (3, count + 1),
            (-1, 0), (.min, .min), (4, -4), (nil, .max),
        ]
    }
}

/// Lists sort orders, each checked by the compiler on its own.
@resultBuilder
private enum SortListBuilder {
    static func buildExpression(
        _ descriptors: [SortDescriptor<Specimen>]
    ) -> [[SortDescriptor<Specimen>]] {
        [descriptors]
    }

    static func buildBlock(
        _ lists: [[SortDescriptor<Specimen>]]...
    ) -> [[SortDescriptor<Specimen>]] {
        lists.flatMap(\.self)
    }

    static func buildArray(
        _ lists: [[[SortDescriptor<Specimen>]]]
    ) -> [[SortDescriptor<Specimen>]] {
        lists.flatMap(\.self)
    }
}

import Foundation
import PlacesKit
import Testing

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
                [SortDescriptor(\Specimen.flag, order: order)]
                [SortDescriptor(\Specimen.maybeFlag, order: order)]
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

    @Test func `a live list with what is true first follows each change`() throws {
        let context = try SpecimenWorld(seed: 1).context
        let request = FetchRequest<Specimen>(sortBy: [
            SortDescriptor(\.flag, order: .reverse), SortDescriptor(\.maybeFlag, nils: .last),
            SortDescriptor(\.code),
        ])
        let results = try FetchedResultsController(request, in: context)
        let all = Array(try context.fetch(Specimen.self))
        for (number, specimen) in all.prefix(30).enumerated() {
            specimen.flag.toggle()
            specimen.maybeFlag = [nil, true, false][number % 3]
            context.processPendingChanges()
            let expected = all.sorted {
                if $0.flag != $1.flag { return $0.flag }
                guard $0.maybeFlag == $1.maybeFlag else {
                    return $1.maybeFlag == nil || $0.maybeFlag == false && $1.maybeFlag == true
                }
                return $0.code < $1.code
            }
            #expect(Array(results.objects) == expected)
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

    @Test func `text as the Finder orders it, on every platform`() throws {
        try checkSorting {
            for order in [SortOrder.forward, .reverse] {
                [SortDescriptor(\Specimen.text, comparator: .localizedStandard, order: order)]
                [SortDescriptor(\Specimen.maybeText, comparator: .localizedStandard, order: order)]
                [
                    SortDescriptor(
                        \Specimen.shelf?.name, comparator: .localizedStandard, order: order),
                    SortDescriptor(\Specimen.maybeSmall, order: order),
                ]
            }
        }
        let context = try TownModel.context()
        for name in ["photo 10", "Photo 9", "Zoo", "école", "eclair", "photo 9"] {
            _ = context.land(name)
        }
        let request = FetchRequest<Land>(
            sortBy: [SortDescriptor(\.name, comparator: .localizedStandard)])
        let names = try context.values(of: \.name, for: request)
        #expect(
            names.map { $0.lowercased() }
                == ["eclair", "école", "photo 9", "photo 9", "photo 10", "zoo"])
    }

    @Test func `canonically equal texts are one in localized orders, so the next key counts`()
        throws
    {
        for (composed, decomposed) in [
            ("が", "か\u{3099}"), ("é", "e\u{301}"), ("한", "\u{1112}\u{1161}\u{11ab}"),
            ("ợ", "o\u{31b}\u{323}"), ("ヴ", "ウ\u{3099}"), ("ẛ̣", "\u{17f}\u{323}\u{307}"),
        ] {
            let context = try ShelfModel.context()
            for (size, title) in [(3, composed), (2, decomposed), (1, composed)] {
                let item = ShelfModel.Item(context: context)
                (item.size, item.title) = (size, title)
            }
            let request = FetchRequest<ShelfModel.Item>(
                sortBy: [
                    SortDescriptor(\.title, comparator: .localizedStandard), SortDescriptor(\.size),
                ])
            #expect(try context.values(of: \.size, for: request) == [1, 2, 3], "\(composed)")
            let same = ComparisonResult.orderedSame
            let equal = FetchRequest<ShelfModel.Item>(
                predicate: #Predicate { $0.title.localizedCompare(decomposed) == same })
            #expect(try context.count(equal) == 3, "\(composed)")
        }
    }

    @Test func `no value where the sort says, up and down`() throws {
        try checkSorting {
            for (order, nils) in Self.ends {
                [SortDescriptor(\Specimen.maybeInteger, order: order, nils: nils)]
                [SortDescriptor(\Specimen.maybeSmall, order: order, nils: nils)]
                [SortDescriptor(\Specimen.maybeBig, order: order, nils: nils)]
                [SortDescriptor(\Specimen.maybeDecimal, order: order, nils: nils)]
                [SortDescriptor(\Specimen.maybeText, order: order, nils: nils)]
                [SortDescriptor(\Specimen.maybeDate, order: order, nils: nils)]
                [SortDescriptor(\Specimen.maybeUUID, order: order, nils: nils)]
                [SortDescriptor(\Specimen.maybeMood, order: order, nils: nils)]
                [
                    SortDescriptor(\Specimen.shelf?.height, order: order, nils: nils),
                    SortDescriptor(\Specimen.maybeSmall, nils: nils),
                ]
                [
                    SortDescriptor(
                        \Specimen.shelf?.name, comparator: .localizedStandard, order: order,
                        nils: nils)
                ]
                [SortDescriptor(\Specimen.shelf?.specimens.count, order: order, nils: nils)]
            }
        }
    }

    private static var ends: [(SortOrder, NilPosition)] {
        [(.forward, .first), (.forward, .last), (.reverse, .first), (.reverse, .last)]
    }

    @Test func `a comparator of one's own, for every type`() throws {
        try checkSorting {
            for (order, nils) in Self.ends {
                [SortDescriptor(\Specimen.text, comparator: ByLength(), order: order)]
                [SortDescriptor(\Specimen.text, comparator: ByLength(order: .reverse))]
                [
                    SortDescriptor(
                        \Specimen.maybeText, comparator: ByLength(order: .reverse), order: order,
                        nils: nils)
                ]
                [SortDescriptor(\Specimen.maybeText, comparator: ByLength(), order: order)]
                [
                    SortDescriptor(
                        \Specimen.shelf?.name, comparator: ByLength(), order: order, nils: nils),
                    SortDescriptor(\Specimen.integer, comparator: By(\.leadingZeroBitCount)),
                ]
                [SortDescriptor(\Specimen.small, comparator: By(\.magnitude), order: order)]
                [SortDescriptor(\Specimen.big, comparator: By(\.nonzeroBitCount), order: order)]
                [SortDescriptor(\Specimen.double, comparator: By(\.exponent), order: order)]
                [SortDescriptor(\Specimen.maybeFloat, comparator: By(\.exponent), order: order)]
                [SortDescriptor(\Specimen.decimal, comparator: By(\.exponent), order: order)]
                [SortDescriptor(\Specimen.flag, comparator: By(\.description), order: order)]
                [
                    SortDescriptor(
                        \Specimen.maybeFlag, comparator: By(\.description), order: order, nils: nils
                    )
                ]
                [
                    SortDescriptor(
                        \Specimen.date, comparator: By(\.timeIntervalSince1970.exponent),
                        order: order)
                ]
                [SortDescriptor(\Specimen.uuid, comparator: By(\.uuid.15), order: order)]
                [SortDescriptor(\Specimen.url, comparator: By(\.absoluteString), order: order)]
                [SortDescriptor(\Specimen.data, comparator: By(\.count), order: order)]
                [SortDescriptor(\Specimen.maybeData, comparator: By(\.count), nils: nils)]
                [SortDescriptor(\Specimen.traits, comparator: By(\.rawValue), order: order)]
                [SortDescriptor(\Specimen.mood, comparator: By(\.rawValue), order: order)]
                [SortDescriptor(\Specimen.maybeMood, comparator: By(\.rawValue), nils: nils)]
                [
                    SortDescriptor(
                        \Specimen.tags.count, comparator: By(\.nonzeroBitCount), order: order)
                ]
                [SortDescriptor(\Specimen.integer, comparator: ComparableComparator<Int>())]
            }
        }
    }

    @Test func `values of types that have an order of their own`() throws {
        try checkSorting {
            for order in [SortOrder.forward, .reverse] {
                [SortDescriptor(\Specimen.mood, order: order), SortDescriptor(\Specimen.integer)]
                [SortDescriptor(\Specimen.maybeMood, order: order)]
            }
        }
    }

    @Test func `descriptors are equal where their comparators are`() {
        func descriptor(_ order: SortOrder, _ nils: NilPosition) -> SortDescriptor<Specimen> {
            SortDescriptor(\.maybeText, comparator: ByLength(order: order), nils: nils)
        }
        #expect(descriptor(.forward, .last) == descriptor(.forward, .last))
        #expect(descriptor(.forward, .last) != descriptor(.forward, .first))
        #expect(descriptor(.forward, .last) != descriptor(.reverse, .last))
    }

    @Test func `a comparator that contradicts itself gives all objects in some order`() throws {
        let context = try SpecimenWorld(seed: 1).context
        let request = FetchRequest<Specimen>(
            sortBy: [SortDescriptor(\.integer, comparator: Nonsense())])
        let all = Set(try context.identifiers(of: FetchRequest<Specimen>()))
        #expect(Set(try context.identifiers(of: request)) == all)
    }

    @Test func `random keys and windows`() throws {
        for seed in UInt64(10)..<12 {
            let context = try SpecimenWorld(seed: seed, saved: 120).context
            var random = SplitMix64(seed: seed)
            let all = Array(try context.fetch(Specimen.self))
            for _ in 0..<40 {
                let keys = (0...random.below(4)).map { _ in SortDescriptor<Specimen>.random(&random)
                }
                let (limit, offset) = (random.below(all.count + 9), random.below(20))
                let found = try context.fetch(
                    FetchRequest(sortBy: keys, limit: limit, offset: offset))
                let expected = all.sorted(using: keys).dropFirst(offset).prefix(limit)
                let difference = Array(found).difference(to: Array(expected))
                #expect(difference == nil, "Seed \(seed), \(keys), \(limit), \(offset)")
            }
        }
    }

    @Test func `what is not compiled`() throws {
        try checkSorting(isCompiled: false) {
            [SortDescriptor(\Specimen.shout)]
            [SortDescriptor(\Specimen.doubled, order: .reverse), SortDescriptor(\Specimen.text)]
            [SortDescriptor(\Specimen.maybeText), SortDescriptor(\Specimen.shout)]
            [SortDescriptor(\Specimen.shout, comparator: ByLength())]
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

    @Test func `a computed number that is none comes last too, whatever else sorts`() throws {
        let context = ManagedObjectContext(
            try GraphStore(model: [Specimen.self, Shelf.self, Room.self, Tag.self, Label.self]))
        for (number, value) in [Double.nan, 1, .nan, 2, 0].enumerated() {
            let specimen = Specimen(context: context)
            (specimen.double, specimen.maybeDouble) = (value, value)
            specimen.integer = number
        }
        Specimen(context: context).integer = 5
        func order(_ descriptors: SortDescriptor<Specimen>...) throws -> [Int] {
            try context.fetch(FetchRequest(sortBy: descriptors)).map(\.integer)
        }
        let computed = SortDescriptor(\Specimen.doubled, order: .reverse)
        // The last has half of one.
        #expect(try order(SortDescriptor(\.double), computed) == [4, 5, 1, 3, 2, 0])
        #expect(try order(SortDescriptor(\.halved)) == [4, 5, 1, 3, 0, 2])
        #expect(
            try order(SortDescriptor(\.halved, order: .reverse), computed) == [2, 0, 3, 1, 5, 4])
        #expect(try order(SortDescriptor(\.maybeHalved)) == [5, 4, 1, 3, 0, 2])
        #expect(try order(SortDescriptor(\.maybeHalved, nils: .last)) == [4, 1, 3, 0, 2, 5])
    }

    @Test func `what is not a number comes last where values compare themselves`() throws {
        let context = ManagedObjectContext(try GraphStore(model: [Thermometer.self]))
        for value in [3, .nan, 1, 5, .nan, 2] as [Double] {
            let thermometer = Thermometer(context: context)
            (thermometer.value, thermometer.degrees) = (value, Degrees(rawValue: value))
            thermometer.day = Date(timeIntervalSinceReferenceDate: value)
        }
        let (down, early) = (
            ComparableComparator<Double>(order: .reverse),
            ComparableComparator<Date>(order: .reverse)
        )
        let orders: [(descriptor: SortDescriptor<Thermometer>, isAscending: Bool)] = [
            (SortDescriptor(\.value, comparator: down), false),
            (SortDescriptor(\.value, comparator: down, order: .reverse), true),
            (SortDescriptor(\.day, comparator: early), false),
            (SortDescriptor(\.degrees), true), (SortDescriptor(\.degrees, order: .reverse), false),
        ]
        let lists = try orders.map {
            try FetchedResultsController(FetchRequest(sortBy: [$0.descriptor]), in: context)
        }
        func check(_ numbers: [Double]) throws {
            for ((descriptor, isAscending), list) in zip(orders, lists) {
                let found = try context.fetch(FetchRequest(sortBy: [descriptor])).map(\.value)
                for values in [found, list.objects.map(\.value)] {
                    let ascending = isAscending ? values : values.reversed()
                    #expect(Array(ascending.prefix(numbers.count)) == numbers, "\(descriptor)")
                    #expect(ascending.dropFirst(numbers.count).filter { !$0.isNaN } == [])
                }
            }
        }
        try check([1, 2, 3, 5])
        let thermometer = try #require(try context.fetch(Thermometer.self).first { $0.value.isNaN })
        (thermometer.value, thermometer.degrees) = (4, Degrees(rawValue: 4))
        thermometer.day = Date(timeIntervalSinceReferenceDate: 4)
        context.processPendingChanges()
        try check([1, 2, 3, 4, 5])
    }

    // MARK: - Checking

    private func checkSorting(
        isCompiled: Bool = true, @SortListBuilder _ lists: () -> [[SortDescriptor<Specimen>]],
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let context = try SpecimenWorld(seed: 1).context
        let all = Array(try context.fetch(Specimen.self))
        for descriptors in lists() {
            let explanation = try FetchRequest(sortBy: descriptors).explain(in: context)
            #expect(explanation.notCompiled.isEmpty == isCompiled)
            let expected = all.sorted(using: descriptors)
            for (limit, offset) in windows(all.count) {
                let request = FetchRequest(
                    predicate: #Predicate<Specimen> { _ in true }, sortBy: descriptors,
                    limit: limit, offset: offset)
                let window = expected.dropFirst(max(0, offset)).prefix(max(0, limit ?? .max))
                let difference = Array(try context.fetch(request)).difference(to: Array(window))
                #expect(
                    difference == nil, "\(descriptors), \(limit as Any), \(offset)",
                    sourceLocation: sourceLocation)
                #expect(try context.count(request) == window.count)
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

extension SortDescriptor<Specimen> {
    /// A descriptor of any kind; `isCompiled` leaves out what is asked of the objects.
    static func random(
        _ random: inout SplitMix64, isCompiled: Bool = false
    ) -> SortDescriptor<Specimen> {
        let order = random.below(2) == 0 ? SortOrder.forward : .reverse
        let nils = random.below(2) == 0 ? NilPosition.first : .last
        return switch random.below(isCompiled ? 21 : 22) {
        case 0: SortDescriptor(\.integer, order: order)
        case 1: SortDescriptor(\.maybeSmall, order: order)
        case 2: SortDescriptor(\.text, order: order)
        case 3: SortDescriptor(\.maybeText, comparator: .lexical, order: order)
        case 4: SortDescriptor(\.maybeText, comparator: .localizedStandard, order: order)
        case 5: SortDescriptor(\.maybeDate, order: order)
        case 6: SortDescriptor(\.decimal, order: order)
        case 7: SortDescriptor(\.maybeUUID, order: order)
        case 8: SortDescriptor(\.shelf?.height, order: order)
        case 9: SortDescriptor(\.shelf?.room?.name, order: order)
        case 10: SortDescriptor(\.tags.count, order: order)
        case 11: SortDescriptor(\.mood, order: order)
        case 12: SortDescriptor(\.maybeBig, order: order)
        case 13: SortDescriptor(\.maybeSmall, order: order, nils: nils)
        case 14: SortDescriptor(\.maybeDate, order: order, nils: nils)
        case 15: SortDescriptor(\.shelf?.height, order: order, nils: nils)
        case 16: SortDescriptor(\.maybeDecimal, order: order, nils: nils)
        case 17: SortDescriptor(\.maybeText, comparator: ByLength(), order: order, nils: nils)
        case 18: SortDescriptor(\.shelf?.name, comparator: ByLength(), order: order)
        case 19: SortDescriptor(\.maybeMood, order: order, nils: nils)
        case 20: SortDescriptor(\.flag, comparator: By(\.description), order: order)
        default: SortDescriptor(\.shout, order: order)
        }
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

private final class Thermometer: ManagedObject {
    @Attribute var value = 0.0
    @Attribute var degrees = Degrees(rawValue: 0)
    @Attribute var day = Date(timeIntervalSinceReferenceDate: 0)
}

private struct Degrees: RawRepresentable, AttributeValue, Comparable {
    let rawValue: Double

    static func < (left: Degrees, right: Degrees) -> Bool { left.rawValue < right.rawValue }
}

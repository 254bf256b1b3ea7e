import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// The numbers of rows, beside a plain array.
@Suite struct RowNumbersTests {
    @Test(arguments: [UInt64](1...12))
    func `rows have the numbers they were given, and new rows have numbers of their own`(
        seed: UInt64
    ) {
        var generator = SplitMix64(seed: seed)
        let isAscending = generator.below(2) == 0
        var builder = RowNumbersBuilder()
        var numbers: [Int64] = []
        var next: Int64 = seed.isMultiple(of: 3) ? .max - 4_000_000_000 : 0
        for _ in 0..<300 {
            switch generator.below(5) {
            case 0: next += min(Int64(generator.below(1_000_000_000)), .max - next)
            case 1 where !isAscending: next = Int64(generator.below(2_000))
            default: next += next < .max ? 1 : 0
            }
            let row = builder.append(next)
            #expect((row == nil) == numbers.contains(next), "seed \(seed)")
            guard let row else { continue }
            #expect(row.index == numbers.count)
            numbers.append(next)
        }
        check(builder.numbers, numbers, "seed \(seed)")
    }

    @Test(
        arguments: [
            [], [0], [5], [0, 1, 2], [.max], [0, .max], [.max, 0], [.max - 1, .max],
            [2_147_483_646, 2_147_483_647], [0, 2_147_483_647, .max - 3, .max],
        ] as [[Int64]])
    func `the ends of the range are numbers too`(numbers: [Int64]) {
        var builder = RowNumbersBuilder()
        for number in numbers { #expect(builder.append(number) != nil) }
        for number in numbers { #expect(builder.append(number) == nil) }
        check(builder.numbers, numbers, "\(numbers)")
    }

    @Test(.timeLimit(.minutes(20)))
    func `numbers that come twice in a row are found without a look at all others`() {
        var builder = RowNumbersBuilder()
        // With a look at all numbers for each it would take hours.
        for number in Int64(0)..<200_000 {
            #expect(builder.append(number)?.index == Int(number))
            #expect(builder.append(number) == nil)
        }
    }

    private func check(_ numbers: RowNumbers, _ given: [Int64], _ comment: Comment) {
        for (row, number) in given.enumerated() {
            #expect(numbers.number(of: Row(row)) == number, comment)
            #expect(numbers.row(of: number) == Row(row), comment)
        }
        let known = Set(given)
        for row in [given.count, given.count + 1, given.count + 1_000, Int(Int32.max) - 1] {
            let number = numbers.number(of: Row(row))
            #expect(number >= 0 && !known.contains(number), comment)
            #expect(numbers.row(of: number) == Row(row), comment)
        }
        for number in given where number < .max && !known.contains(number + 1) {
            guard let row = numbers.row(of: number + 1) else { continue }
            #expect(row.index >= given.count && numbers.number(of: row) == number + 1, comment)
        }
        #expect(numbers.row(of: -1) == nil, comment)
    }

    @Test func `numbers that are far apart take no room between them`() async throws {
        let document = try await SparseNumbersTests.written(SparseNumbersTests.farApart).open()
        #expect(document.store.head.graph.tables[0].upperBound == 3)
    }
}

import PlacesKit
import Testing

@testable import PlacesGraph
@testable import PlacesKitTests

/// Numbers that rows are given, beside a dictionary.
@Suite struct GivenNumbersTests {
    private struct Model {
        var given = GivenNumbers()
        var numbers: [Row: Int64] = [:]

        mutating func give(_ number: Int64?, to row: Row, token: UInt64) {
            given.give(number, to: row, token: token)
            for (other, its) in numbers where its == number { numbers[other] = nil }
            numbers[row] = number
        }

        func check(_ comment: Comment) {
            for row in Row(0)..<Row(400) {
                #expect(given.number(of: row) == numbers[row], comment)
            }
            let rows = Dictionary(uniqueKeysWithValues: numbers.map { ($1, $0) })
            for number in [Int64](0..<400) + [.max] {
                #expect(given.row(of: number) == rows[number], comment)
            }
        }
    }

    @Test(arguments: [UInt64](1...4))
    func `a row has the number that it was given last, and a number the row`(seed: UInt64) {
        var generator = SplitMix64(seed: seed)
        var model = Model()
        var snapshots: [Model] = []
        for step in 0..<3_000 {
            let number: Int64? =
                switch generator.below(5) {
                case 0: nil
                case 1: .max
                default: Int64(generator.below(400))
                }
            model.give(number, to: Row(generator.below(400)), token: UInt64(1 + step / 300))
            if step % 300 == 299 { snapshots.append(model) }
        }
        for (number, snapshot) in snapshots.enumerated() {
            snapshot.check("seed \(seed), snapshot \(number)")
        }
    }

    @Test func `numbers of a process that shares are its own in each use of a row`() {
        let own: Int64 = 1 << 43
        var numbers = RowNumbers().sharing(from: own, before: Row(10))
        #expect(numbers.number(of: Row(9)) == 9 && numbers.number(of: Row(10)) == own + 10)
        numbers.renew(Row(3), generation: 1, token: 1)
        numbers.renew(Row(12), generation: 2, token: 1)
        let late = [Row(3), Row(12)].map { numbers.number(of: $0) }
        #expect(late == [own + Int64(Int32.max) - 1, own + Int64(Int32.max) - 2])
        #expect(late.allSatisfy(numbers.isOwn))
        #expect(late.map { numbers.row(of: $0) } == [Row(3), Row(12)])
        #expect(numbers.row(of: 3) == nil && numbers.row(of: own + 12) == nil)
        numbers.give(7 << 43, to: Row(12), generation: 2, token: 1)
        #expect(numbers.number(of: Row(12), generation: 2) == 7 << 43)
        #expect(numbers.row(of: 7 << 43) == Row(12) && numbers.row(of: late[1]) == nil)

        let settled = numbers.sharing(from: 2 << 43, before: Row(13))
        for row in Row(0)..<Row(13) {
            #expect(settled.number(of: row) == numbers.number(of: row))
            #expect(settled.row(of: numbers.number(of: row)) == row)
        }
        #expect(settled.number(of: Row(13)) == 2 << 43 + 13)
    }

    @Test func `a row that is used again may be given the number of its first use`() {
        var numbers = RowNumbers().following(before: Row(10))
        #expect(numbers.row(of: 3) { _ in 1 } == nil)
        numbers.give(3, to: Row(3), generation: 1, token: 1)
        #expect(numbers.number(of: Row(3), generation: 1) == 3)
        #expect(numbers.row(of: 3) { _ in 1 } == Row(3))
        // Of a row that was never used again this is no news.
        numbers.give(4, to: Row(4), generation: 0, token: 1)
        #expect(numbers.number(of: Row(4)) == 4 && numbers.row(of: 4) == Row(4))
        #expect(numbers.nextElsewhere == 10)
    }
}

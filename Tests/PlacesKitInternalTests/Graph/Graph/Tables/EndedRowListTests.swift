import Testing

@testable import PlacesGraph

@Suite struct EndedRowListTests {
    private func row(_ number: Int) -> RetiredRow {
        RetiredRow(address: RowAddress(table: 0, row: Row(number)), generation: Int32(number))
    }

    private func numbers(_ rows: ContiguousArray<RetiredRow>) -> [Int32] { rows.map(\.generation) }

    @Test func `rows are taken out one by one, and the others come in their order`() {
        var rows = EndedRows()
        for number in 0..<10 { rows.append(row(number)) }
        for number in [3, 9, 0] {
            #expect(rows.remove(row(number).address)?.generation == Int32(number))
        }
        #expect(rows.remove(row(3).address) == nil && rows.remove(row(10).address) == nil)
        #expect(rows.count == 7)
        rows.append(row(10))
        #expect(rows.remove(row(1).address) != nil)
        #expect(numbers(rows.all) == [2, 4, 5, 6, 7, 8, 10])
        #expect(numbers(rows.takeAll()) == [2, 4, 5, 6, 7, 8, 10])
        #expect(rows.count == 0 && rows.all.isEmpty)
        #expect(rows.remove(row(2).address) == nil)
    }

    @Test func `a row that was taken out may end again`() {
        var rows = EndedRows()
        for number in 0..<3 { rows.append(row(number)) }
        #expect(rows.remove(row(1).address) != nil)
        rows.append(row(1))
        #expect(numbers(rows.all) == [0, 2, 1] && rows.count == 3)
        #expect(rows.remove(row(1).address) != nil && rows.remove(row(1).address) == nil)
        #expect(numbers(rows.takeAll()) == [0, 2])
    }

    @Test func `a row that ends and comes back again and again leaves nothing behind`() {
        var rows = EndedRows()
        for number in 0..<3 { rows.append(row(number)) }
        for _ in 0..<10_000 {
            #expect(rows.remove(row(1).address) != nil)
            rows.append(row(1))
        }
        #expect(numbers(rows.all) == [0, 2, 1] && rows.count == 3)
        #expect(rows.room < 200)
    }
}

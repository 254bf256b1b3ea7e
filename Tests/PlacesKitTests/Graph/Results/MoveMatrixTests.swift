import PlacesKit
import Testing

/// Every move of one item among two sections of four is exactly one move.
@Suite struct MoveMatrixTests {
    static let items = ["10", "20", "30", "40", "50", "60", "70", "80"]

    @Test(arguments: items.indices)
    func `moving one of eight items to any position is one move or an update`(source: Int) throws {
        for section in 0...1 {
            var rest = [Array(Self.items[..<4]), Array(Self.items[4...])]
            rest[source / 4].remove(at: source % 4)
            for target in 0...rest[section].count {
                var after = rest
                after[section].insert(Self.items[source], at: target)
                let stays = section == source / 4 && target == source % 4
                let event = "[\(source / 4), \(source % 4)] → [\(section), \(target)]"
                #expect(
                    try events(
                        from: notation([Array(Self.items[..<4]), Array(Self.items[4...])]),
                        to: notation(after), touched: Self.items[source])
                        == ["\(stays ? "update" : "move") \(Self.items[source]) \(event)"])
            }
        }
    }

    private func notation(_ sections: [[String]]) -> String {
        zip(["A", "B"], sections).map { "\($0): \($1.joined(separator: " "))" }
            .joined(separator: ";")
    }
}

/// Numbers that rows have otherwise than by their place: they came from elsewhere, or are those of a row that was used
/// before.
///
/// A number is given in constant time, however many there are, and graphs share what they have in common.
struct GivenNumbers: Sendable {
    private static let none: Int64 = -1

    /// The number of each row.
    private var numbers = Column(.integer, repeating: .integer(none), isValid: true)
    /// Finds the row of a number.
    private var index = HashIndex()

    /// The number that a row was given.
    func number(of row: Row) -> Int64? {
        let number = numbers.element(Int64.self, at: row)
        return number == Self.none ? nil : number
    }

    /// The row that was given a number.
    func row(of number: Int64) -> Row? {
        index.find(hash: Self.hash(number)) { numbers.element(Int64.self, at: $0) == number }
    }

    private static func hash(_ number: Int64) -> Int {
        ValueHash.hash(UInt64(bitPattern: number))
    }

    /// Gives a row a number, for the transaction of `token`, or takes away the one that it has; no other row has it then.
    mutating func give(_ number: Int64?, to row: Row, token: UInt64) {
        if let former = self.number(of: row) {
            index.remove(row, hash: Self.hash(former), token: token) { _ in false }
        }
        if let number, let former = self.row(of: number) {
            index.remove(former, hash: Self.hash(number), token: token) { _ in false }
            set(Self.none, of: former, token: token)
        }
        set(number ?? Self.none, of: row, token: token)
        if let number {
            index.insert(row, hash: Self.hash(number), token: token) { _ in false }
        }
    }

    private mutating func set(_ number: Int64, of row: Row, token: UInt64) {
        numbers.writableBlock(row.chunk, token: token)
            .elements(of: Int64.self)[row.offset] = number
    }
}

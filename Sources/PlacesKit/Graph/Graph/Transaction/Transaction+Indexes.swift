// Indexes and the positions of lists, handed out to be written.

extension Transaction {
    /// Runs `body` on an index and gives it the token to write it with.
    func updateIndex<Result>(
        _ index: Int, of table: TableNumber, _ body: (inout HashIndex, UInt64) -> Result
    ) -> Result {
        func update(_ hashIndex: inout HashIndex) -> Result {
            defer { access[table].indexes[index] = hashIndex.reader }
            return body(&hashIndex, token.pointee)
        }
        return update(&current.tables[table].uniqueIndexes[index])
    }

    /// Replaces an index.
    func put(_ index: HashIndex, at number: Int, of table: TableNumber) {
        updateIndex(number, of: table) { current, _ in current = index }
    }

    /// Runs `body` on an index of members' values and gives it the token to write it with.
    func updateMemberIndex(
        _ number: Int, of table: TableNumber, _ body: (inout OrderedIndex, UInt64) -> Void
    ) {
        body(&current.tables[table].memberIndexes[number], token.pointee)
    }

    /// The positions of an ordered list's members, for which none waits.
    func positions(_ order: ListOrder, of members: TableNumber) -> OrderedIndex {
        current.tables[members].listOrders[order.index]
    }

    /// Runs `body` on the positions of an ordered list's members and gives it the token to write them
    /// with.
    func updateOrder<Result>(
        _ order: ListOrder, of members: TableNumber, _ body: (inout OrderedIndex, UInt64) -> Result
    ) -> Result {
        body(&current.tables[members].listOrders[order.index], token.pointee)
    }
}

extension Graph {
    /// Tells of rows whether they satisfy a condition.
    ///
    /// What is asked of the members of an owner to which many rows lead is asked once, not for each of
    /// them: the answers are kept as long as the closure is.
    func answers(
        to condition: Condition, in table: TableNumber, opaque: @escaping (Row) -> Bool
    ) -> (Row) -> Bool {
        let answer = KeptAnswers(self, table, opaque: opaque).answer(to: condition)
        return { answer($0, nil) }
    }

    /// Tells of rows what an operand is there.
    ///
    /// What the members of an owner come to, to which many rows lead, is found once, as `answers` does.
    func values(of operand: Operand, in table: TableNumber) -> (Row) -> Datum {
        let value = KeptAnswers(self, table).value(of: operand)
        return { value($0, nil) }
    }
}

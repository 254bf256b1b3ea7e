extension PatternBudget {
    /// What `body` comes to as one query.
    ///
    /// - Throws: What `body` throws, and `ContextError.patternTooCostly` where a regular expression takes too
    ///   many steps.
    static func limiting<Answer>(
        _ body: () throws(ContextError) -> Answer
    ) throws(ContextError) -> Answer {
        let (result, exhausting) = spending { Result(catching: body) }
        let answer = try result.get()
        if let exhausting { throw .patternTooCostly(exhausting) }
        return answer
    }
}

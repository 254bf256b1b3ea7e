extension ChangeStream {
    /// What is put into a mailbox that the caller shall keep.
    init<Identifier>(
        keeping body: (ResultsMailbox<Identifier>) -> Void
    ) where Change == ResultsChange<Identifier> {
        let (mailbox, reader) = ResultsMailbox<Identifier>.make(limit: 0) { waiting in
            let last = waiting.removeLast()
            waiting[0].append(last)
            return []
        }
        self.init(reader) { [$0.change].filter { !$0.isEmpty } }
        body(mailbox)
    }
}

/// Where changes wait for a consumer, as one.
typealias ResultsMailbox<Identifier: Hashable & Sendable> = Mailbox<ResultsBacklog<Identifier>>

extension Mailbox {
    /// Adds a change.
    func put<Identifier>(
        _ change: ResultsChange<Identifier>
    ) where Element == ResultsBacklog<Identifier> {
        put(ResultsBacklog(change))
    }
}

/// Commits of the log on their way to the store, where those that wait here are made again on top of them.
///
/// It is used on the document's queue alone, one step after the other; between them the log may be asked. Meanwhile nobody
/// else changes what the log is known to have, and the commits that wait only become more.
final class LogMerge: @unchecked Sendable {
    private let exchange: LogExchange
    private let own: Set<SharedCommit.ID>
    private var replay: JournalReplay
    private var entries: [JournalEntry] = []
    /// What others wrote.
    private var writes: [[TableChanges]] = []
    /// What makes the commits again that wait, once it has begun.
    private var rebase: Rebase?

    /// Begins with what the log is known to have.
    ///
    /// - Parameters:
    ///   - exchange: Whose commits they are.
    ///   - own: Those of this process. They are not made again, for the log has them, though not as they are here; and
    ///     nothing that came after them here conflicts with them.
    init(_ exchange: LogExchange, own: Set<SharedCommit.ID> = []) {
        (self.exchange, self.own) = (exchange, own)
        replay = JournalReplay(exchange.outbox.confirmed.graph, of: exchange.writer)
        replay.takeTransients()
        replay.clearEndedRows()
    }

    deinit { replay.giveUpRows() }

    /// Makes commits of the log, which become one change of the store; all of them are own ones, or none.
    func take(_ run: ArraySlice<SharedCommit>) throws {
        var commit = exchange.outbox.confirmed.commit
        for next in run { commit = try replay.apply(next) }
        let changes = replay.takeChanges()
        let made = CommittedChanges(
            committed: CommittedGraph(graph: changes.after, commit: commit), changes: changes)
        entries.append(JournalEntry(made, lines: run.count == 1 ? [] : run.map(\.line)))
        if run.first.map({ own.contains($0.id) }) == false { writes.append(changes.writes) }
        rebase = nil
    }

    /// Makes commits of the log, which come together.
    func take(_ commits: [SharedCommit]) throws {
        for run in LogExchange.runs(of: commits, atOnce: true) { try take(run) }
    }

    /// The first commits that wait, made again, as the log gets them, or the next ones after those: so many at most, and
    /// those before the first one that is refused, or brings objects that become others.
    func next(_ count: Int) throws -> [SharedCommit] {
        guard var rebase = rebase ?? makeRebase() else { return [] }
        defer { self.rebase = rebase }
        return try rebase.makeFirst(count, of: exchange.outbox.content.commits)
    }

    /// Shows the commits in the store, with those on top that wait.
    func publish() throws {
        guard let rebase = rebase ?? makeRebase() else { return }
        self.rebase = nil
        try exchange.publish(made, by: &replay, rebase)
        for entry in entries { exchange.writer.log.append(entry) }
        (entries, writes) = ([], [])
    }

    private var made: [CommittedChanges] { entries.compactMap(\.made) }

    private func makeRebase() -> Rebase? {
        made.last.map { exchange.rebase(onto: $0.committed, after: writes, except: own) }
    }
}

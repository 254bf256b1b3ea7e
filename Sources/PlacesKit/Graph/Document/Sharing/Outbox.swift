import Foundation
import PlacesBase
import Synchronization

/// Keeps the commits of this process until the log has them: what others see, and on what this process goes on.
///
/// - Invariant: The first commit was made on the confirmed graph, and each other one on what the one before it left.
/// - Invariant: The store shows what the last one left, or the confirmed graph.
final class Outbox: Sendable {
    /// About how many bytes go to the log together.
    static let batchSize = 1 << 22

    private struct State {
        var content: Content
        var nextSequence: Int64 = 1
        /// How many of the commits, the last ones, are in no file.
        var unwrittenCount = 0
        /// Whether the file has other commits than these.
        var isStale = false
        /// Whether the file still has commits that were refused, or became one with others, since it was written.
        var hasDropped = false
        var refused: RefusedCommits
    }

    /// What tells this opening from all others.
    let opening: Int64
    private let model: CommitOrigin.Model
    private let names: JournalNames
    private let schema: Schema
    /// How many commits, the last ones, have what they changed in memory; four times as many of those in no file.
    private let changesLimit: Int
    private let rows: RowAllocator
    private let state: Mutex<State>
    private let file: Mutex<OutboxFile>
    /// The values that are here.
    let values = KnownValues()

    /// Goes on with what was read.
    init(
        _ read: OutboxContent, _ opening: Int64, _ layout: GraphLayout, rows: RowAllocator,
        changesLimit: Int
    ) {
        (self.opening, self.rows, self.changesLimit) = (opening, rows, changesLimit)
        schema = layout.schema
        model = CommitOrigin.Model(layout.schema)
        names = JournalNames(layout)
        state = Mutex(
            State(
                content: read.content, isStale: !read.content.commits.isEmpty,
                refused: read.refused))
        file = Mutex(OutboxFile(former: read.files))
        values.note(read.content.commits.flatMap { $0.line?.values ?? [] })
    }

    // MARK: - Commits

    /// What the log has, and what it does not have.
    ///
    /// Who only wants to know how much there is asks for that: while somebody has the content, adding a commit copies it.
    var content: Content { state.withLock(\.content) }

    /// What the log has.
    var confirmed: CommittedGraph { state.withLock(\.content.confirmed) }

    /// The number of the last commit that the log is known to have.
    var confirmedNumber: Int { state.withLock(\.content.confirmed.number) }

    /// How many commits wait for the log.
    var waitingCount: Int { state.withLock(\.content.commits.count) }

    /// The commits that wait for the log.
    var waiting: Set<SharedCommit.ID> {
        state.withLock { Set($0.content.commits.lazy.map(\.id)) }
    }

    /// The openings that made those that were not refused, and this one.
    var openings: Set<Int64> {
        state.withLock { state in
            let commits = state.content.commits
            let refused = state.refused.ids(in: commits)
            return Set(commits.lazy.map(\.id).filter { !refused.contains($0) }.map(\.opening))
                .union([opening])
        }
    }

    /// Which commit was added last; `nil` where none was since the document was opened.
    var latest: SharedCommit.ID? {
        state.withLock { state in
            state.nextSequence == 1
                ? nil : SharedCommit.ID(opening: opening, sequence: state.nextSequence - 1)
        }
    }

    /// Whether commits are waiting that were made up to one of this opening; `nil` for those of openings before it.
    func isWaiting(upTo id: SharedCommit.ID?) -> Bool {
        state.withLock { state in
            state.content.commits.contains {
                $0.earliest.opening != opening || $0.earliest.sequence <= id?.sequence ?? 0
            }
        }
    }

    /// Adds the next commit of the store.
    ///
    /// - Returns: What one was that is sealed now, if any. With it bytes may be freed whose owner runs code then, so whoever
    ///   holds a lock passes it on.
    func append(_ commit: CommittedChanges) -> UnsharedCommit? {
        state.withLock { state in
            state.content.commits.append(
                UnsharedCommit(
                    SharedCommit.ID(opening: opening, sequence: state.nextSequence),
                    commit.committed.commit, commit.changes, in: rows))
            state.nextSequence += 1
            state.unwrittenCount += 1
            // Usually, somebody writes them long before.
            let position = state.content.commits.count - 1 - 4 * changesLimit
            guard position >= 0 else { return nil }
            let former = state.content.commits[position]
            guard former.line == nil, former.changes?.hasShortLine == true else { return nil }
            let number = state.content.confirmed.number + 1 + position
            state.content.commits[position].seal(line(of: former, number, synced: 0))
            return former
        }
    }

    /// The first commits, as far as the log has them as they are here.
    func beginning(_ commits: some Sequence<SharedCommit>) -> ContiguousArray<UnsharedCommit> {
        state.withLock { state in
            ContiguousArray(zip(state.content.commits, commits).prefix { $0.line == $1 }.map(\.0))
        }
    }

    /// Notes that the log has the first commits, and what they left.
    func confirm(_ count: Int, leaving confirmed: CommittedGraph, isShown: Bool) {
        state.withLockReleasingResult { state in
            let former = (
                state.content.confirmed, ContiguousArray(state.content.commits.prefix(count))
            )
            state.content.confirm(confirmed, isShown: isShown)
            state.content.commits.removeFirst(count)
            state.unwrittenCount = min(state.unwrittenCount, state.content.commits.count)
            return former
        }
    }

    /// Goes on from what others committed; adds the conflicts of what could not be made again.
    ///
    /// It is called while nobody can commit to the store.
    ///
    /// - Returns: The numbers of the commits that the log was not known to have, or that now wait for it, and what was
    ///   replaced.
    func replace(
        _ confirmed: CommittedGraph, _ rebase: Rebase
    ) -> (commits: ClosedRange<Int>, replaced: Content) {
        state.withLock { state in
            let replaced = state.content
            let first = replaced.confirmed.number + 1
            let numbers = first...max(first, confirmed.number + rebase.commits.count)
            state.content = Content(confirmed, rebase.commits)
            (state.isStale, state.unwrittenCount) = (true, rebase.commits.count)
            state.hasDropped = state.hasDropped || rebase.hasDropped
            guard !rebase.refused.isEmpty else { return (numbers, replaced) }
            state.refused.add(rebase.refused) { commit in
                let line = makeLine(of: commit, commit.commit.number, synced: 0, isWhole: true)
                return try? ChangeRecord(line: Array(line.line))
            }
            return (numbers, replaced)
        }
    }

    /// A commit as the log gets it.
    func line(of commit: UnsharedCommit, _ number: Int, synced: Int) -> SharedCommit {
        // The log may have been handed it as it is, and its answer lost.
        if let line = commit.line, line.number == number { return line }
        let line = makeLine(of: commit, number, synced: synced)
        values.note(line.values)
        return line
    }

    private func makeLine(
        of commit: UnsharedCommit, _ number: Int, synced: Int, isWhole: Bool = false
    ) -> SharedCommit {
        guard let changes = commit.changes else {
            preconditionFailure("commit \(commit.id) has another number than its line")
        }
        var made = commit.commit
        made.number = number
        let committed = CommittedChanges(
            committed: CommittedGraph(graph: changes.after, commit: made), changes: changes)
        return SharedCommit(
            committed, by: CommitOrigin(id: commit.id, model: model), names: names, synced: synced,
            isWhole: isWhole)
    }

    // MARK: - Conflicts

    /// The commits that could not be made again.
    var refused: RefusedCommits { state.withLock(\.refused) }

    /// Forgets a conflict.
    func dismiss(_ id: SharedCommit.ID) { state.withLock { $0.refused.dismiss(id) } }

    // MARK: - Files

    /// Whether there is something that is in no file.
    var isBehind: Bool {
        state.withLock { $0.unwrittenCount > 0 || $0.refused.isBehind }
    }

    /// Whether the file still has commits that were refused, or became one with others, since it was written.
    var hasDropped: Bool { state.withLock(\.hasDropped) }

    /// Writes what is in no file, and brings it to disk if asked to; blocks.
    ///
    /// A file begins on what the journal has for good, or nobody could open the document after a power cut.
    ///
    /// - Parameters:
    ///   - durability: What is to be survived.
    ///   - directory: The directory.
    ///   - durable: The number of the last commit in the journal that is on disk.
    /// - Returns: Whether it was written; false if the journal has to be on disk first.
    /// - Throws: `FileSystemError` or `DocumentError`.
    func write(
        _ durability: ManagedDocument.Durability, in directory: DocumentDirectory, on durable: Int
    ) throws -> Bool {
        try file.withLock { file in
            if !state.withLock(\.isStale) { try file.endIfReplaced(isBehind: isBehind) }
            let (confirmed, isWhole, first, commits, refused) = state.withLock { state in
                let isWhole = state.isStale || !file.isOpen
                let first = isWhole ? 0 : state.content.commits.count - state.unwrittenCount
                return (
                    state.content.confirmed.commit, isWhole, first,
                    ContiguousArray(state.content.commits[first...]),
                    state.refused.unwritten
                )
            }
            // Before any file lacks them: until then, they are made again by whoever opens the document.
            if let refused {
                try RefusedCommits.write(refused.conflicts, in: directory)
                state.withLock { $0.refused.noteWritten(refused.changeCount) }
            }
            guard !commits.isEmpty || first > 0 else { return true }
            // A snapshot that was to have what the file begins on may have failed.
            guard (isWhole ? confirmed.number : file.base) <= durable else { return false }
            let synced = isWhole ? confirmed.number : file.durable
            let lines = zip(commits, (confirmed.number + 1 + first)...).map {
                line(of: $0, $1, synced: synced)
            }
            let written = lines.flatMap(\.values)
            try Self.write(written, in: directory)
            values.note(written)
            do {
                if isWhole {
                    let header = JournalHeader(generation: 0, commit: confirmed, schema: schema)
                    try file.begin(header, lines, in: directory)
                } else {
                    try file.append(lines)
                }
                if durability == .disk { try file.synchronize() }
            } catch {
                // What a full disk took of a line, or forgot, is written anew as a whole.
                state.withLock { $0.isStale = true }
                throw error
            }
            state.withLockReleasingResult { state in
                let count = first + commits.count
                state.isStale = false
                state.unwrittenCount = state.content.commits.count - count
                // A file that begins on a snapshot which is still to come may count for nothing.
                if durable < .max { state.hasDropped = false }
                if isWhole {
                    state.refused.areInOutbox = !state.refused.ids(in: commits).isEmpty
                }
                for (position, line) in lines.enumerated() {
                    state.content.commits[first + position].line = line
                }
                let start = max(0, first - changesLimit)
                let forgotten = start..<max(start, count - changesLimit)
                let former = ContiguousArray(state.content.commits[forgotten])
                for position in forgotten { state.content.commits[position].forgetChanges() }
                return former
            }
            return true
        }
    }

    /// Whether the file need not be replaced by another one, for which the journal has to go on.
    var isShort: Bool { file.withLock { !$0.isLong } }

    /// Begins a file anew if there is one, for the document begins a snapshot behind which nobody will go back.
    ///
    /// The former file stays until that snapshot is there, so the new one may begin on it.
    func renew(in directory: DocumentDirectory) throws {
        guard file.withLock(\.isThere) else { return }
        state.withLock { $0.isStale = true }
        _ = try write(.disk, in: directory, on: .max)
    }

    /// Removes files that nobody needs who opens the document, for the journal leads on to what the log has.
    ///
    /// - Parameters:
    ///   - directory: The directory.
    ///   - durable: The number of the last commit in the journal that is on disk.
    ///   - isClosing: Whether a file of commits that the log has is removed, however short it is.
    /// - Returns: Whether there is no file but that of the commits that are here: another one may refer to a generation, or
    ///   to bytes, that nobody else needs.
    func tidy(in directory: DocumentDirectory, durable: Int, isClosing: Bool) -> Bool {
        file.withLock { file in
            let (isEmpty, isStale, number) = state.withLock {
                ($0.content.commits.isEmpty, $0.isStale, $0.content.confirmed.number)
            }
            if number <= durable, isEmpty || file.isOpen && !isStale {
                if isEmpty, isStale || isClosing || file.isLong { file.end() }
                file.removeFormer(in: directory)
            }
            // Another one would be read if the file began on what nobody has after a crash.
            if !file.isOpen || file.base <= durable {
                forgetDismissed(besides: &file, in: directory)
            }
            return !file.hasFormer && !(file.isOpen && isStale)
        }
    }

    /// Lets the file of what was refused forget what was dismissed, as well as can be, if no file has it as a commit.
    private func forgetDismissed(besides file: inout OutboxFile, in directory: DocumentDirectory) {
        guard state.withLock(\.refused.isBehind) else { return }
        if !file.isOpen, file.isAlone(in: directory) {
            state.withLock { $0.refused.areInOutbox = false }
        }
        guard let (count, rest) = state.withLock(\.refused.forgettable),
            (try? RefusedCommits.write(rest, in: directory)) != nil
        else { return }
        state.withLock { $0.refused.noteForgotten(count) }
    }

    /// The first commits, as the log gets them, about a few megabytes; all of them are on disk.
    func batch() -> [SharedCommit] {
        var (commits, size): ([SharedCommit], Int) = ([], 0)
        state.withLock { state in
            for commit in state.content.commits.dropLast(state.unwrittenCount) {
                guard let line = commit.line, size < Self.batchSize else { break }
                size += line.line.count
                commits.append(line)
            }
        }
        return commits
    }
}

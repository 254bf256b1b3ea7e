import PlacesBase

/// Commits that wait for the log of a shared document.
extension DocumentFollower {
    /// What tells files from what they are later; `nil` where the file system cannot.
    struct LookedFiles {
        /// The commits on which the files of waiting ones begin, and those files.
        let bases: [Int]
        let outboxes: [FileVersion?]
        /// Those that say what the log has.
        let journals: [FileVersion?]

        /// Looks at the files as they are now.
        init(_ bases: [Int], _ journal: Int64?, in directory: DocumentDirectory) {
            func version(_ path: FilePath) -> FileVersion? { directory.files.version(of: path) }
            self.bases = bases
            outboxes = bases.map { version(directory.outbox(after: $0)) }
            journals = [
                version(directory.path.appending(DocumentFile.manifestName)),
                journal.flatMap { version(directory.journal($0)) },
            ]
        }

        /// Whether what waits is still the same.
        func isSame(as other: LookedFiles, isAhead: Bool) -> Bool {
            !outboxes.contains(nil) && outboxes == other.outboxes
                && (!isAhead || hasSameJournals(as: other))
        }

        /// Whether the log has the same, and what waits was not made again.
        func hasSameJournals(as other: LookedFiles) -> Bool {
            bases == other.bases && !journals.contains(nil) && journals == other.journals
        }
    }

    /// The files as they are now; `nil` where nothing waits, or is not shown.
    func look(_ names: [String], _ journals: [Int64], isAhead: Bool) throws -> LookedFiles? {
        guard writer.options.showsWaiting,
            case let bases = try directory.outboxBases(among: names), isAhead || !bases.isEmpty
        else { return nil }
        return LookedFiles(bases, journals.last, in: directory)
    }

    /// Brings what waits into the store, which has what the journals have.
    func catchUpWithWaiting(_ state: inout State, _ looked: LookedFiles) throws {
        if state.looked?.isSame(as: looked, isAhead: state.isAhead) == true { return }
        if try !showAdded(&state, looked) { try readAllWithWaiting(&state) }
        state.looked = looked
    }

    /// Brings the commits into the store that were added to those that it has.
    ///
    /// - Returns: Whether it has all by then; false where something else may have changed than what was added.
    /// - Complexity: O(k) for k bytes of the file of waiting commits, and of the journals since it was begun.
    private func showAdded(_ state: inout State, _ looked: LookedFiles) throws -> Bool {
        var (last, confirmed) = (store.head.commit, store.head.commit)
        if state.isAhead {
            guard let waiting = state.waiting, state.looked?.hasSameJournals(as: looked) == true
            else { return false }
            (last, confirmed) = waiting
        }
        guard let base = looked.bases.last(where: { $0 <= confirmed.number }) else {
            return false
        }
        return try directory.reading(directory.outbox(after: base)) { bytes in
            let file = try WaitingCommits(bytes, in: directory)
            let goesOn =
                try state.isAhead
                ? file.have(last) : directory.journals(goOnWith: file, upTo: last.number)
            // The writer has a file for as long as it is open, whether anything waits or not.
            guard goesOn, base + file.count > last.number else { return goesOn }
            return try show(file, after: last, confirmed, &state)
        }
    }

    /// Makes the commits of a file again that come after one, as one commit; whether they are of this model.
    private func show(
        _ file: WaitingCommits, after last: Commit, _ confirmed: Commit, _ state: inout State
    ) throws -> Bool {
        guard !state.isOfNewerModel else { return false }
        do {
            try follow(in: &state, showing: confirmed) { replay, state, publish in
                try replay.use(file.header)
                let (latest, _) = try file.forEachNew(after: last) { line, bytes, number in
                    replay.know(line.values)
                    return try replay.apply(bytes, after: number)
                }
                // Of a line that is not whole nothing was made.
                guard latest.number > last.number else { return }
                var commit = latest
                commit.number = max(latest.number, store.head.number + 1)
                publish(&replay, commit)
                (state.isAhead, state.position) = (true, nil)
                state.waiting = (latest, confirmed)
            }
            return true
        } catch SnapshotError.differentModel {
            return false
        }
    }

    /// Brings the document as it is now into the store, with the commits that wait for the log of a shared one.
    private func readAllWithWaiting(_ state: inout State) throws {
        var content = try directory.readMigrating(
            model, keeping: state.madeDefaults, withWaiting: true)
        let (commit, head, isWaiting) = (
            content.commit, store.head.commit, content.waitingCount > 0
        )
        // What waited may have become another commit of the same number, or none.
        if isWaiting || commit.number <= head.number {
            content.confirmed = content.confirmed ?? commit
            content.commit.number = max(commit.number, head.number + 1)
        }
        try show(content, in: &state)
        // Where the log has it as it was, the journals lead on.
        state.isAhead = isWaiting || !commit.isSame(as: store.head.commit)
        if state.isAhead { state.position = nil }
        state.waiting = isWaiting ? content.confirmed.map { (commit, $0) } : nil
    }
}

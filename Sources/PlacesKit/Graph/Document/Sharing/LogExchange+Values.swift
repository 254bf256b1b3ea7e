extension LogExchange {
    /// About how many bytes commits may refer to that come into the store together, and how many of them may refer to any,
    /// for each of these becomes a change of the store of its own.
    private static let (sliceSize, sliceCount) = (1 << 22, 256)

    /// Commits whose values come before them, in runs that refer to a few megabytes each: what is there need not come again
    /// if a later value can't be had.
    static func slices(of commits: [SharedCommit]) -> [ArraySlice<SharedCommit>] {
        var (slices, start, size, count) = ([ArraySlice<SharedCommit>](), 0, 0, 0)
        for (index, commit) in commits.enumerated() where !commit.values.isEmpty {
            size += commit.values.reduce(0) { $0 + $1.byteCount }
            count += 1
            guard size >= sliceSize || count >= sliceCount else { continue }
            slices.append(commits[start...index])
            (start, size, count) = (index + 1, 0, 0)
        }
        return start < commits.count ? slices + [commits[start...]] : slices
    }

    /// Brings the bytes to which commits refer into files of the document.
    ///
    /// - Returns: The commits, whose values are here.
    func bringValues(of commits: ArraySlice<SharedCommit>) async throws -> [SharedCommit] {
        var commits = Array(commits)
        let missing = commits.flatMap(\.values)
        guard !missing.isEmpty else { return commits }
        // Whoever was killed, or lost the log, may have had them; also those of commits that the files have already.
        let values = try await bring(
            missing, searching: writer.isAhead ? .all : isVerified ? .none : .unused)
        let found = Dictionary(
            values.map { ($0.digest, $0) }, uniquingKeysWith: { first, _ in first })
        for index in commits.indices {
            commits[index].values = commits[index].values.compactMap { found[$0.digest] }
        }
        return commits
    }

    /// Brings the bytes of values into files of the document.
    func bring(
        _ values: [SharedValue], searching scope: ValueSearch.Scope
    ) async throws -> [SharedValue] {
        try await outbox.values.bring(values, searching: scope, on: writer.queue) { [self] in
            try check()
            return writer.directory.blobs
        }
    }
}

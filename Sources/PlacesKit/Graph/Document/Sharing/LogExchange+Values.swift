extension LogExchange {
    /// About how many bytes commits may refer to that come into the store together.
    private static let sliceSize = 1 << 22

    /// Commits whose values come before them, in runs that refer to a few megabytes each: what is there need not come again
    /// if a later value can't be had.
    static func slices(of commits: [SharedCommit]) -> [ArraySlice<SharedCommit>] {
        var (slices, start, size) = ([ArraySlice<SharedCommit>](), 0, 0)
        for (index, commit) in commits.enumerated() where !commit.values.isEmpty {
            size += commit.values.reduce(0) { $0 + $1.byteCount }
            guard size >= sliceSize else { continue }
            slices.append(commits[start...index])
            (start, size) = (index + 1, 0)
        }
        return start < commits.count ? slices + [commits[start...]] : slices
    }

    /// Brings the bytes to which commits refer into files of the document.
    ///
    /// - Returns: The commits, whose values are here.
    func bringValues(of commits: ArraySlice<SharedCommit>) async throws -> [SharedCommit] {
        var commits = Array(commits)
        for index in commits.indices where !commits[index].values.isEmpty {
            // Whoever was killed, or lost the log, may have had them.
            commits[index].values = try await bring(
                commits[index].values, searching: isVerified ? .none : .unused)
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

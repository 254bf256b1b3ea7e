extension LogExchange {
    /// Brings the bytes to which commits refer into files of the document.
    ///
    /// - Returns: The commits, whose values are here.
    func bringValues(of commits: [SharedCommit]) async throws -> [SharedCommit] {
        let isAny = commits.contains { !$0.values.isEmpty }
        guard isAny else { return commits }
        var commits = commits
        for index in commits.indices where !commits[index].values.isEmpty {
            commits[index].values = try await bring(commits[index].values, isSearching: false)
        }
        return commits
    }

    /// Brings the bytes of values into files of the document.
    func bring(_ values: [SharedValue], isSearching: Bool) async throws -> [SharedValue] {
        try await outbox.values.bring(values, isSearching: isSearching, on: writer.queue) {
            [self] in
            try check()
            return writer.directory.blobs
        }
    }
}

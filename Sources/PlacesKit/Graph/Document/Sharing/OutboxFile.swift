import PlacesBase

/// The file of an outbox: a journal of commits that the log may not have.
///
/// It begins on what a commit of the log left. It is left as it is while the log takes commits in their order: whoever
/// opens the document asks the log which of them it has. A new file takes its place when others were faster; the former
/// one is removed when the document's own journal has the commits on which the new one begins.
struct OutboxFile {
    /// How long the file gets before it is removed when the log has all of its commits.
    private static let limit = 1 << 20

    private var current: OpenCommitFile?
    /// The number of the commit of the log on which the file begins.
    private(set) var base = 0
    /// The files that are removed when the journal leads on.
    private var former: [FilePath]
    /// Those that may be there though their beginning failed, so that nobody can rely on them.
    private var unfinished: [FilePath] = []
    /// Whether files are removed that a power cut may bring back; by whoever had the document before, too.
    private var hasRemoved = true
    /// The number of the last commit in the file, and of the last one that is on disk.
    private var written = 0
    private(set) var durable = 0

    init(former: [FilePath]) { self.former = former }

    /// Whether any file may be needed by who opens the document.
    var isThere: Bool { isOpen || !former.isEmpty }

    /// Whether there are files that go as soon as they can.
    var hasFormer: Bool { !former.isEmpty || !unfinished.isEmpty }

    /// Whether there is a file to add commits to.
    var isOpen: Bool { current != nil }

    /// Whether the file takes more than what it may leave behind.
    var isLong: Bool { (current?.count ?? 0) > Self.limit }

    /// Begins a file with some commits; they are on disk when this returns.
    mutating func begin(
        _ header: JournalHeader, _ commits: [SharedCommit], in directory: DocumentDirectory
    ) throws {
        let path = directory.outbox(after: header.commit.number)
        try header.check(after: path)
        let bytes = header.line + commits.flatMap(\.line)
        do {
            try directory.files.replaceFile(at: path, like: directory.access.file, with: bytes)
        } catch {
            unfinished.append(path)
            throw error
        }
        unfinished.removeAll { $0 == path }
        hasRemoved = false
        end()
        // As long as it is not open, the next attempt begins it anew.
        former.append(path)
        current = try OpenCommitFile(at: path, of: directory, count: bytes.count)
        former.removeAll { $0 == path }
        base = header.commit.number
        written = header.commit.number + commits.count
        durable = written
    }

    /// Adds commits.
    mutating func append(_ commits: [SharedCommit]) throws {
        guard let last = commits.last else { return }
        let bytes = commits.flatMap(\.line)
        try current?.file.write(bytes)
        current?.count += bytes.count
        written = last.number
    }

    /// Brings all commits to disk.
    mutating func synchronize() throws {
        guard durable < written else { return }
        try current?.file.synchronize()
        durable = written
    }

    /// Adds no more commits to the file if it is not the one of its name any more: who opens the document would not find them.
    ///
    /// - Parameter isBehind: Whether there are commits to add.
    /// - Throws: `DocumentError.replaced` where somebody else has written it.
    mutating func endIfReplaced(isBehind: Bool) throws(DocumentError) {
        guard isBehind || durable < written, try current?.isInPlace() == false else { return }
        end()
    }

    /// Adds no more commits to the file, which is not needed once the journal leads on.
    mutating func end() {
        guard let current else { return }
        try? current.file.close()
        former.append(current.path)
        self.current = nil
    }

    /// Removes the files that are not needed any more, as well as can be: one that stays is read again, and all of its
    /// commits are found in the log or among the conflicts.
    ///
    /// The newest one goes when the others are gone for good: they may have commits that became others in it, or were
    /// refused, and would be made again.
    mutating func removeFormer(in directory: DocumentDirectory) {
        unfinished.removeAll { $0 == current?.path || former.contains($0) }
        let newest = isOpen ? nil : former.popLast()
        (former, unfinished) = (remove(former, in: directory), remove(unfinished, in: directory))
        guard let newest else { return }
        let isLast = !hasFormer && areRemovalsOnDisk(in: directory)
        former += isLast ? remove([newest], in: directory) : [newest]
    }

    /// Whether there is no file that is not needed, and a power cut brings none back.
    mutating func isAlone(in directory: DocumentDirectory) -> Bool {
        !hasFormer && areRemovalsOnDisk(in: directory)
    }

    /// Removes files; returns those that stay.
    private mutating func remove(
        _ paths: [FilePath], in directory: DocumentDirectory
    ) -> [FilePath] {
        paths.filter { path in
            do {
                guard try directory.files.exists(path) else { return false }
                hasRemoved = true
                try directory.files.remove(path)
                return false
            } catch {
                return true
            }
        }
    }

    private mutating func areRemovalsOnDisk(in directory: DocumentDirectory) -> Bool {
        guard hasRemoved else { return true }
        hasRemoved = (try? directory.files.synchronizeDirectory(directory.path)) == nil
        return !hasRemoved
    }
}

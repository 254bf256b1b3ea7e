import PlacesBase

/// The commits of this process that could not be made again, here and in their file.
///
/// Files of waiting commits may still have them, for a while. As long as that is so, those that were dismissed stay in the
/// file, too: whoever opens the document after a crash knows by it what was refused, and does not make it again.
struct RefusedCommits {
    static let fileName = "conflicts.jsonl"

    /// Those that were not dismissed, in the order in which they were refused.
    private(set) var conflicts: [SharedConflict]
    /// Those that were dismissed: a save may not have heard of them yet, or the file has them still.
    private var dismissed: [SharedConflict] = []
    /// How many of those, the last ones, stay in the file.
    private var stayingCount = 0
    /// How often those changed that the file should have, and how often they had when it was written.
    private var (changeCount, writtenCount) = (0, 0)
    /// Whether some may be in files of waiting commits that no newer file replaces for whoever opens the document.
    var areInOutbox: Bool

    /// Begins with what the file has; files of commits that are gone may come back after a power cut.
    init(_ read: [SharedConflict]) {
        conflicts = read.filter { !$0.isDismissed }
        dismissed = read.filter(\.isDismissed)
        (stayingCount, areInOutbox) = (dismissed.count, !read.isEmpty)
    }

    private var isFileBehind: Bool { writtenCount < changeCount }

    /// Whether the file has other ones than it should have.
    var isBehind: Bool { isFileBehind || stayingCount > 0 }

    /// Those that the file should have by now, and may not, and how often they changed until then.
    var unwritten: (conflicts: [SharedConflict], changeCount: Int)? {
        isFileBehind ? (known, changeCount) : nil
    }

    /// Those that may be read again.
    private var known: [SharedConflict] { conflicts + dismissed.suffix(stayingCount) }

    /// Adds commits that were refused, with what they were to change.
    mutating func add(
        _ refused: [Rebase.Refusal],
        changing change: (UnsharedCommit) -> ChangeRecord?
    ) {
        for refusal in refused {
            guard let change = change(refusal.commit) else { continue }
            conflicts.append(SharedConflict(refusal, change))
            changeCount += 1
            areInOutbox = true
        }
    }

    /// Forgets one.
    mutating func dismiss(_ id: SharedCommit.ID) {
        guard let index = conflicts.firstIndex(where: { $0.id == id }) else { return }
        dismissed.append(conflicts.remove(at: index))
        dismissed[dismissed.count - 1].isDismissed = true
        stayingCount += 1
        if areInOutbox { changeCount += 1 }
    }

    /// One of an opening that was made after a commit, and not after another one.
    func first(
        after first: SharedCommit.ID?, upTo last: SharedCommit.ID
    ) -> SharedConflict? {
        let start = first?.sequence ?? 0
        return (conflicts + dismissed).first {
            $0.id.opening == last.opening && $0.id.sequence > start
                && ($0.earliest.opening != last.opening || $0.earliest.sequence <= last.sequence)
        }
    }

    /// Whether a commit was refused, by itself or with others, that is read again.
    func covers(_ id: SharedCommit.ID) -> Bool { known.contains { $0.covers(id) } }

    /// Which of some commits were refused, by themselves or with others, and are read again from a file that had them.
    func ids(in commits: ContiguousArray<UnsharedCommit>) -> Set<SharedCommit.ID> {
        guard areInOutbox, case let known = known, !known.isEmpty else { return [] }
        return Set(commits.lazy.map(\.id).filter { id in known.contains { $0.covers(id) } })
    }

    /// Notes that the file has them as they were after so many changes; one may have been dismissed meanwhile.
    mutating func noteWritten(_ changeCount: Int) { writtenCount = changeCount }

    /// Which the file may forget: so many dismissed ones, so that others are left.
    var forgettable: (count: Int, rest: [SharedConflict])? {
        areInOutbox || stayingCount == 0 ? nil : (stayingCount, conflicts)
    }

    /// Notes that the file has forgotten the first ones of those that were dismissed and stayed.
    mutating func noteForgotten(_ count: Int) { stayingCount -= count }

    // MARK: - Files

    /// Reads the file; there is none if nothing was refused.
    static func read(in directory: DocumentDirectory) throws -> [SharedConflict] {
        let path = directory.path.appending(fileName)
        guard try directory.files.exists(path) else { return [] }
        return try directory.reading(path, conflicts)
    }

    /// What a file has.
    static func conflicts(in bytes: [UInt8]) throws -> [SharedConflict] {
        try bytes.split(separator: UInt8(ascii: "\n")).map {
            try SharedConflict(line: Array($0))
        }
    }

    /// Writes the file, or removes it if it were empty; what it has is on disk when this returns.
    static func write(_ conflicts: [SharedConflict], in directory: DocumentDirectory) throws {
        let (files, path) = (directory.files, directory.path.appending(fileName))
        if !conflicts.isEmpty {
            try files.replaceFile(
                at: path, like: directory.access.file, with: conflicts.flatMap(\.line))
        } else if try files.exists(path) {
            try files.remove(path)
            try files.synchronizeDirectory(directory.path)
        }
    }
}

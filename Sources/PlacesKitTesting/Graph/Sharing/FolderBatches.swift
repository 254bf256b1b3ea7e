import Foundation
import PlacesGraph

/// The files with the commits of a log, one for those that were added together.
struct FolderBatches: Sendable {
    private let files: any FileSystem
    private let folder: FilePath
    private let values: FolderValues
    /// The number of the first commit of each file, in their order.
    private var starts: [Int] = []
    /// The number of the last commit, zero for none.
    private(set) var end = 0

    init(in folder: FilePath, _ files: any FileSystem, _ values: FolderValues) {
        (self.folder, self.files, self.values) = (folder, files, values)
    }

    /// Takes note of commits that came since the last time.
    mutating func refresh() throws {
        var (starts, end) = (starts, end)
        // The first ones may have been forgotten.
        while let first = starts.first, try !files.exists(path(first)) { starts.removeFirst() }
        // What was restored from a backup may lack the last ones.
        if let last = starts.last, try !files.exists(path(last)) { starts = [] }
        if starts.isEmpty {
            starts = try files.names(in: folder).names.compactMap(Self.start).sorted()
            // The last file is read below, to see how many commits it has.
            end = (starts.popLast() ?? 1) - 1
        }
        while try files.exists(path(end + 1)) {
            let count = try read(end + 1).count
            starts.append(end + 1)
            end += count
        }
        guard end != self.end else {
            self.starts = starts
            return
        }
        // Who added them may have died before their names were on disk, and nobody may forget what somebody has seen.
        try files.synchronizeDirectory(folder)
        (self.starts, self.end) = (starts, end)
    }

    /// Adds commits after the last one.
    ///
    /// The caller holds the lock.
    mutating func add(_ commits: [SharedCommit]) throws {
        let unfinished = folder.appending("unfinished")
        if try files.exists(unfinished) { try files.remove(unfinished) }
        let file = try files.open(unfinished, mode: .createNew)
        try file.write(commits.reduce(into: []) { $0 += $1.line })
        try file.synchronize()
        try file.close()
        try files.rename(unfinished, to: path(end + 1))
        try files.synchronizeDirectory(folder)
        starts.append(end + 1)
        end += commits.count
    }

    /// Removes the first files as long as all of their commits came before one, and were added by a date.
    ///
    /// The caller holds the lock.
    mutating func forget(before number: Int, addedBy date: Date) throws {
        while starts.count > 1, starts[1] <= number,
            let added = files.lastUse(of: path(starts[0])), added <= date
        {
            try files.remove(path(starts[0]))
            // Each by itself, so that a power cut leaves no gap.
            try files.synchronizeDirectory(folder)
            starts.removeFirst()
        }
    }

    /// The commits after a number, or after those that are forgotten, until there are enough of them or no more.
    ///
    /// Those before the commit of a base may be forgotten, but not this one.
    func commits(after number: Int, atLeast count: Int, base: Int) throws -> [SharedCommit] {
        try check(base: base)
        guard (0..<end).contains(number) else { return [] }
        let following = starts.indices.endOfPrefix { starts[$0] <= number + 1 }
        guard following > 0 || starts.first ?? 1 <= base else { throw damage(1, "it is missing") }
        var found: [SharedCommit] = []
        for index in max(following, 1) - 1..<starts.count where found.count < count {
            // Commits are forgotten from the first on.
            guard try files.exists(path(starts[index])) || !files.exists(path(starts[0])) else {
                throw damage(starts[index], "it is missing")
            }
            let commits = try read(starts[index])
            let next = index + 1 < starts.count ? starts[index + 1] : end + 1
            guard starts[index] + commits.count == next else {
                throw damage(starts[index], "its last commit is not \(next - 1)")
            }
            found += commits.drop { $0.number <= number }
        }
        return found
    }

    /// Checks that the commit of a base is there: it is never forgotten.
    func check(base: Int) throws {
        guard base <= end else { throw damage(end + 1, "it is missing") }
    }

    /// All commits that are there.
    func all() throws -> [SharedCommit] { try starts.flatMap(read) }

    // MARK: - Files

    private func read(_ start: Int) throws -> [SharedCommit] {
        let lines = try files.read(path(start)).split(separator: UInt8(ascii: "\n"))
        guard !lines.isEmpty else { throw damage(start, "it is empty") }
        return try lines.enumerated().map { index, line in
            do {
                let commit = try SharedCommit(line: Data(line), bytes: values.bytes)
                guard commit.number == start + index else {
                    throw damage(start, "line \(index + 1) is commit \(commit.number)")
                }
                return commit
            } catch let error as JSONError {
                throw damage(start, "line \(index + 1) is no commit (\(error))")
            }
        }
    }

    private func damage(_ start: Int, _ problem: String) -> FolderSharedLog.Damage {
        FolderSharedLog.Damage(path: path(start).description, problem: problem)
    }

    private func path(_ start: Int) -> FilePath { folder.appending("\(start).jsonl") }

    /// The number of the first commit in a file; nil if it is not one of these files.
    private static func start(_ name: String) -> Int? {
        let suffix = ".jsonl"
        guard name.hasSuffix(suffix), let start = Int(name.dropLast(suffix.count)), start > 0,
            name == "\(start)\(suffix)"
        else { return nil }
        return start
    }
}

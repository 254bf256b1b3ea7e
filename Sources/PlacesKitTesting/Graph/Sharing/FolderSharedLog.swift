public import Foundation
public import PlacesGraph
import Synchronization

/// A shared log in a folder that several processes can write to.
///
/// ```swift
/// let log = try FolderSharedLog(at: url)
/// ```
/// The folder holds:
///
/// | File | Content |
/// |---|---|
/// | `commits/17.jsonl` | commits that were added together, a line each, the first of which has number 17 |
/// | `commits/unfinished` | commits that somebody is just adding, or died adding |
/// | `bases/12` | the base at commit 12 |
/// | `bases/12.values` | the values to which that base refers |
/// | `values/9f86d081…` | the bytes with that digest, to which a commit or a base refers, or soon will |
/// | `ranges/3` | nothing: somebody has claimed the third range |
/// | `lock` | the number of the process that is just adding commits |
///
/// - Commits get their name at once when they are on disk, so all of them are there or none. What a process that is
///   killed, or a machine that loses its power, was just writing does no harm: the next one removes an unfinished
///   file of commits, and temporary files of bases and values stay.
/// - The file system must lock files for all processes alike. If the folder lies on another machine,
///   ``arrivals()`` may tell only of the commits of this one.
/// - Links in the folder are not followed.
/// - There is a file for each call of ``append(_:after:)``: this is a log for tests and trials.
public final class FolderSharedLog: SharedLog {
    private let files: any FileSystem
    private let folder: FilePath
    private let commitFolder: FilePath
    private let rangeFolder: FilePath
    private let baseFolder: FilePath
    private let values: FolderValues
    private let batches: Mutex<FolderBatches>
    private let queue = BlockingQueue("shared log")

    /// Opens the log in a folder, which is created if it is missing.
    ///
    /// - Throws: ``FileSystemError``.
    public convenience init(at url: URL) throws {
        try self.init(at: url, files: DiskFileSystem())
    }

    /// Opens the log in a folder of a file system.
    package init(at url: URL, files: any FileSystem) throws {
        folder = FilePath(url)
        commitFolder = folder.appending("commits")
        rangeFolder = folder.appending("ranges")
        baseFolder = folder.appending("bases")
        try files.makeSure(of: folder)
        self.files = try files.inside(folder)
        values = FolderValues(in: folder.appending("values"), self.files, queue)
        batches = Mutex(FolderBatches(in: commitFolder, self.files, values))
        for folder in [commitFolder, rangeFolder, baseFolder, values.folder] {
            try self.files.makeSure(of: folder)
        }
        // Another process may have made them, and not have come further.
        try self.files.synchronizeDirectory(folder)
    }

    /// Claims a range by creating a file that nobody has created yet.
    ///
    /// - Throws: ``FileSystemError``.
    public func claimRange() async throws -> Int {
        try await queue.run { [files, rangeFolder] in
            let claimed = try files.names(in: rangeFolder).names.compactMap { UInt32($0) }.max()
            var range = Int(claimed ?? 0) + 1
            while true {
                do {
                    _ = try files.open(rangeFolder.appending("\(range)"), mode: .createNew)
                    try files.synchronizeDirectory(rangeFolder)
                    return range
                } catch FileSystemError.failed(.create, _, POSIXError.Code.EEXIST.rawValue) {
                    range += 1
                }
            }
        }
    }

    /// Adds commits after the last one, if that has a certain number.
    ///
    /// - Throws: ``FileSystemError``, also if others add commits for more than a minute, or
    ///   ``FolderSharedLog/Damage``.
    public func append(_ commits: [SharedCommit], after number: Int) async throws -> Bool {
        commits.checkNumbers(after: number)
        let needed = commits.flatMap(\.values)
        while true {
            try await values.add(needed)
            let isAdded = try await queue.run { [self] () -> Bool? in
                let lock = try files.waitForLock(at: folder.appending("lock"), seconds: 60)
                defer { lock.release() }
                return try batches.withLock { batches in
                    try batches.refresh()
                    // Commits in place of lost ones that the base stands for would hide the loss.
                    try batches.check(base: bases().max() ?? 0)
                    guard batches.end == number else { return false }
                    // Somebody may just have found that nothing refers to them.
                    guard try values.haveOnDisk(needed) else { return nil }
                    if !commits.isEmpty { try batches.add(commits) }
                    return true
                }
            }
            if let isAdded { return isAdded }
        }
    }

    /// Some commits after a number: those of as many files as it takes for a thousand of them.
    ///
    /// - Throws: ``FileSystemError`` or ``FolderSharedLog/Damage``.
    public func commits(after number: Int) async throws -> [SharedCommit] {
        try await queue.run { [self] in
            try batches.withLock { batches in
                var known = 0
                while true {
                    try batches.refresh()
                    let base = try bases().max() ?? 0
                    // Its commit came before it, perhaps just now.
                    if base > max(batches.end, known) {
                        known = base
                        continue
                    }
                    do {
                        return try batches.commits(after: number, atLeast: 1_000, base: base)
                    } catch FileSystemError.failed(_, _, POSIXError.Code.ENOENT.rawValue) {
                        // Somebody has just forgotten commits.
                        continue
                    }
                }
            }
        }
    }

    /// Tells of files that come into the folder; ends at once if the system watches no folders.
    public func arrivals() -> AsyncStream<Int?> {
        AsyncStream(bufferingPolicy: .bufferingNewest(1)) { calls in
            let watch = try? files.watch(commitFolder, file: nil) { calls.yield(nil) }
            guard let watch else { return calls.finish() }
            calls.onTermination = { _ in withExtendedLifetime(watch) {} }
        }
    }

    /// The base that was kept last.
    ///
    /// - Throws: ``FileSystemError``.
    public func base(after number: Int) async throws -> SharedBase? {
        try await queue.run { [self] in
            while let newest = try bases().max(), newest > number {
                do {
                    // Whoever keeps a later base removes the list last.
                    let found = try values.list(at: list(of: newest))
                    let content = try files.read(baseFolder.appending("\(newest)"))
                    return SharedBase(number: newest, content, values: found)
                } catch FileSystemError.failed(_, _, POSIXError.Code.ENOENT.rawValue) {
                    // Somebody has just kept a later one.
                    continue
                }
            }
            return nil
        }
    }

    /// Keeps a base, and removes files all of whose commits it makes needless.
    ///
    /// How old commits are, the dates of their files tell.
    ///
    /// - Throws: ``FileSystemError``, also if others add commits for more than a minute, or
    ///   ``FolderSharedLog/Damage``.
    public func keep(_ base: SharedBase, forgettingAfter age: Duration) async throws {
        let content = try await base.content()
        while true {
            try await values.add(base.values)
            if try await keep(base, content, forgettingAfter: age) { return }
        }
    }

    /// Keeps a base; returns false where the bytes of values are not there.
    private func keep(
        _ base: SharedBase, _ content: [UInt8], forgettingAfter age: Duration
    ) async throws -> Bool {
        try await queue.run { [self] in
            let lock = try files.waitForLock(at: folder.appending("lock"), seconds: 60)
            defer { lock.release() }
            let former = try bases()
            return try batches.withLock { batches in
                try batches.refresh()
                guard base.number > former.max() ?? 0, base.number <= batches.end else {
                    return true
                }
                guard try values.haveOnDisk(base.values) else { return false }
                try values.write(base.values, at: list(of: base.number))
                try files.replaceFile(
                    at: baseFolder.appending("\(base.number)"), with: content)
                for number in former {
                    try files.remove(baseFolder.appending("\(number)"))
                    try? files.remove(list(of: number))
                }
                try batches.forget(
                    before: base.number,
                    addedBy: Date(timeIntervalSinceNow: -(age / .seconds(1))))
                let used = try batches.all().flatMap(\.values) + base.values
                try values.removeAll(but: used)
                return true
            }
        }
    }

    /// Where the values of a base are listed.
    private func list(of number: Int) -> FilePath { baseFolder.appending("\(number).values") }

    /// The numbers of the commits whose bases are there; all but the newest one are about to be removed.
    private func bases() throws -> [Int] {
        try files.names(in: baseFolder).names.compactMap(Int.init)
    }

    /// A file of the log does not hold what was written to it.
    public struct Damage: DescribedError, Equatable {
        /// The path of the file.
        public let path: String
        /// What is wrong with it.
        public let problem: String

        /// The file and the problem.
        public var description: String {
            "The shared log has a damaged file, \(path): \(problem). Take the log from a copy."
        }
    }
}

extension FileSystem {
    /// Creates a folder that survives a crash, unless somebody else does at the same time.
    fileprivate func makeSure(of folder: FilePath) throws(FileSystemError) {
        do {
            try ensureDirectory(at: folder)
        } catch {
            guard try status(of: folder)?.isDirectory == true else { throw error }
        }
    }
}

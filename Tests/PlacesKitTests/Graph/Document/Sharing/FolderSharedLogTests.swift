import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

@Suite struct FolderSharedLogTests {
    @Test func `what one instance adds is there for others, also for one that opens later`()
        async throws
    {
        try await withTemporaryDirectory { folder in
            let url = folder.appending(path: "log")
            let (first, second) = (try FolderSharedLog(at: url), try FolderSharedLog(at: url))
            #expect(try await first.append(SharedCommit.after(0, 3), after: 0))
            #expect(try await !second.append(SharedCommit.after(0, by: 2), after: 0))
            #expect(try await second.append(SharedCommit.after(3, 2, by: 2), after: 3))
            let all = SharedCommit.after(0, 3) + SharedCommit.after(3, 2, by: 2)
            #expect(try await first.allCommits() == all)
            let third = try FolderSharedLog(at: url)
            #expect(try await third.allCommits() == all)
            #expect(try await third.commits(after: 4) == Array(all.suffix(1)))
            #expect(try await first.claimRange() == 1)
            #expect(try await third.claimRange() == 2)
        }
    }

    @Test func `a long log comes in parts`() async throws {
        try await withTemporaryDirectory { url in
            let log = try FolderSharedLog(at: url)
            for number in [0, 700, 1_400] {
                #expect(try await log.append(SharedCommit.after(number, 700), after: number))
            }
            #expect(try await log.commits(after: 0).count == 1_400)
            #expect(try await log.commits(after: 699).first?.number == 700)
            #expect(try await log.allCommits() == SharedCommit.after(0, 2_100))
        }
    }

    @Test func `a base without a list of values refers to none`() async throws {
        try await withTemporaryDirectory { url in
            let log = try FolderSharedLog(at: url)
            #expect(try await log.append(SharedCommit.after(0, 3), after: 0))
            try await log.keep(
                SharedBase(number: 2, [0x30], values: []), forgettingAfter: .zero)
            try FileManager.default.removeItem(at: url.appending(path: "bases/2.values"))
            #expect(try await log.base(after: 0)?.values == [])
            try await log.keep(
                SharedBase(number: 3, [0x30], values: []), forgettingAfter: .zero)
            #expect(try await log.base(after: 0)?.number == 3)
        }
    }

    @Test(.endsWaiting) func `commits of another instance are told of`() async throws {
        try await withTemporaryDirectory { url in
            let (first, second) = (try FolderSharedLog(at: url), try FolderSharedLog(at: url))
            var arrivals = first.arrivals().makeAsyncIterator()
            #expect(try await second.append(SharedCommit.after(0), after: 0))
            var found = 0
            while found == 0 {
                #expect(await arrivals.next() != nil)
                found = try await first.commits(after: 0).count
            }
            #expect(found == 1)
        }
    }

    // MARK: - Crashes

    @Test(arguments: [0, 1, 100, 10_000])
    func `what somebody died adding is not there, and the next one adds in its place`(
        bytes: Int
    ) async throws {
        try await withTemporaryDirectory { url in
            let log = try FolderSharedLog(at: url)
            #expect(try await log.append(SharedCommit.after(0, 2), after: 0))
            let torn = SharedCommit.after(2, 50, by: 2).reduce(into: Data()) { $0 += $1.line }
            let unfinished = url.appending(path: "commits/unfinished")
            try torn.prefix(bytes).write(to: unfinished)
            for log in [log, try FolderSharedLog(at: url)] {
                #expect(try await log.allCommits() == SharedCommit.after(0, 2))
            }
            #expect(try await log.append(SharedCommit.after(2, by: 3), after: 2))
            #expect(!FileManager.default.fileExists(atPath: unfinished.path()))
            let all = SharedCommit.after(0, 2) + SharedCommit.after(2, by: 3)
            #expect(try await FolderSharedLog(at: url).allCommits() == all)
        }
    }

    @Test func `a power cut at any step loses no commit that was acknowledged or seen`()
        async throws
    {
        let url = URL(filePath: "/log", directoryHint: .notDirectory)
        let files = CrashingFiles()
        let log = try FolderSharedLog(at: url, files: files)
        let reader = try FolderSharedLog(at: url, files: files)
        // How many steps there were when somebody knew of commits or ranges, and how many of them.
        var known: [(steps: Int, commits: Int, ranges: Int)] = []
        for (range, count) in [1, 3, 2].enumerated() {
            let number = try await reader.commits(after: 0).count
            #expect(try await log.append(SharedCommit.after(number, count), after: number))
            known.append((files.stepCount, number + count, range))
            #expect(try await log.claimRange() == range + 1)
            known.append((files.stepCount, number + count, range + 1))
        }
        let all = SharedCommit.after(0, 6)
        for step in 0...files.stepCount {
            for seed in 0..<8 as Range<UInt64> {
                let found = files.afterPowerCut(after: step, seed: seed)
                let log = try FolderSharedLog(at: url, files: found)
                let commits = try await log.allCommits()
                let last = known.last { $0.steps <= step }
                let situation: Comment = "step \(step), seed \(seed): \(files.steps.prefix(step))"
                #expect(commits.count >= last?.commits ?? 0, situation)
                #expect([0, 1, 4, 6].contains(commits.count), situation)
                #expect(commits == Array(all.prefix(commits.count)), situation)
                let range = try await log.claimRange()
                #expect(range > last?.ranges ?? 0, situation)
                let next = SharedCommit.after(commits.count, 2, by: 2)
                #expect(try await log.append(next, after: commits.count), situation)
                #expect(try await log.allCommits() == commits + next, situation)
            }
        }
    }

    @Test func `commits of somebody who died before telling survive once somebody has seen them`()
        async throws
    {
        let url = URL(filePath: "/log", directoryHint: .notDirectory)
        let files = CrashingFiles()
        let log = try FolderSharedLog(at: url, files: files)
        files.fail { step in
            if case .synchronizeDirectory = step { 5 } else { nil }
        }
        await #expect(throws: FileSystemError.self) {
            try await log.append(SharedCommit.after(0), after: 0)
        }
        // Whoever can't bring the names to the disk may not tell of the commits either.
        await #expect(throws: FileSystemError.self) { try await log.commits(after: 0) }
        files.mend()
        let reader = try FolderSharedLog(at: url, files: files)
        #expect(try await reader.commits(after: 0) == SharedCommit.after(0))
        #expect(try await log.commits(after: 0) == SharedCommit.after(0))
        for seed in 0..<20 as Range<UInt64> {
            let found = files.afterPowerCut(after: files.stepCount, seed: seed)
            let survivor = try FolderSharedLog(at: url, files: found)
            #expect(try await survivor.allCommits() == SharedCommit.after(0))
        }
    }

    @Test func `bytes of somebody who died before telling survive once a commit refers to them`()
        async throws
    {
        let url = URL(filePath: "/log", directoryHint: .notDirectory)
        let files = CrashingFiles()
        let log = try FolderSharedLog(at: url, files: files)
        let bytes = Data("value".utf8)
        let commit = SharedCommit(bringing: bytes)
        files.fail { step in
            if case .synchronizeDirectory = step { 5 } else { nil }
        }
        await #expect(throws: FileSystemError.self) {
            try await log.append([commit], after: 0)
        }
        files.mend()
        let other = try FolderSharedLog(at: url, files: files)
        #expect(try await other.append([commit], after: 0))
        for seed in 0..<20 as Range<UInt64> {
            let found = files.afterPowerCut(after: files.stepCount, seed: seed)
            let commits = try await FolderSharedLog(at: url, files: found).commits(after: 0)
            #expect(commits == [commit])
            let kept = try await commits.first?.values.first?.bytes()
            #expect(kept == bytes, "seed \(seed)")
        }
    }

    @Test func `a disk that fails at any step of an append leaves a log that goes on`()
        async throws
    {
        let url = URL(filePath: "/log", directoryHint: .notDirectory)
        // It creates, writes and stores a file, names it, and stores the name.
        for failing in 0..<5 {
            let files = CrashingFiles()
            let log = try FolderSharedLog(at: url, files: files)
            #expect(try await log.append(SharedCommit.after(0), after: 0))
            let steps = Counter()
            files.fail { _ in
                defer { steps.count() }
                return steps.value == failing ? 5 : nil
            }
            await #expect(throws: FileSystemError.self) {
                try await log.append(SharedCommit.after(1, 2), after: 1)
            }
            files.mend()
            let commits = try await log.allCommits()
            #expect([1, 3].contains(commits.count), "step \(failing)")
            let next = SharedCommit.after(commits.count, by: 2)
            #expect(try await log.append(next, after: commits.count))
            #expect(try await log.allCommits() == commits + next)
        }
    }

    // MARK: - Damage

    @Test(arguments: ["", "{}\n", "\n", "half", "none", "others"])
    func `a damaged file is an error that names it, and nothing is added behind it`(
        content: String
    ) async throws {
        try await withTemporaryDirectory { url in
            let log = try FolderSharedLog(at: url)
            for number in [0, 2] {
                #expect(try await log.append(SharedCommit.after(number, 2), after: number))
            }
            let file = url.appending(path: "commits/3.jsonl")
            switch content {
            case "half": try Data(contentsOf: file).dropLast(20).write(to: file)
            case "others": try SharedCommit.after(7)[0].line.write(to: file)
            case "none":
                // Of the last file nobody knows that there was one; others are missed.
                try FileManager.default.removeItem(at: url.appending(path: "commits/1.jsonl"))
            default: try Data(content.utf8).write(to: file)
            }
            let fresh = try FolderSharedLog(at: url)
            let error = await #expect(throws: FolderSharedLog.Damage.self) {
                try await fresh.commits(after: 0)
            }
            let name = content == "none" ? "1.jsonl" : "3.jsonl"
            #expect(error?.description.contains("commits/\(name)") ?? false)
            guard content != "none" else { return }
            await #expect(throws: FolderSharedLog.Damage.self) {
                try await fresh.append(SharedCommit.after(4), after: 4)
            }
        }
    }

    /// A log of four commits in two files, and a base of the last one.
    private func logWithBase(at url: URL) async throws -> FolderSharedLog {
        let log = try FolderSharedLog(at: url)
        for number in [0, 2] {
            #expect(try await log.append(SharedCommit.after(number, 2), after: number))
        }
        try await log.keep(
            SharedBase(number: 4, [0x30], values: []), forgettingAfter: .seconds(1 << 40))
        return log
    }

    @Test(arguments: [1, 3])
    func `a log that has lost the commit of its base is not taken for a shorter one`(
        first: Int
    ) async throws {
        try await withTemporaryDirectory { url in
            let log = try await logWithBase(at: url)
            for number in [1, 3] where number >= first {
                try FileManager.default.removeItem(
                    at: url.appending(path: "commits/\(number).jsonl"))
            }
            for log in [log, try FolderSharedLog(at: url)] {
                let error = await #expect(throws: FolderSharedLog.Damage.self) {
                    try await log.commits(after: 0)
                }
                #expect(error?.description.contains("commits/\(first).jsonl") ?? false)
            }
        }
    }

    @Test func `nothing is added in place of commits of the base that a log has lost`() async throws
    {
        try await withTemporaryDirectory { url in
            let log = try await logWithBase(at: url)
            let file = url.appending(path: "commits/3.jsonl")
            let lost = try Data(contentsOf: file)
            try FileManager.default.removeItem(at: file)
            for log in [log, try FolderSharedLog(at: url)] {
                await #expect(throws: FolderSharedLog.Damage.self) {
                    try await log.append(SharedCommit.after(2, 2, by: 2), after: 2)
                }
            }
            try lost.write(to: file)
            #expect(try await log.append(SharedCommit.after(4), after: 4))
            #expect(try await log.allCommits() == SharedCommit.after(0, 5))
        }
    }

    @Test func `a file that goes between others is missed by who knew it`() async throws {
        try await withTemporaryDirectory { url in
            let log = try FolderSharedLog(at: url)
            for number in [0, 2, 4] {
                #expect(try await log.append(SharedCommit.after(number, 2), after: number))
            }
            try FileManager.default.removeItem(at: url.appending(path: "commits/3.jsonl"))
            let error = await #expect(throws: FolderSharedLog.Damage.self) {
                try await log.commits(after: 0)
            }
            #expect(error?.description.contains("commits/3.jsonl") ?? false)
        }
    }

    @Test func `a folder that was restored while somebody has it open has no gap`() async throws {
        try await withTemporaryDirectory { url in
            let log = try FolderSharedLog(at: url)
            for number in [0, 2, 4] {
                #expect(try await log.append(SharedCommit.after(number, 2), after: number))
            }
            try FileManager.default.removeItem(at: url.appending(path: "commits/5.jsonl"))
            #expect(try await !log.append(SharedCommit.after(6), after: 6))
            #expect(try await log.append(SharedCommit.after(4), after: 4))
            let fresh = try FolderSharedLog(at: url)
            #expect(try await fresh.allCommits() == SharedCommit.after(0, 5))
        }
    }

    @Test func `files of others in the folder are left alone`() async throws {
        try await withTemporaryDirectory { url in
            let log = try FolderSharedLog(at: url)
            let names = ["commits/01.jsonl", "commits/notes", "commits/-1.jsonl", "ranges/x", "a"]
            for name in names { try Data("a".utf8).write(to: url.appending(path: name)) }
            #expect(try await log.append(SharedCommit.after(0), after: 0))
            #expect(try await FolderSharedLog(at: url).allCommits() == SharedCommit.after(0))
            #expect(try await log.claimRange() == 1)
            for name in names {
                #expect(try Data(contentsOf: url.appending(path: name)) == Data("a".utf8))
            }
        }
    }

    @Test(arguments: ["commits", "commits/1.jsonl", "commits/unfinished", "lock"])
    func `a link in the folder is not followed`(name: String) async throws {
        try await withTemporaryDirectory { folder in
            let (url, outside) = (folder.appending(path: "log"), folder.appending(path: "outside"))
            try FileManager.default.createDirectory(at: outside, withIntermediateDirectories: true)
            let target = outside.appending(path: "1.jsonl")
            let content = SharedCommit.after(0, by: 7)[0].line
            try content.write(to: target)
            _ = try FolderSharedLog(at: url)
            let link = url.appending(path: name)
            try? FileManager.default.removeItem(at: link)
            try FileManager.default.createSymbolicLink(
                at: link, withDestinationURL: name == "commits" ? outside : target)
            await #expect(throws: FileSystemError.self) {
                let log = try FolderSharedLog(at: url)
                _ = try await log.append(SharedCommit.after(0), after: 0)
            }
            #expect(try Data(contentsOf: target) == content)
            #expect(try FileManager.default.contentsOfDirectory(atPath: outside.path()).count == 1)
        }
    }
}

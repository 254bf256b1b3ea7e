import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

#if os(Linux) || os(macOS)
    /// Processes that share a log in a folder.
    @Suite(.serialized) struct FolderLogProcessTests {
        @Test(.endsWaiting)
        func `several processes that write at the same time lose and repeat nothing`()
            async throws
        {
            try await withTemporaryDirectory { url in
                let path = url.path(percentEncoded: false)
                await withTaskGroup { group in
                    for writer in 1...3 {
                        group.addTask {
                            await #expect(processExitsWith: .success) {
                                [path = path as String, writer = writer as Int] in
                                let log = try FolderSharedLog(at: URL(filePath: path))
                                try await log.write(20, by: Int64(writer))
                            }
                        }
                    }
                }
                let commits = try await FolderSharedLog(at: url).allCommits()
                #expect(commits.map(\.number).elementsEqual(1...60))
                #expect(Set(commits.map(\.id)).count == 60)
            }
        }

        @Test(.endsWaiting)
        func `a process that is killed at any instant loses nothing that was acknowledged`()
            async throws
        {
            try await withTemporaryDirectory { folder in
                let path = folder.appending(path: "log").path(percentEncoded: false)
                let report = folder.appending(path: "acknowledged").path(percentEncoded: false)
                try Data().write(to: URL(filePath: report))
                var random = SeededGenerator(seed: 1)
                for kill in 1...3 {
                    let delay = UInt32.random(in: 500..<20_000, using: &random)
                    await #expect(processExitsWith: .signal(SIGKILL)) {
                        [path = path as String, report = report as String, delay = delay as UInt32]
                        in
                        try await Self.appendUntilKilled(path, report, delay)
                    }
                    let acknowledged =
                        try String(contentsOfFile: report, encoding: .utf8)
                        .split(separator: "\n").compactMap { Int($0) }.last ?? 0
                    let log = try FolderSharedLog(at: URL(filePath: path))
                    let commits = try await log.allCommits()
                    #expect(commits.count >= acknowledged, "kill \(kill) after \(delay) µs")
                    // A batch has four commits.
                    #expect(commits.count % 4 == 0, "kill \(kill) after \(delay) µs")
                    #expect(commits == SharedCommit.after(0, commits.count))
                }
            }
        }

        /// Adds batches, and writes down the number of the last commit of each that is acknowledged.
        private static func appendUntilKilled(
            _ path: String, _ report: String, _ delay: UInt32
        ) async throws {
            let file = try FileHandle(forWritingTo: URL(filePath: report))
            try file.seekToEnd()
            let log = try FolderSharedLog(at: URL(filePath: path))
            var last = try await log.allCommits().count
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
            while true {
                guard try await log.append(SharedCommit.after(last, 4), after: last) else { return }
                last += 4
                try file.write(contentsOf: Data("\(last)\n".utf8))
            }
        }
    }
#endif

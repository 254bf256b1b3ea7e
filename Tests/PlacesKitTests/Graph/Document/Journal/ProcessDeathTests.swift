import Foundation
import PlacesKit
import PlacesKitTesting
import Testing

#if os(Linux) || os(macOS)
    /// Processes that are killed while they save.
    @Suite(.serialized) struct ProcessDeathTests {
        private typealias Reader = JournalModel.Reader

        /// How many processes are killed: few by default, 200 where all changes are checked.
        private static let kills =
            ProcessInfo.processInfo.environment["PLACESKIT_KILLS"].flatMap(Int.init) ?? 2

        @Test(.timeLimit(.minutes(20)))
        func `a process that is killed at any instant loses nothing that it was told is safe`()
            async throws
        {
            try await withTemporaryDirectory { url in
                let folder = url.appending(path: "document").path(percentEncoded: false)
                let log = url.appending(path: "log").path(percentEncoded: false)
                var last = 0
                // Somebody reads all the time, and reads on behind each of the dead.
                var follower: ManagedDocument?
                var random = SeededGenerator(seed: 1)
                for kill in 0..<Self.kills {
                    let delay = UInt32.random(in: 500..<30_000, using: &random)
                    await #expect(processExitsWith: .signal(SIGKILL)) {
                        [folder = folder as String, log = log as String, delay = delay as UInt32] in
                        try await Self.saveUntilKilled(folder, log, delay)
                    }
                    let reported =
                        (try? String(contentsOfFile: log, encoding: .utf8))?
                        .split(separator: "\n").compactMap { Int($0) }.last ?? 0
                    try await follower?.refresh()
                    let document = try await Self.open(folder)
                    let number = document.store.commitNumber
                    if let follower {
                        #expect(follower.store.commitNumber == number, "kill \(kill)")
                        let names = try Self.readers(follower).map(\.name)
                        #expect(names == Self.names(after: number), "kill \(kill)")
                        try follower.viewContext.checkIntegrity()
                    } else if number > 0 {
                        follower = try await Self.open(folder, isReadOnly: true)
                    }
                    #expect(number >= reported, "kill \(kill) after \(delay) µs")
                    #expect(number >= last)
                    let names = try Self.readers(document).map(\.name)
                    #expect(names == Self.names(after: number), "kill \(kill) after \(delay) µs")
                    try document.viewContext.checkIntegrity()
                    last = number
                    try await document.close()
                }
                #expect(Self.kills < 20 || last > Self.kills)
            }
        }

        private static func open(
            _ path: String, isReadOnly: Bool = false
        ) async throws -> ManagedDocument {
            try await ManagedDocument.open(
                at: URL(filePath: path), model: JournalModel.types,
                options: .init {
                    ($0.isReadOnly, $0.autosave) = (isReadOnly, nil)
                    $0.journalLimit = .init(ratio: 2, minimum: 0)
                })
        }

        /// The readers, oldest first: by their numbers, since new ones come into the rows of deleted ones.
        private static func readers(_ document: ManagedDocument) throws -> [Reader] {
            try document.viewContext.fetch(Reader.self).sorted {
                (Int($0.name) ?? 0) < (Int($1.name) ?? 0)
            }
        }

        /// What a document holds after a number of commits.
        private static func names(after number: Int) -> [String] {
            (max(1, number - 4)..<max(1, number + 1)).map { "\($0)" }
        }

        /// Saves again and again, and writes down each commit that is reported to be on disk.
        private static func saveUntilKilled(
            _ path: String, _ log: String, _ delay: UInt32
        ) async throws {
            if !FileManager.default.fileExists(atPath: log) {
                try Data().write(to: URL(filePath: log))
            }
            let report = try FileHandle(forWritingTo: URL(filePath: log))
            try report.seekToEnd()
            let document = try await open(path)
            Thread.detachNewThread {
                usleep(delay)
                kill(getpid(), SIGKILL)
            }
            let context = document.viewContext
            while true {
                let number = document.store.commitNumber + 1
                Reader(context: context).name = "\(number)"
                let readers = try readers(document)
                if readers.count > 5 { context.delete(readers[0]) }
                try await document.save()
                try report.write(contentsOf: Data("\(number)\n".utf8))
            }
        }
    }
#endif

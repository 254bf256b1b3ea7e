#if Postgres
    import Foundation
    import PlacesGraph
    import PlacesPostgres

    /// A member of a document that is open as long as a cluster is put to the test, in one of several processes.
    ///
    /// What it does is in a folder: it counts in a file of its own, and others tell it by files how far they are.
    struct PostgresClusterMember {
        /// How many members there are: each third one only reads.
        static let count = 6

        let number: Int
        let folder: URL
        let document: String

        var name: String { "member \(number)" }
        var writes: Bool { number % 3 != 2 }

        /// What the member counts: the saves that all others will have, or the commits that it has seen.
        var progress: Int {
            let size = try? FileHandle(forReadingFrom: file("progress")).seekToEnd()
            return Int(size ?? 0) / 8
        }

        /// What it had at the end.
        var content: String? { try? String(contentsOf: file("content"), encoding: .utf8) }

        /// The file that tells all members that they have written enough.
        static func ending(_ folder: URL) -> URL { folder.appending(path: "ending") }

        private func file(_ kind: String) -> URL { folder.appending(path: "\(kind) of \(name)") }

        /// Writes or reads until all have written enough, and then writes down what it has.
        func live() async throws {
            let shared = try await PostgresMember.whenReached {
                // Half of this is what a network that swallows everything costs.
                try await PostgresMember.open(
                    folder.appending(path: name), document: document, timeout: .seconds(2))
            }
            try Data().write(to: file("progress"))
            let progress = try FileHandle(forWritingTo: file("progress"))
            var value = 0
            while !Self.ending(folder).isThere {
                value += 1
                if writes {
                    try await PostgresMember.share(value, name, in: shared)
                } else {
                    let last = shared.store.snapshot().commitNumber
                    while !Self.ending(folder).isThere,
                        shared.store.snapshot().commitNumber == last
                    {
                        try await Task.sleep(for: .milliseconds(10))
                    }
                }
                try progress.write(contentsOf: Data(count: 8))
                // Where all write as fast as they can, servers don't get round to take notice of each other.
                try await Task.sleep(for: .milliseconds(20))
            }
            try Data().write(to: file("end"))
            for member in Self.all(folder, document) {
                while !member.file("end").isThere {
                    try await Task.sleep(for: .milliseconds(20))
                }
            }
            try await PostgresMember.whenReached { try await shared.sharing?.synchronize() }
            let conflicts = shared.sharing?.conflicts.map { "conflict: \($0)" } ?? []
            let content = try PostgresMember.content(shared) + conflicts
            try await shared.close()
            try content.joined(separator: "\n")
                .write(to: file("content"), atomically: true, encoding: .utf8)
        }

        /// Fails two minutes after members were told to end.
        static func endInTime(_ folder: URL) async throws {
            while !ending(folder).isThere { try await Task.sleep(for: .seconds(1)) }
            try await Task.sleep(for: .seconds(120))
            throw TakesTooLong()
        }

        private struct TakesTooLong: Error {}

        static func all(_ folder: URL, _ document: String) -> [Self] {
            (0..<count).map { Self(number: $0, folder: folder, document: document) }
        }
    }

    extension URL {
        fileprivate var isThere: Bool {
            FileManager.default.fileExists(atPath: path(percentEncoded: false))
        }
    }
#endif

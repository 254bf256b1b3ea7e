#if Postgres
    import Foundation
    import PlacesGraph
    @testable import PlacesPostgres
    import Testing

    /// The tests of what needs a server, one after the other: one of them restarts it.
    @Suite(.serialized, .enabled(if: TestServer.isThere)) enum PostgresTests {}

    /// The server that `.ci/check-postgres` has started, to which the environment leads.
    enum TestServer {
        static let environment = ProcessInfo.processInfo.environment
        static let isThere = environment["PLACESKIT_POSTGRES_SERVER"] != nil
        static var password: String { environment["PGPASSWORD"] ?? "" }
        static var port: String { environment["PGPORT"] ?? "" }

        /// Makes the log of a document, by default of one that is not there yet.
        static func log(
            _ connection: String = "", document: String = UUID().uuidString,
            _ configure: (inout PostgresSharedLog.Options) -> Void = { _ in }
        ) throws -> PostgresSharedLog {
            var options = PostgresSharedLog.Options()
            configure(&options)
            return try PostgresSharedLog(connection, document: document, options: options)
        }

        /// Runs a statement.
        @discardableResult
        static func run(
            _ statement: String, _ parameters: [Parameter] = [], in connection: String = ""
        ) throws -> Rows {
            try Connection(Server(connection, document: "", timeout: .seconds(10)))
                .query(statement, parameters)
        }

        /// Kills the server, and starts it again.
        static func restart() async throws {
            try await run(environment["PLACESKIT_POSTGRES_SERVER"] ?? "", ["restart"])
        }

        /// Runs a program, and waits for its success.
        static func run(
            _ program: String, _ arguments: [String], adding variables: [String: String] = [:]
        ) async throws {
            let process = Process()
            process.executableURL = URL(filePath: program)
            process.arguments = arguments
            process.environment = environment.merging(variables) { $1 }
            try await withCheckedThrowingContinuation { continuation in
                process.terminationHandler = { process in
                    continuation.resume(
                        with: process.terminationStatus == 0
                            ? .success(())
                            : .failure(DidNotSucceed(program: program, arguments: arguments)))
                }
                do { try process.run() } catch { continuation.resume(throwing: error) }
            }
        }

        struct DidNotSucceed: Error {
            let program: String
            let arguments: [String]
        }
    }

    extension SharedCommit {
        /// Commits with the numbers after one.
        static func after(
            _ number: Int, _ count: Int = 1, by opening: Int64 = 1, text: String = ""
        ) -> [SharedCommit] {
            (number + 1..<number + 1 + count).map {
                SharedCommit(
                    opening: opening, sequence: Int64($0), number: $0,
                    change: #"{"insert":{"Town":{"\#($0)":{"name":"\#(text)"}}}}"#)
            }
        }
    }

    extension SharedLog {
        /// All commits from a number on.
        func allCommits(after number: Int = 0) async throws -> [SharedCommit] {
            var found: [SharedCommit] = []
            while true {
                let page = try await commits(after: found.last?.number ?? number)
                guard !page.isEmpty else { return found }
                found += page
            }
        }
    }

    /// Runs a test with an empty folder, which is gone afterwards.
    func withFolder(
        _ body: nonisolated(nonsending) (URL) async throws -> Void
    ) async throws {
        let url = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: url) }
        try await body(url)
    }

    /// The name of the failure by which something ends.
    func nameOfFailure(_ body: () async throws -> Void) async -> String? {
        do {
            try await body()
            return nil
        } catch {
            return Mirror(reflecting: error).children.first?.label ?? "\(error)"
        }
    }

    /// Waits until something holds, for half a minute by default; returns whether it does.
    @discardableResult
    func eventually(
        _ what: String, within time: Duration = .seconds(30), _ condition: () async throws -> Bool
    ) async throws -> Bool {
        let deadline = ContinuousClock.now + time
        while try await !condition() {
            guard ContinuousClock.now < deadline else {
                Issue.record("\(what) does not come about")
                return false
            }
            try await Task.sleep(for: .milliseconds(10))
        }
        return true
    }
#endif

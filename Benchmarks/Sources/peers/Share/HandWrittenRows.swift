import CLibpq
import Foundation
import Synchronization

/// What one would write by hand: each photo is a row, which a statement of its own writes to the server.
struct HandWrittenRows {
    struct Failure: Error, CustomStringConvertible { let description: String }

    init() throws {
        let connection = try Connection()
        try connection.run(
            """
            SET client_min_messages = warning;
            DROP TABLE IF EXISTS hand_written_photo;
            CREATE TABLE hand_written_photo (id text PRIMARY KEY, title text, views bigint)
            """)
    }

    /// Writes rows over some connections at a time: the time for one, in microseconds.
    func write(_ count: Int, connections: Int) throws -> Double {
        let lanes = try (0..<connections).map { _ in try Connection() }
        for lane in lanes { try lane.prepare() }
        let failure = Mutex<(any Error)?>(nil)
        let (prefix, share) = (UUID().uuidString, count / connections)
        let start = ContinuousClock.now
        DispatchQueue.concurrentPerform(iterations: connections) { index in
            do {
                for number in 0..<share {
                    let id = "\(prefix)/\(index)/\(number)"
                    try lanes[index].write(id, "The photo of number \(id)")
                }
            } catch {
                failure.withLock { $0 = error }
            }
        }
        if let failure = failure.withLock(\.self) { throw failure }
        return (ContinuousClock.now - start) / .microseconds(1) / Double(share * connections)
    }

    /// A connection, which one thread uses at a time.
    private final class Connection: @unchecked Sendable {
        private let handle: OpaquePointer?

        init() throws {
            handle = PQconnectdb("")
            guard PQstatus(handle) == CONNECTION_OK else {
                throw Failure(
                    description: """
                        No PostgreSQL server: \(String(cString: PQerrorMessage(handle))). Let \
                        .ci/check-postgres -- COMMAND start one.
                        """)
            }
        }

        deinit { PQfinish(handle) }

        func run(_ statements: String) throws { try check(PQexec(handle, statements)) }

        func prepare() throws {
            try check(
                PQprepare(
                    handle, "write",
                    """
                    INSERT INTO hand_written_photo VALUES ($1, $2, 0)
                    ON CONFLICT (id) DO UPDATE SET title = excluded.title
                    """, 2, nil))
        }

        func write(_ id: String, _ title: String) throws {
            try id.withCString { id in
                try title.withCString { title in
                    let values: [UnsafePointer<CChar>?] = [id, title]
                    try check(PQexecPrepared(handle, "write", 2, values, nil, nil, 0))
                }
            }
        }

        private func check(_ result: OpaquePointer?) throws {
            defer { PQclear(result) }
            switch PQresultStatus(result) {
            case PGRES_COMMAND_OK, PGRES_TUPLES_OK: return
            default: throw Failure(description: String(cString: PQerrorMessage(handle)))
            }
        }
    }
}

import CSQLite

/// A SQLite database, as far as a replica needs one.
final class Database {
    /// What SQLite says is wrong.
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    private let handle: OpaquePointer
    private var statements: [String: OpaquePointer] = [:]

    init(at path: String) throws {
        var handle: OpaquePointer?
        guard sqlite3_open(path, &handle) == SQLITE_OK, let handle else {
            sqlite3_close(handle)
            throw Failure(description: "\(path) cannot be opened as a database.")
        }
        self.handle = handle
        // A commit that was reported is on disk, as those of the document are.
        try run("PRAGMA journal_mode = WAL")
        try run("PRAGMA synchronous = FULL")
    }

    deinit {
        for statement in statements.values { sqlite3_finalize(statement) }
        sqlite3_close(handle)
    }

    /// Does all of `body` or nothing.
    func transaction(_ body: () throws -> Void) throws {
        try run("BEGIN IMMEDIATE")
        do {
            try body()
            try run("COMMIT")
        } catch {
            _ = try? run("ROLLBACK")
            throw error
        }
    }

    /// Runs a statement, and gives the rows that it finds.
    @discardableResult
    func run(_ sql: String, _ values: [Value] = []) throws -> [[Value]] {
        let statement = try statement(sql)
        defer {
            sqlite3_reset(statement)
            sqlite3_clear_bindings(statement)
        }
        for (index, value) in values.enumerated() {
            try check(value.bind(to: statement, at: Int32(index + 1)))
        }
        var rows: [[Value]] = []
        while true {
            switch sqlite3_step(statement) {
            case SQLITE_DONE: return rows
            case SQLITE_ROW:
                rows.append(
                    (0..<sqlite3_column_count(statement)).map { Value(statement, $0) })
            default: throw failure
            }
        }
    }

    private func statement(_ sql: String) throws -> OpaquePointer {
        if let statement = statements[sql] { return statement }
        var statement: OpaquePointer?
        try check(sqlite3_prepare_v2(handle, sql, -1, &statement, nil))
        guard let statement else { throw Failure(description: "There is no statement in \(sql)") }
        statements[sql] = statement
        return statement
    }

    private func check(_ code: Int32) throws {
        guard code == SQLITE_OK else { throw failure }
    }

    private var failure: Failure {
        Failure(description: String(cString: sqlite3_errmsg(handle)))
    }
}

/// A value of a row.
enum Value: Hashable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    fileprivate init(_ statement: OpaquePointer, _ column: Int32) {
        switch sqlite3_column_type(statement, column) {
        case SQLITE_INTEGER: self = .integer(sqlite3_column_int64(statement, column))
        case SQLITE_FLOAT: self = .real(sqlite3_column_double(statement, column))
        case SQLITE_TEXT:
            // Text may have a zero in it, which is not its end.
            let start = sqlite3_column_text(statement, column)
            let count = Int(sqlite3_column_bytes(statement, column))
            self = .text(
                String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self))
        default: self = .null
        }
    }

    fileprivate func bind(to statement: OpaquePointer, at index: Int32) -> Int32 {
        switch self {
        case .null: sqlite3_bind_null(statement, index)
        case .integer(let value): sqlite3_bind_int64(statement, index, value)
        case .real(let value): sqlite3_bind_double(statement, index, value)
        case .text(let value):
            // SQLITE_TRANSIENT, whose macro Swift does not import: SQLite makes a copy.
            sqlite3_bind_text(
                statement, index, value, Int32(value.utf8.count),
                unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
    }
}

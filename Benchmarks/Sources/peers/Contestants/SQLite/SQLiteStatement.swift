import GRDBSQLite

/// A prepared statement, which its connection owns.
struct SQLiteStatement {
    private let handle: OpaquePointer

    init(_ handle: OpaquePointer) {
        self.handle = handle
    }

    func bind(_ value: Int, at index: Int32) {
        sqlite3_bind_int64(handle, index, Int64(value))
    }

    func bind(_ value: Int?, at index: Int32) {
        if let value {
            sqlite3_bind_int64(handle, index, Int64(value))
        } else {
            sqlite3_bind_null(handle, index)
        }
    }

    func bind(_ value: Double, at index: Int32) {
        sqlite3_bind_double(handle, index, value)
    }

    func bind(_ value: Double?, at index: Int32) {
        if let value {
            sqlite3_bind_double(handle, index, value)
        } else {
            sqlite3_bind_null(handle, index)
        }
    }

    /// Binds text that SQLite copies; to keep it in place instead measures no faster.
    func bind(_ value: String, at index: Int32) {
        var value = value
        value.withUTF8 { text in
            // SQLITE_TRANSIENT, a macro that Swift does not import.
            let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
            text.withMemoryRebound(to: CChar.self) { text in
                _ = sqlite3_bind_text(
                    handle, index, text.baseAddress, Int32(text.count), transient)
            }
        }
    }

    /// Moves to the next row, and says whether there is one.
    func step() throws(SQLiteError) -> Bool {
        switch sqlite3_step(handle) {
        case SQLITE_ROW: return true
        case SQLITE_DONE: return false
        case let code:
            let message = String(cString: sqlite3_errmsg(sqlite3_db_handle(handle)))
            throw .failed(code: code, message: message)
        }
    }

    /// Runs a statement that returns nothing, and makes it ready to run again.
    func run() throws(SQLiteError) {
        _ = try step()
        reset()
    }

    func reset() {
        sqlite3_reset(handle)
    }

    func integer(_ column: Int32) -> Int {
        Int(sqlite3_column_int64(handle, column))
    }

    func double(_ column: Int32) -> Double {
        sqlite3_column_double(handle, column)
    }

    /// The text of a column where it lies, until the next step: no string is made.
    func utf8(_ column: Int32) -> UnsafeBufferPointer<UInt8> {
        let start = sqlite3_column_text(handle, column)
        return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column)))
    }
}

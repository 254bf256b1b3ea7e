#if Postgres
    import CPostgres
    import Foundation

    /// The rows that a statement returned, in binary.
    final class Rows {
        let result: OpaquePointer
        private let place: PostgresSharedLog.Place

        /// Takes over a result.
        init(_ result: OpaquePointer, _ place: PostgresSharedLog.Place) {
            (self.result, self.place) = (result, place)
        }

        deinit { PQclear(result) }

        var count: Int { Int(PQntuples(result)) }

        func isNull(_ row: Int, _ column: Int) -> Bool {
            PQgetisnull(result, Int32(row), Int32(column)) == 1
        }

        func data(_ row: Int, _ column: Int) -> Data {
            let count = Int(PQgetlength(result, Int32(row), Int32(column)))
            guard let bytes = PQgetvalue(result, Int32(row), Int32(column)), count > 0 else {
                return Data()
            }
            return Data(bytes: bytes, count: count)
        }

        func text(_ row: Int, _ column: Int) -> String {
            String(decoding: data(row, column), as: UTF8.self)
        }

        /// An integer of whatever size.
        func int(_ row: Int, _ column: Int) throws -> Int {
            let count = Int(PQgetlength(result, Int32(row), Int32(column)))
            guard let value = PQgetvalue(result, Int32(row), Int32(column)),
                !isNull(row, column), count == 2 || count == 4 || count == 8
            else {
                throw PostgresSharedLog.Failure.refused(
                    place, code: "22023", reason: "it answers with something else than a number")
            }
            let bytes = UnsafeRawBufferPointer(start: value, count: count)
            return bytes.reduce(bytes[0] < 0x80 ? 0 : -1) { $0 << 8 | Int($1) }
        }

        func bool(_ row: Int, _ column: Int) -> Bool { data(row, column).first == 1 }
    }
#endif

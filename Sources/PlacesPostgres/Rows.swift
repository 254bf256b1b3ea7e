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
            Data(bytes(row, column))
        }

        /// The bytes of a value, for as long as the rows are there.
        private func bytes(_ row: Int, _ column: Int) -> UnsafeRawBufferPointer {
            UnsafeRawBufferPointer(
                start: PQgetvalue(result, Int32(row), Int32(column)),
                count: Int(PQgetlength(result, Int32(row), Int32(column))))
        }

        func text(_ row: Int, _ column: Int) -> String {
            String(decoding: data(row, column), as: UTF8.self)
        }

        /// An integer of whatever size.
        func int(_ row: Int, _ column: Int) throws -> Int {
            let bytes = bytes(row, column)
            guard !isNull(row, column), bytes.count == 2 || bytes.count == 4 || bytes.count == 8
            else {
                throw PostgresSharedLog.Failure.refused(
                    place, code: "22023", reason: "it answers with something else than a number")
            }
            return bytes.reduce(bytes[0] < 0x80 ? 0 : -1) { $0 << 8 | Int($1) }
        }

        func bool(_ row: Int, _ column: Int) -> Bool { data(row, column).first == 1 }
    }
#endif

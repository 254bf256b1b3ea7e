#if Postgres
    import Foundation
    import PlacesGraphTesting
    import PlacesPostgres
    import Testing

    extension PostgresTests {
        /// The promises that each shared log makes.
        @Suite struct ConformanceTests {
            @Test(
                arguments: [
                    "", "sslmode=require",
                    "options='-c default_transaction_isolation=serializable'",
                ])
            func `a log in PostgreSQL conforms`(connection: String) async {
                let violations = await violations(connection)
                #expect(violations.isEmpty, "\(violations)")
            }

            @Test func `a database with another encoding keeps each byte`() async throws {
                try TestServer.run("DROP DATABASE IF EXISTS latin")
                try TestServer.run("CREATE DATABASE latin ENCODING LATIN1 TEMPLATE template0")
                let violations = await violations("dbname=latin")
                #expect(violations.isEmpty, "\(violations)")
            }

            private func violations(
                _ connection: String
            ) async -> [ConformanceViolation] {
                await SharedLogConformance(
                    makeLog: { UUID().uuidString },
                    connect: { try PostgresSharedLog(connection, document: $0) }
                ).violations()
            }
        }
    }
#endif

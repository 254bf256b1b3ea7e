#if Postgres
    import PlacesBase

    /// The tables of all logs, which create themselves.
    ///
    /// | Table | A row is |
    /// |---|---|
    /// | `version` | the version of the tables, one row |
    /// | `documents` | a document: its last commit, the last range that was given out, how often values were forgotten |
    /// | `commits` | a commit, as a line of JSON in UTF-8 |
    /// | `bases` | the base of a document |
    /// | `base_parts` | a part of a base |
    /// | `stored_values` | the bytes of a value, by the document and their digest |
    /// | `commit_values` | a value to which a commit refers |
    /// | `base_values` | a value to which a base refers |
    struct LogTables {
        private let namespace: String

        init(_ options: PostgresSharedLog.Options) { namespace = options.namespace }

        /// A table's name, as it stands in a statement.
        func name(_ table: String) -> String { "\(quotedNamespace).\(table)" }

        /// A query for those digests of a list whose bytes a document, the first parameter, does not have.
        func missing(in list: String) -> String {
            """
            SELECT digest FROM unnest(\(list)) AS needed (digest) WHERE NOT EXISTS (
                SELECT FROM \(name("stored_values")) AS stored
                WHERE document = $1 AND stored.digest = decode(needed.digest, 'hex'))
            """
        }

        /// An expression that tells whether the line of a commit of a document, the first parameter, ends in a certain way; it
        /// does where the commit was forgotten, as only those are that come before a base's.
        func end(ofCommit number: String, is end: String) -> String {
            let start = "greatest(octet_length(line) - \(LatestCommit.endLength) + 1, 1)"
            return """
                coalesce((
                    SELECT substring(line FROM \(start)) = \(end)
                    FROM \(name("commits")) WHERE document = $1 AND number = \(number)
                ), \(number) = 0 OR EXISTS (
                    SELECT FROM \(name("bases")) WHERE document = $1 AND number > \(number)))
                """
        }

        private var quotedNamespace: String { Self.quoted(namespace) }

        static func quoted(_ name: String) -> String {
            #""\#(name.replacing("\"", with: "\"\""))""#
        }

        /// What brings tables to the version after each one: those of version 0 are not there.
        ///
        /// What a released version of the library has done stays as it is; add what comes next.
        ///
        /// Lines are not compressed: each page compares the end of a line, which may have megabytes, and reads no more of it.
        private var upgrades: [String] {
            func partitions(of tables: String...) -> String {
                tables.flatMap { table in
                    (0..<16).map { part in
                        """
                        CREATE TABLE \(name("\(table)_\(part)")) PARTITION OF \(name(table))
                            FOR VALUES WITH (MODULUS 16, REMAINDER \(part));
                        """
                    }
                }.joined(separator: "\n")
            }
            return [
                """
                CREATE TABLE \(name("version")) (version integer NOT NULL);
                INSERT INTO \(name("version")) VALUES (0);
                CREATE TABLE \(name("documents")) (
                    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
                    name text NOT NULL UNIQUE,
                    last bigint NOT NULL DEFAULT 0,
                    ranges bigint NOT NULL DEFAULT 0
                ) WITH (fillfactor = 50);
                CREATE TABLE \(name("commits")) (
                    document bigint NOT NULL,
                    number bigint NOT NULL,
                    added timestamptz NOT NULL,
                    line bytea NOT NULL,
                    PRIMARY KEY (document, number)
                ) PARTITION BY HASH (document);
                CREATE TABLE \(name("bases")) (
                    document bigint PRIMARY KEY,
                    number bigint NOT NULL,
                    upload bigint NOT NULL,
                    parts integer NOT NULL,
                    kept timestamptz NOT NULL
                );
                CREATE SEQUENCE \(name("uploads"));
                CREATE TABLE \(name("base_parts")) (
                    document bigint NOT NULL,
                    upload bigint NOT NULL,
                    position integer NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (document, upload, position)
                ) PARTITION BY HASH (document);
                \(partitions(of: "commits", "base_parts"))
                ALTER TABLE \(name("commits")) ALTER COLUMN line SET STORAGE EXTERNAL;
                """,
                """
                CREATE TABLE \(name("stored_values")) (
                    document bigint NOT NULL,
                    digest bytea NOT NULL,
                    added timestamptz NOT NULL,
                    bytes bytea NOT NULL,
                    PRIMARY KEY (document, digest)
                ) PARTITION BY HASH (document);
                CREATE TABLE \(name("commit_values")) (
                    document bigint NOT NULL,
                    digest bytea NOT NULL,
                    number bigint NOT NULL,
                    PRIMARY KEY (document, digest, number)
                ) PARTITION BY HASH (document);
                CREATE INDEX ON \(name("commit_values")) (document, number);
                CREATE TABLE \(name("base_values")) (
                    document bigint NOT NULL,
                    digest bytea NOT NULL,
                    upload bigint NOT NULL,
                    size bigint NOT NULL,
                    PRIMARY KEY (document, digest, upload)
                ) PARTITION BY HASH (document);
                ALTER TABLE \(name("documents")) ADD COLUMN sweeps bigint NOT NULL DEFAULT 0;
                \(partitions(of: "stored_values", "commit_values", "base_values"))
                """,
            ]
        }

        /// Brings the tables up to date; creates them if they are missing and somebody wants that.
        ///
        /// - Throws: `Failure.newerTables`, `Failure.documentRemoved`, or another failure.
        func prepare(_ connection: Connection, creating: Bool) throws {
            let steps = upgrades
            let version = try version(connection)
            if version == steps.count { return }
            guard version > 0 || creating else { throw connection.documentIsGone }
            // No session keeps the lock: a pooler may give each transaction another one.
            try connection.run("BEGIN ISOLATION LEVEL READ COMMITTED")
            let number = Array(namespace.utf8).withUnsafeBytes { CRC32.checksum(of: $0) }
            try connection.query(
                "SELECT pg_advisory_xact_lock(1886151013, $1::bigint::integer)",
                [.int(Int(Int32(bitPattern: number)))])
            let found = try self.version(connection)
            if found == 0, try !isThere(connection) {
                try connection.run("CREATE SCHEMA \(quotedNamespace)")
            }
            for step in steps[found...] { try connection.run(step) }
            try connection.query(
                "UPDATE \(name("version")) SET version = $1", [.int(steps.count)])
            try connection.run("COMMIT")
        }

        private func version(_ connection: Connection) throws -> Int {
            guard try isThere(connection, table: "version") else { return 0 }
            let rows = try connection.query("SELECT version FROM \(name("version"))")
            guard rows.count == 1 else { return 0 }
            let found = try rows.int(0, 0)
            guard found <= upgrades.count else {
                throw PostgresSharedLog.Failure.newerTables(
                    connection.place, found: found, supported: upgrades.count)
            }
            return found
        }

        /// Whether the schema is there, or a table of it.
        ///
        /// NB: `to_regclass` answers from what the session remembers, which may be older than what it has waited for.
        private func isThere(_ connection: Connection, table: String? = nil) throws -> Bool {
            try connection.query(
                """
                SELECT count(*) > 0 FROM pg_catalog.pg_namespace AS schema
                LEFT JOIN pg_catalog.pg_class AS found ON found.relnamespace = schema.oid
                WHERE schema.nspname = $1 AND ($2 = '' OR found.relname = $2)
                """, [.text(namespace), .text(table ?? "")]
            ).bool(0, 0)
        }
    }
#endif

#if Postgres
    extension PostgresSharedLog {
        /// How a log is reached and followed.
        public struct Options: Sendable, Hashable {
            /// The schema of the database that has the tables, which is created if it is missing.
            ///
            /// It has 40 bytes at most.
            public var namespace = "placeskit"

            /// How long the server may take to accept a connection, or to send or take anything while it is asked for something.
            ///
            /// At least two seconds pass before another host is tried. What a connection string says of `connect_timeout`,
            /// `tcp_user_timeout` and `keepalives` comes first.
            public var timeout = Duration.seconds(10)

            /// Whether ``PostgresSharedLog/append(_:after:)`` tells others of commits.
            ///
            /// The server lets the transactions that tell something end one after the other, whatever they tell and whatever
            /// document it is about. Where thousands of documents are written at a time, it can be better to ask often.
            public var notifies = true

            /// Whether ``PostgresSharedLog/arrivals()`` waits for what others tell.
            ///
            /// A pooler that gives connections away after each transaction passes none of it on.
            public var listens = true

            /// How often ``PostgresSharedLog/arrivals()`` asks whether there is something new, whatever others tell.
            ///
            /// By this it also finds out that nothing reaches the server any more.
            public var pollingPeriod = Duration.seconds(15)

            /// How many bytes a namespace may have: names of channels consist of it and a number.
            static let longestNamespace = 40

            /// Creates the defaults.
            public init() {}
        }
    }
#endif

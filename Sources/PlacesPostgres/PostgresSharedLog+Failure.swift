#if Postgres
    import Foundation
    public import PlacesBase

    extension PostgresSharedLog {
        /// Why a log can't do what it was asked for.
        ///
        /// No failure contains a password or a connection string.
        public enum Failure: DescribedError, Hashable {
            /// The connection string is none; what is wrong with it could be a part of a password.
            case unreadableConnection
            /// A document or a namespace can't have this name.
            case unusableName(String, problem: String)
            /// No connection came about: nobody is there, or the server refuses whoever asks.
            case notConnected(Place, reason: String)
            /// The connection was lost; what was asked for may have its effect.
            case connectionLost(Place, reason: String)
            /// Nothing came within the time; what was asked for may have its effect.
            case noAnswer(Place, within: Duration)
            /// Somebody told the server not to wait for a standby any longer; what was asked for has its effect, but is lost if
            /// the standby takes over.
            case notReplicated(Place)
            /// The server only copies what another one has, or was told to change nothing.
            case readOnly(Place)
            /// The tables are those of a newer version of PlacesKit.
            case newerTables(Place, found: Int, supported: Int)
            /// A row does not hold what was written to it.
            case damaged(Place, commit: Int, problem: String)
            /// A commit that was there is not there any more, or is another one.
            case lostCommits(Place, commit: Int)
            /// Another base has come in place of the one that is being read.
            case baseReplaced(Place, number: Int)
            /// No commit and no base refers to a value any more.
            case valueForgotten(Place, digest: String)
            /// The document was removed from the database.
            case documentRemoved(Place)
            /// The server refused a statement, with a code that PostgreSQL documents as SQLSTATE.
            case refused(Place, code: String, reason: String)

            /// What is wrong, where, and what to do.
            public var description: String {
                switch self {
                case .unreadableConnection:
                    """
                    The connection string of a shared log can't be read. Write it as libpq wants it: \
                    "host=… dbname=…" or "postgresql://…", with other characters as %20.
                    """
                case .unusableName(let name, let problem):
                    "A shared log can't be called “\(name)”: \(problem)."
                case .notConnected(let place, let reason):
                    """
                    \(place) can't be reached: \(reason). See that the server runs, and that it accepts this user.
                    """
                case .connectionLost(let place, let reason):
                    "The connection to \(place) was lost: \(reason). Try again."
                case .noAnswer(let place, let time):
                    "No answer came from \(place) within \(time). Try again, or allow it more time."
                case .notReplicated(let place):
                    """
                    \(place) was told not to wait for its standby, which may lack what was asked for. Try again, and let the \
                    server wait.
                    """
                case .readOnly(let place):
                    """
                    \(place) can't be written: the server is a standby or read-only. Connect to the one that is written, \
                    or name all hosts and target_session_attrs=read-write.
                    """
                case .newerTables(let place, let found, let supported):
                    """
                    \(place) has tables of version \(found), and this version of PlacesKit knows those up to \
                    \(supported). Update PlacesKit.
                    """
                case .damaged(let place, let commit, let problem):
                    "Commit \(commit) of \(place) is damaged: \(problem). Take the log from a copy."
                case .lostCommits(let place, let commit):
                    """
                    \(place) has lost commits, as after a backup was restored: commit \(commit) is not the one that was \
                    there before. Take the log from a newer copy, or share new documents by another one.
                    """
                case .baseReplaced(let place, let number):
                    "The base at commit \(number) of \(place) was replaced while it was read. Read the new one."
                case .valueForgotten(let place, let digest):
                    "The value \(digest) of \(place) was forgotten. Read the commits or the base anew."
                case .documentRemoved(let place):
                    "\(place) is not there any more. Take the log from a copy."
                case .refused(let place, let code, let reason):
                    "\(place) refused a request with \(code): \(reason). See the server's log."
                }
            }
        }

        /// Where a log is, as far as everybody may know.
        public struct Place: Sendable, Hashable, CustomStringConvertible {
            /// The hosts or the folder of the server's socket, as they were given.
            public var host: String
            /// The ports, as they were given.
            public var port: String
            /// The name of the database.
            public var database: String
            /// The name of the document.
            public var document: String

            /// All of it, as the beginning of a sentence.
            public var description: String {
                "The shared log “\(document)” in the database “\(database)” at \(host):\(port)"
            }
        }
    }

    extension PostgresSharedLog.Failure {
        /// Whether the same may be asked at once over another connection, if it does no harm twice.
        var isOfConnection: Bool {
            switch self {
            case .connectionLost, .notReplicated: true
            case .refused(_, let code, _): code == Self.poolerCode
            default: false
            }
        }

        /// What poolers say of whatever keeps them from asking the server: they may have lost it, or it has no such database.
        static let poolerCode = "08P01"

        /// Whether it says nothing about the connection, or about what is known of the tables.
        var leavesConnection: Bool {
            switch self {
            case .damaged, .baseReplaced, .valueForgotten: true
            default: isClash
            }
        }

        /// Whether others changed the same rows, and the database is told to refuse one of them: nothing of what that one
        /// wanted is left.
        var isClash: Bool {
            guard case .refused(_, let code, _) = self else { return false }
            return code == "40001" || code == "40P01"
        }
    }
#endif

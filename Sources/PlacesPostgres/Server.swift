#if Postgres
    import CPostgres
    import Foundation

    /// How a server is reached, and what may be said of it.
    struct Server: Sendable {
        /// What libpq is told, in this order: what comes later goes first.
        private let settings: [(name: String, value: String)]
        let document: String
        let timeout: Duration

        /// - Throws: `Failure.unreadableConnection`.
        init(
            _ connection: String, document: String, timeout: Duration
        ) throws(PostgresSharedLog.Failure) {
            // libpq would read up to a zero only.
            guard !connection.utf8.contains(0), let options = PQconninfoParse(connection, nil)
            else {
                throw .unreadableConnection
            }
            // libpq would take all of it for the name of a database, which errors show.
            if [String: String](options)["dbname"]?.isConnection == true {
                throw .unreadableConnection
            }
            self.document = document
            // libpq counts milliseconds in 32 bits.
            self.timeout = min(max(timeout, .milliseconds(1)), .seconds(86_400))
            let seconds = max(2, Int((self.timeout / .seconds(1)).rounded(.up)))
            // Linux takes no longer ones, and libpq then connects to nobody.
            let idle = min(seconds, 32_767)
            var settings = [
                // What a standby has may be old.
                ("target_session_attrs", "read-write"),
                // Someone who is connected and silent would be believed for hours.
                ("keepalives_idle", "\(idle)"), ("keepalives_interval", "\(idle)"),
                ("keepalives_count", "3"), ("tcp_user_timeout", "\(seconds * 2_000)"),
                ("connect_timeout", "\(seconds)"),
            ]
            let environment = ProcessInfo.processInfo.environment
            for (name, variable) in [
                ("target_session_attrs", "PGTARGETSESSIONATTRS"),
                ("connect_timeout", "PGCONNECT_TIMEOUT"),
            ] where environment[variable] != nil {
                settings.removeAll { $0.0 == name }
            }
            // Names and notices are UTF-8, whatever the environment says; lines are bytes.
            self.settings =
                settings.map { (name: $0.0, value: $0.1) } + [
                    (name: "dbname", value: connection),
                    (name: "client_encoding", value: "UTF8"),
                    (name: "fallback_application_name", value: "PlacesKit"),
                ]
        }

        /// Connects; blocks.
        func connect() -> OpaquePointer? {
            var names = settings.map { UnsafePointer(strdup($0.name)) }
            var values = settings.map { UnsafePointer(strdup($0.value)) }
            defer { for text in names + values { free(UnsafeMutableRawPointer(mutating: text)) } }
            names.append(nil)
            values.append(nil)
            return PQconnectdbParams(names, values, 1)
        }
    }

    /// What libpq made of the settings of a connection.
    struct ServerDescription {
        let place: PostgresSharedLog.Place
        private let secrets: [String]

        init(_ handle: OpaquePointer?, _ server: Server) {
            let values = PQconninfo(handle).map { [String: String]($0) } ?? [:]
            // A password file or a service may have other passwords than the string.
            let used = PQpass(handle).map { String(cString: $0) }
            // A whole connection may stand in place of the name of a database.
            let database = values["dbname"].flatMap { $0.isConnection ? $0 : nil }
            let secrets = (["password", "sslpassword"].map { values[$0] } + [used, database])
                .compactMap(\.self).filter { !$0.isEmpty }
            let host = ["host", "hostaddr"].compactMap { values[$0] }.first { !$0.isEmpty }
            func shown(_ text: String?, or other: String?) -> String {
                let text = text.flatMap { $0.isEmpty ? nil : $0 } ?? other ?? ""
                return Self.text(text, without: secrets)
            }
            place = PostgresSharedLog.Place(
                host: shown(host, or: PQhost(handle).map { String(cString: $0) }),
                port: shown(values["port"], or: PQport(handle).map { String(cString: $0) }),
                database: shown(values["dbname"], or: values["user"]), document: server.document)
            self.secrets = secrets
        }

        /// A message of libpq or of the server in one line, without what nobody may see.
        func cleaned(_ message: UnsafePointer<CChar>?) -> String {
            Self.text(message.map { String(cString: $0) } ?? "", without: secrets)
                .split(whereSeparator: \.isNewline)
                .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
        }

        private static func text(_ text: String, without secrets: [String]) -> String {
            secrets.reduce(text) { $0.replacing($1, with: "…") }
        }
    }

    extension String {
        /// Whether libpq might take it for a whole connection, and not for the name of a database.
        fileprivate var isConnection: Bool { contains("://") || contains("=") }
    }

    extension [String: String] {
        /// Takes over the settings that libpq has made of something, by their names.
        fileprivate init(_ options: UnsafeMutablePointer<PQconninfoOption>) {
            self.init()
            defer { PQconninfoFree(options) }
            var option = options
            while let name = option.pointee.keyword {
                self[String(cString: name)] = option.pointee.val.map { String(cString: $0) }
                option += 1
            }
        }
    }
#endif

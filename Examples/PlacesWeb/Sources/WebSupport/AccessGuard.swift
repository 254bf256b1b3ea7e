import Foundation
import HTTPTypes
package import Hummingbird

/// Lets nobody in but pages of this server, in browsers that came by an address of its own.
///
/// - The `Host` has to be one of the server's: else a page of somebody else, whose name leads to this machine all
///   of a sudden, could read everything (DNS rebinding).
/// - What changes something has to come from a page of this server, told by `Origin`.
/// - Beyond this machine a token is asked for: once in the address, then in a cookie.
package struct AccessGuard<Context: RequestContext>: RouterMiddleware {
    private let hosts: Set<String>
    private let token: String?

    /// Guards a server.
    ///
    /// - Parameters:
    ///   - hosts: The names and addresses by which browsers come; on which port does not matter.
    ///   - token: What who comes from beyond this machine has to know; `nil` for a server that only this machine
    ///     reaches.
    package init(hosts: Set<String>, token: String?) {
        self.hosts = Set(hosts.map { $0.lowercased() })
        self.token = token
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard let host = request.head.authority?.lowercased(), hosts.contains(host.withoutPort)
        else {
            return refusal(
                .misdirectedRequest, "This server is not called so. Come by one of its own names.")
        }
        if let token {
            if let given = request.uri.queryParameters["token"],
                String(given).isEqualInConstantTime(to: token)
            {
                return welcome(token, host, to: request)
            }
            let cookie = request.cookies[host.tokenCookie]
            guard cookie?.value.isEqualInConstantTime(to: token) == true else {
                return refusal(.unauthorized, "Open the whole address that the server printed.")
            }
        }
        guard
            request.method == .get || request.method == .head
                || request.headers[.origin] == "http://\(host)"
        else {
            return refusal(.forbidden, "Only pages of this server may change something.")
        }
        return try await next(request, context)
    }

    private func refusal(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "text/plain; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text + "\n")))
    }

    private func welcome(_ token: String, _ host: String, to request: Request) -> Response {
        Response(
            status: .seeOther,
            headers: [
                .location: request.uri.path,
                .setCookie: "\(host.tokenCookie)=\(token); HttpOnly; SameSite=Strict; Path=/",
            ])
    }
}

extension String {
    /// The name or address in front of a port; that of a version 6 address stands in brackets.
    fileprivate var withoutPort: String {
        guard let colon = lastIndex(of: ":"), !self[colon...].contains("]") else { return self }
        return String(self[..<colon])
    }

    /// The name of the cookie with the token, for a browser that came by this host.
    ///
    /// The port is part of it: browsers send the same cookies to all ports of a machine, and each may have another server.
    fileprivate var tokenCookie: String {
        "token-\(dropFirst(withoutPort.count + 1).prefix { $0.isASCII && $0.isNumber })"
    }

    /// Whether two texts are the same, found out in a time that does not tell how much of them is.
    fileprivate func isEqualInConstantTime(to other: String) -> Bool {
        utf8.count == other.utf8.count
            && zip(utf8, other.utf8).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
    }
}

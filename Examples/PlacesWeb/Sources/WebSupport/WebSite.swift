package import Foundation
package import Hummingbird
import HTTPTypes

/// What a server of pages answers with.
package protocol WebSite: Sendable {
    /// The page of an address, or data that a page asks for.
    func get(_ request: WebRequest) async throws -> Response
    /// Does what a page asks for, which it says as JSON.
    func post(_ request: WebRequest, _ body: Data) async throws -> Response
    /// Sends a browser what it does not know, and from now on what happens.
    func follow(_ request: WebRequest, _ stream: EventStream) async throws
    /// Sends a browser nothing more.
    func unfollow(_ stream: EventStream) async
}

/// What a browser asks for.
package struct WebRequest: Sendable {
    /// The parts of the address between slashes.
    package let path: [String]
    /// The browser's name, which no other has.
    package let browser: String
    /// Whether data is wanted rather than a page.
    package let wantsData: Bool
    /// The mark of what the browser keeps of this address.
    package let knownMark: String?
    private let query: [(name: String, value: String)]

    /// How many parts an address has at most: pages look for a pane at each beginning of theirs.
    private static let partLimit = 16

    init(_ request: Request, browser: String) throws(HTTPError) {
        var path: [String] = []
        for part in request.uri.path.split(separator: "/") {
            guard let part = part.removingPercentEncoding, !part.utf8.contains(0) else {
                throw HTTPError(.badRequest, message: "The address is not well-formed.")
            }
            path.append(part)
            guard path.count <= Self.partLimit else {
                throw HTTPError(.notFound, message: "Nothing lies so deep.")
            }
        }
        self.path = path
        self.browser = browser
        query = request.uri.queryParameters.map { (String($0.key), String($0.value)) }
        wantsData = request.headers[.accept]?.hasPrefix("application/json") == true
        knownMark = request.headers[.ifNoneMatch]
    }

    /// The first value of a name behind the question mark.
    package subscript(name: String) -> String? { values(of: name).first }

    /// All values of a name behind the question mark.
    package func values(of name: String) -> [String] {
        query.filter { $0.name == name }.map(\.value)
    }
}

extension Response {
    /// Text of some media type.
    package static func text(_ text: String, _ type: String = "text/plain") -> Response {
        data(Data(text.utf8), type + "; charset=utf-8")
    }

    /// A value as JSON.
    package static func json(_ value: some Encodable) -> Response {
        data(EventFrame.json(value), "application/json")
    }

    /// Bytes of some media type.
    package static func data(_ data: Data, _ type: String) -> Response {
        Response(
            status: .ok, headers: [.contentType: type],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }

    /// Nothing but that it was done.
    package static var done: Response { Response(status: .noContent) }
}
